//! Replies that never arrive: whoever sends a post again with its key has written it once.

use crate::program::Program;
use crate::proof::{open, rounds, stored};
use std::io::Write as _;
use std::net::{Shutdown, TcpStream};

/// How often each post is sent; only the last answer is waited for.
const TIMES: usize = 5;

/// Of five sends of a post four hang up as soon as the request is out, and only the last reads its answer:
/// one post each.
/// proves: wire-key
#[test]
fn a_post_sent_five_times_is_one_post() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let rounds = rounds(20);
    for n in 0..rounds {
        let body = format!("{{\"content\":\"post {n}\"}}");
        let head = format!("{cookie}idempotency-key: key-{n}\r\n");
        for _ in 1..TIMES {
            let mut stream = TcpStream::connect(program.address).unwrap();
            let length = body.len();
            write!(
                stream,
                "POST /api/posts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                 content-length: {length}\r\n{head}\r\n{body}"
            )
            .unwrap();
            // The server may have answered by then, or may not have begun.
            stream.shutdown(Shutdown::Both).unwrap();
        }
        let reply = program.ask("POST", "/api/posts", &head, &body);
        assert_eq!(reply.status, 201, "{}", reply.body);
    }
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = stored(&open(folder.path()));
    assert_eq!(stored.len(), rounds);
    assert!(stored.values().all(|times| *times == 1));
    println!("{rounds} posts sent {TIMES} times each, four answers of five dropped: {rounds} rows");
}
