//! An orderly stop while members write.

use crate::program::Program;
use crate::proof::{open, rounds, stored};
use std::collections::HashMap;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Members who write at once.
const WRITERS: usize = 4;

/// Every post that is made has been answered, and every answer is whole: a request in flight is
/// finished, and what comes too late is not begun.
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
            let printed = program.line();
            cookie = program.log_in(&printed);
        }
        // One that keeps its connection and asks for nothing.
        let idle = program.connect("GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n");
        let (running, cookie) = (&program, cookie.as_str());
        let (said, heard) = channel();
        let post = |writer: usize| {
            let mut answered = Vec::new();
            for n in 0.. {
                let content = format!("round {round} writer {writer} post {n}");
                let body = format!("{{\"content\":\"{content}\"}}");
                match running.try_ask("POST", "/api/posts", cookie, &body) {
                    Some(reply) if reply.status == 201 && reply.body.ends_with('}') => {
                        said.send(()).unwrap();
                        answered.push(content);
                    }
                    Some(reply) => panic!("{reply:?}"),
                    None => break,
                }
            }
            answered
        };
        let told = std::thread::scope(|scope| {
            let post = &post;
            let writers = (0..WRITERS).map(|writer| scope.spawn(move || post(writer)));
            let writers = writers.collect::<Vec<_>>();
            heard.recv_timeout(Duration::from_secs(30)).unwrap();
            std::thread::sleep(Duration::from_millis(20 + 7 * (round % 20) as u64));
            let told = Instant::now();
            running.signal("TERM");
            for writer in writers {
                for content in writer.join().unwrap() {
                    acknowledged.insert(content, 1);
                }
            }
            told
        });
        assert!(program.wait().success());
        longest = longest.max(told.elapsed());
        drop(idle);
    }
    assert!(!acknowledged.is_empty(), "this test shows nothing");
    assert_eq!(stored(&open(folder.path())), acknowledged);
    println!(
        "{rounds} stops: {} posts made and answered, the longest stop {} ms",
        acknowledged.len(),
        longest.as_millis()
    );
}
