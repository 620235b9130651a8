//! An orderly stop while members write.

use crate::program::Program;
use crate::proof::{count_posts, open_database, rounds};
use std::collections::HashMap;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Concurrent writers.
const WRITERS: usize = 4;

/// Every created post was acknowledged with a complete response: requests in flight finish, and
/// later ones are not begun.
/// proves: operate-stop
#[test]
fn a_stop_loses_no_request_in_flight() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = rounds(4);
    let (mut cookie, mut longest) = (String::new(), Duration::ZERO);
    let mut acknowledged = HashMap::new();
    for round in 0..rounds {
        let mut program = Program::start(folder.path());
        if round == 0 {
            let printed = program.read_line();
            cookie = program.log_in(&printed);
        }
        // A kept-alive connection without requests.
        let idle = program.connect("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n");
        let (server, cookie) = (&program, cookie.as_str());
        let (notify, first_response) = channel();
        let post = |writer: usize| {
            let mut posted = Vec::new();
            for n in 0.. {
                let content = format!("round {round} writer {writer} post {n}");
                let body = format!("{{\"content\":\"{content}\"}}");
                match server.try_request("POST", "/api/posts", cookie, &body) {
                    Some(reply) if reply.status == 201 && reply.body.ends_with('}') => {
                        notify.send(()).unwrap();
                        posted.push(content);
                    }
                    Some(reply) => panic!("{reply:?}"),
                    None => break,
                }
            }
            posted
        };
        let signalled_at = std::thread::scope(|scope| {
            let post = &post;
            let writers = (0..WRITERS).map(|writer| scope.spawn(move || post(writer)));
            let writers = writers.collect::<Vec<_>>();
            first_response.recv_timeout(Duration::from_secs(30)).unwrap();
            std::thread::sleep(Duration::from_millis(20 + 7 * (round % 20) as u64));
            let signalled_at = Instant::now();
            server.signal("TERM");
            for writer in writers {
                for content in writer.join().unwrap() {
                    acknowledged.insert(content, 1);
                }
            }
            signalled_at
        });
        assert!(program.wait().success());
        longest = longest.max(signalled_at.elapsed());
        drop(idle);
    }
    assert!(!acknowledged.is_empty(), "this test shows nothing");
    assert_eq!(count_posts(&open_database(folder.path())), acknowledged);
    println!(
        "{rounds} stops: {} posts created and acknowledged, the longest stop {} ms",
        acknowledged.len(),
        longest.as_millis()
    );
}
