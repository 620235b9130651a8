//! Responses that never arrive: a post repeated with its idempotency key is created once.

use crate::program::Program;
use crate::proof::{count_posts, open_database, rounds};
use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Number of times that each post is sent; only the last response is read.
const TIMES: usize = 5;

/// Sends a post and returns the connection.
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

/// Waits for a response and peeks at its first bytes.
fn peek_status(stream: &TcpStream) -> String {
    let mut first = [0; 12];
    let timeout = Duration::from_secs(30);
    stream.set_read_timeout(Some(timeout)).unwrap();
    let begun = Instant::now();
    loop {
        let length = stream.peek(&mut first).unwrap();
        assert!(length > 0, "disconnected without a response");
        if length == first.len() {
            break;
        }
        assert!(begun.elapsed() < timeout, "no response arrives");
        std::thread::sleep(Duration::from_millis(1));
    }
    String::from_utf8_lossy(&first).into_owned()
}

/// A post is sent five times with one key and is created once. The first two clients disconnect
/// after the request, which may interrupt the server at any step; two disconnect after the response
/// arrived; only the last one reads it.
/// proves: wire-key
#[test]
fn a_post_sent_five_times_is_one_post() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let rounds = rounds(20);
    for n in 0..rounds {
        let body = format!("{{\"content\":\"post {n}\"}}");
        let head = format!("{cookie}idempotency-key: key-{n}\r\n");
        for time in 1..TIMES {
            let stream = send(&program, &head, &body);
            if time > TIMES / 2 {
                // Created now or earlier.
                let status = peek_status(&stream);
                assert_eq!(status, "HTTP/1.1 201", "send {time} of post {n}");
            }
            // The server may have closed it by then.
            let _ = stream.shutdown(Shutdown::Both);
        }
        let reply = program.request("POST", "/api/posts", &head, &body);
        assert_eq!(reply.status, 201, "{}", reply.body);
    }
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = count_posts(&open_database(folder.path()));
    assert_eq!(stored.len(), rounds);
    assert!(stored.values().all(|times| *times == 1));
    println!(
        "{rounds} posts sent {TIMES} times each, two of five responses dropped on arrival and two before: {rounds} rows"
    );
}
