//! Members who write during a failure, and repeat what was not acknowledged.

use crate::program::Reply;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// Concurrent writers.
pub(crate) const WRITERS: usize = 3;
/// Longest time without writes after a failure.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Sends a post with this head and body; `None` without a response.
type Send<'a> = dyn Fn(&str, &str) -> Option<Reply> + Sync + 'a;

/// State shared by the writers.
pub(crate) struct Writers<'a> {
    send: Box<Send<'a>>,
    cookie: &'a str,
    pub(crate) over: AtomicBool,
    /// Number of acknowledged posts.
    count: AtomicU64,
    pub(crate) acknowledged: Mutex<Vec<String>>,
    /// Requests without a definite result: rejected with 502 or 503, or without a response.
    pub(crate) uncertain: AtomicU64,
}

impl<'a> Writers<'a> {
    pub(crate) fn new(
        cookie: &'a str,
        send: impl Fn(&str, &str) -> Option<Reply> + Sync + 'a,
    ) -> Self {
        Self {
            send: Box::new(send),
            cookie,
            over: AtomicBool::new(false),
            count: AtomicU64::new(0),
            acknowledged: Mutex::new(Vec::new()),
            uncertain: AtomicU64::new(0),
        }
    }

    /// Starts the writers; dropping the guard stops them, also if the test panics.
    pub(crate) fn spawn<'s>(&'s self, scope: &'s Scope<'s, '_>) -> StopGuard<'s> {
        for writer in 0..WRITERS {
            scope.spawn(move || self.write(writer));
        }
        StopGuard(&self.over)
    }

    /// Posts until the test ends. Repeats unacknowledged posts with their idempotency key.
    fn write(&self, writer: usize) {
        for n in 0.. {
            let content = format!("writer {writer} post {n}");
            let head = format!("{}idempotency-key: w{writer}-{n}\r\n", self.cookie);
            let body = format!("{{\"content\":\"{content}\"}}");
            loop {
                let reply = (self.send)(&head, &body);
                match reply.map_or((0, String::new()), |reply| (reply.status, reply.body)) {
                    (200 | 201, _) => break,
                    (0 | 502 | 503, _) if self.over.load(SeqCst) => return,
                    (0 | 502 | 503, _) => self.uncertain.fetch_add(1, SeqCst),
                    (status, body) => panic!("{status}: {body}"),
                };
                std::thread::sleep(Duration::from_millis(20));
            }
            self.acknowledged.lock().unwrap().push(content);
            self.count.fetch_add(1, SeqCst);
            if self.over.load(SeqCst) {
                return;
            }
        }
    }

    /// Waits until `more` further posts are acknowledged.
    pub(crate) fn wait_for(&self, more: u64) {
        let (begun, wanted) = (Instant::now(), self.count.load(SeqCst) + more);
        while self.count.load(SeqCst) < wanted {
            assert!(begun.elapsed() < TIMEOUT, "writes have stopped");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Stops the writers even if the test panics.
pub(crate) struct StopGuard<'a>(&'a AtomicBool);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}
