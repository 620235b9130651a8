//! Responses of a full server.

#![cfg(target_os = "linux")]

use crate::callers::{Kind, Load};
use crate::program::Program;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Asks over a connection that goes on; answers the head and the body.
fn ask(connection: &mut BufReader<TcpStream>, line: &str, cookie: &str, body: &str) -> String {
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{cookie}content-length: {length}\r\n\r\n{body}"
    );
    connection.get_mut().write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    while !answer.ends_with("\r\n\r\n") {
        assert!(
            connection.read_line(&mut answer).unwrap() > 0,
            "it hung up: {answer}"
        );
    }
    let mut lines = answer.lines();
    let length = lines.find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.unwrap().parse().unwrap()];
    connection.read_exact(&mut body).unwrap();
    answer + &String::from_utf8(body).unwrap()
}

/// Says that it is over when it goes.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The names of the headers of an answer.
fn names(answer: &str) -> Vec<&str> {
    let head = answer.split("\r\n\r\n").next().unwrap();
    let lines = head.lines().skip(1);
    let mut names = lines
        .map(|line| line.split(':').next().unwrap())
        .collect::<Vec<_>>();
    names.sort_unstable();
    names
}

/// While another program locks the database, a post holds the only permit and both queues are full. A rejection is like
/// any other error, on a connection that goes on, with or without a body; and afterwards the same connection is served.
/// proves: busy-bounded
#[test]
fn a_rejection_before_routing_is_like_any_other_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start_with(folder.path(), &["--in-flight=1"]);
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let database = rusqlite::Connection::open(folder.path().join("kith.db")).unwrap();
    let mut connection = BufReader::new(program.connect(""));
    let unknown = ask(&mut connection, "GET /api/nowhere", "", "");
    let mut expected = names(&unknown);
    expected.push("retry-after");
    expected.sort_unstable();
    database.execute_batch("begin immediate").unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut held = Load::new(program.address, &cookie, "held");
            held.time = Duration::from_mins(1);
            held.kind = |number| [Kind::Post, Kind::Feed][usize::from(number % 2 == 0)];
            held.is_over = Some(&is_over);
            held.run(60)
        });
        // Ends the load if this fails, too: the scope waits for it.
        let _end = End(&is_over);
        let begun = Instant::now();
        let is_full = || {
            let figures = program.ask_admin("/metrics").body;
            figures.contains("\nkith_http_in_flight 1") && figures.contains("\nkith_http_waiting 4")
        };
        while !is_full() {
            assert!(begun.elapsed() < Duration::from_secs(30), "it is not full");
            std::thread::sleep(Duration::from_millis(5));
        }
        let large = format!("{{\"content\":\"{}\"}}", "x".repeat(3_000));
        let mut ids = Vec::new();
        for (line, body) in [
            ("GET /api/posts/feed", ""),
            ("POST /api/posts", "{\"content\":\"refused\"}"),
            ("DELETE /api/posts/1", ""),
            ("POST /api/posts", &large),
        ] {
            let answer = ask(&mut connection, line, &cookie, body);
            assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
            assert!(answer.contains("\"code\":\"unavailable\""), "{answer}");
            assert_eq!(names(&answer), expected);
            let id = answer
                .lines()
                .find(|line| line.starts_with("x-request-id: "));
            ids.push(id.unwrap().to_owned());
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 4, "each has an id of its own");
        database.execute_batch("rollback").unwrap();
    });
    let answer = ask(&mut connection, "GET /api/auth/me", &cookie, "");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let figures = program.ask_admin("/metrics").body;
    for name in [
        "kith_http_shed_total{class=\"browse\"}",
        "kith_http_shed_total{class=\"other\"}",
        "kith_http_requests_total{method=\"any\",route=\"shed\",status=\"503\"}",
    ] {
        let line = figures.lines().find_map(|line| line.strip_prefix(name));
        assert!(line.unwrap().trim().parse::<u64>().unwrap() > 0, "{name}");
    }
}
