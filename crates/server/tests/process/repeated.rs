//! Replies that never arrive: whoever sends a post again with its key has written it once.

use crate::program::Program;
use crate::proof::{open, rounds, stored};
use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// How often each post is sent; only the last answer is read.
const TIMES: usize = 5;

/// Sends a request.
fn send(program: &Program, head: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(program.address).unwrap();
    let length = body.len();
    write!(
        stream,
        "POST /api/posts HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n{head}\r\n{body}"
    )
    .unwrap();
    stream
}

/// Waits until the answer has arrived, and looks at its first line without taking it.
fn arrived(stream: &TcpStream) -> String {
    let mut first = [0; 12];
    let patience = Duration::from_secs(30);
    stream.set_read_timeout(Some(patience)).unwrap();
    let begun = Instant::now();
    loop {
        let length = stream.peek(&mut first).unwrap();
        assert!(length > 0, "it hung up without an answer");
        if length == first.len() {
            break;
        }
        assert!(begun.elapsed() < patience, "no answer comes");
        std::thread::sleep(Duration::from_millis(1));
    }
    String::from_utf8_lossy(&first).into_owned()
}

/// Of five sends of a post four hang up and only the last reads its answer: one post each. The first two
/// hang up as soon as the request is out, so that they may meet the server at any step, or not at all. The
/// other two hang up on an answer that is here, so that their post is known to have been made before.
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
        for time in 1..TIMES {
            let stream = send(&program, &head, &body);
            if time > TIMES / 2 {
                // Made, or made before.
                let status = arrived(&stream);
                assert_eq!(status, "HTTP/1.1 201", "send {time} of post {n}");
            }
            // The server may have closed it by then.
            let _ = stream.shutdown(Shutdown::Both);
        }
        let reply = program.ask("POST", "/api/posts", &head, &body);
        assert_eq!(reply.status, 201, "{}", reply.body);
    }
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = stored(&open(folder.path()));
    assert_eq!(stored.len(), rounds);
    assert!(stored.values().all(|times| *times == 1));
    println!(
        "{rounds} posts sent {TIMES} times each, two answers that had come and two more of five dropped: {rounds} rows"
    );
}
