//! Whose calls are counted together, with real connections from this machine.

use crate::program::Program;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Joins the waitlist; the sender, or a proxy, names whom it speaks for.
fn wait(program: &Program, forwarded: &str) -> u16 {
    let head = format!("x-forwarded-for: {forwarded}\r\n");
    let body = "{\"email\":\"eve@example.org\"}";
    program.ask("POST", "/api/waitlist", &head, body).status
}

fn start(data: &std::path::Path, trusted: &str) -> Program {
    let settings = ["--rate-limits", "on", "--trusted-proxies", trusted];
    Program::start_with(data, &settings)
}

/// proves: limit-proxies, limit-networks
#[test]
fn a_trusted_proxy_is_believed_as_far_as_it_says_itself() {
    let folder = tempfile::tempdir().unwrap();
    // As a system writes it that listens on both kinds of address at once.
    let program = start(folder.path(), "::ffff:127.0.0.1");
    for n in 0..5 {
        assert_eq!(wait(&program, "192.0.2.1"), 200, "call {n}");
    }
    for forged in [
        "192.0.2.1",
        "203.0.113.9, 192.0.2.1",
        "203.0.113.10\r\nx-forwarded-for: 192.0.2.1",
    ] {
        assert_eq!(wait(&program, forged), 429, "{forged}");
    }
    assert_eq!(wait(&program, "192.0.2.2"), 200, "another client");
}

/// proves: limit-proxies, limit-networks
#[test]
fn who_is_no_trusted_proxy_is_believed_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let program = start(folder.path(), "192.0.2.77");
    let claimed = |n| wait(&program, &format!("192.0.2.{n}, 192.0.2.77"));
    let statuses = (0..7).map(claimed).collect::<Vec<_>>();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
}

/// Asks for something, as a proxy does for its client.
fn ask(stream: &mut TcpStream, path: &str, client: &str) {
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {client}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
}

/// Whether an answer came that is no refusal; the rest of it is left where it is.
fn is_served(stream: &mut TcpStream) -> bool {
    let mut line = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut line).unwrap();
    !line.ends_with(b" 429")
}

/// Takes the rest of an answer.
fn take(stream: &mut TcpStream) {
    let (mut answer, mut piece) = (Vec::new(), [0; 16_384]);
    loop {
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "it hung up");
        answer.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&answer);
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let mut lines = head.lines();
        let body = lines.find_map(|line| line.strip_prefix("content-length: "));
        if answer.len() >= head.len() + 4 + body.unwrap().parse::<usize>().unwrap() {
            return;
        }
    }
}

/// The answers are on their way to the proxy, which waits for its client and keeps the connections meanwhile: a short
/// one, and one of which the server still has a part.
/// proves: busy-behind-proxy
#[test]
fn answers_that_a_proxy_holds_go_on_to_count() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start_with(folder.path(), &["--trusted-proxies", "127.0.0.1"]);
    for (path, client) in [
        ("/api/auth/me", "192.0.2.1"),
        ("/api/openapi.json", "192.0.2.2"),
    ] {
        let call = |client: &str| {
            let mut stream = program.connect("");
            ask(&mut stream, path, client);
            stream
        };
        let mut held = (0..300).map(|_| call(client)).collect::<Vec<_>>();
        held.retain_mut(is_served);
        assert_eq!(held.len(), 256, "{path}: so many of one client");
        let mut kept = held.pop().unwrap();
        take(&mut kept);
        assert!(!is_served(&mut call(client)), "it may be needed again");
        ask(&mut kept, path, "192.0.2.3");
        assert!(is_served(&mut kept), "{path}: others are not meant");
        held.push(call(client));
        assert!(is_served(&mut held[255]), "{path}: it is another's now");
        assert!(!is_served(&mut call(client)), "{path}");
        drop((held, kept));
        let begun = Instant::now();
        while !is_served(&mut call(client)) {
            assert!(begun.elapsed() < Duration::from_secs(9), "{path}");
        }
    }
}

/// The server is done with these connections, for it waits for no body that nobody wants. The proxy is not: it still
/// has the answers.
/// proves: busy-behind-proxy
#[test]
fn answers_count_on_when_their_connections_are_ended() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start_with(folder.path(), &["--trusted-proxies", "127.0.0.1"]);
    let call = || {
        let mut stream = program.connect("");
        let head = "GET /login HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.1\r\n";
        let head = format!("{head}content-length: 5\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let mut held = (0..256).map(|_| call()).collect::<Vec<_>>();
    assert!(held.iter_mut().all(is_served));
    for _ in 0..100 {
        assert!(!is_served(&mut call()), "so many of one client");
    }
    for stream in &mut held {
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
    }
    assert!(!is_served(&mut call()), "they have not hung up yet");
    drop(held);
    let begun = Instant::now();
    while !is_served(&mut call()) {
        assert!(begun.elapsed() < Duration::from_secs(9));
    }
}
