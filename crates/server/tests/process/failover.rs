//! A PostgreSQL primary dies while members write, and its synchronous standby is promoted.

#![cfg(target_os = "linux")]

use crate::program::{Program, kith};
use crate::proof::rounds;
use crate::replicas::{Pair, find_programs};
use std::collections::HashMap;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Concurrent writers.
const WRITERS: usize = 3;
/// Longest time without writes after a primary died.
const TIMEOUT: Duration = Duration::from_mins(1);

/// State shared by the writers.
struct Writers<'a> {
    program: &'a Program,
    cookie: &'a str,
    over: AtomicBool,
    /// Number of acknowledged posts.
    count: AtomicU64,
    acknowledged: Mutex<Vec<String>>,
    /// Requests without a definite result: rejected with 503, or without a response.
    uncertain: AtomicU64,
}

impl<'a> Writers<'a> {
    fn new(program: &'a Program, cookie: &'a str) -> Self {
        Self {
            program,
            cookie,
            over: AtomicBool::new(false),
            count: AtomicU64::new(0),
            acknowledged: Mutex::new(Vec::new()),
            uncertain: AtomicU64::new(0),
        }
    }

    /// Posts until the test ends. Repeats unacknowledged posts with their idempotency key.
    fn write(&self, writer: usize) {
        for n in 0.. {
            let content = format!("writer {writer} post {n}");
            let head = format!("{}idempotency-key: w{writer}-{n}\r\n", self.cookie);
            let body = format!("{{\"content\":\"{content}\"}}");
            loop {
                let reply = self.program.try_request("POST", "/api/posts", &head, &body);
                match reply.map_or((0, String::new()), |reply| (reply.status, reply.body)) {
                    (200 | 201, _) => break,
                    (0 | 503, _) => self.uncertain.fetch_add(1, SeqCst),
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
    fn wait_for(&self, more: u64) {
        let (begun, wanted) = (Instant::now(), self.count.load(SeqCst) + more);
        while self.count.load(SeqCst) < wanted {
            assert!(begun.elapsed() < TIMEOUT, "writes have stopped");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Stops the writers even if the test panics.
struct StopGuard<'a>(&'a AtomicBool);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// Every acknowledged post is stored exactly once after each promotion. Uncertain ones are, too,
/// since they are repeated with their idempotency key.
/// proves: durable-failover
#[test]
fn nothing_acknowledged_is_lost_when_a_standby_takes_over() {
    let programs = find_programs();
    let folder = tempfile::tempdir().unwrap();
    let mut pair = Pair::start(&programs);
    let mut command = kith();
    command.env("KITH_DATABASE_URL", pair.url());
    let mut program = Program::start_as(command, folder.path(), Stdio::null());
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let rounds = rounds(1);
    let writers = Writers::new(&program, &cookie);
    let mut gaps = Vec::new();
    std::thread::scope(|scope| {
        let writers = &writers;
        let _over = StopGuard(&writers.over);
        for writer in 0..WRITERS {
            scope.spawn(move || writers.write(writer));
        }
        for round in 0..rounds {
            writers.wait_for(10);
            std::thread::sleep(Duration::from_millis(7 * (round % 40) as u64));
            pair.kill_primary();
            // One post per writer may have been acknowledged before and be counted after.
            pair.promote();
            writers.wait_for(WRITERS as u64 + 1);
            gaps.push(pair.since_kill());
            pair.rebuild_standby();
        }
    });
    let stored: HashMap<String, usize> = pair.posts();
    let acknowledged = writers.acknowledged.into_inner().unwrap();
    for content in &acknowledged {
        assert_eq!(stored.get(content), Some(&1), "{content} was acknowledged");
    }
    assert!(stored.values().all(|times| *times == 1));
    let longest = gaps.iter().max().unwrap().as_millis();
    gaps.sort_unstable();
    println!(
        "{rounds} promotions: {} posts acknowledged, none lost or doubled, {} answers in doubt asked again; \
         without writes {} ms in the middle, {longest} ms at most",
        acknowledged.len(),
        writers.uncertain.into_inner(),
        gaps[gaps.len() / 2].as_millis(),
    );
}

/// A hung primary keeps its connections and accepts bytes. Once the standby is promoted, no request
/// waits for the old primary, and nothing is written to it when it resumes, since that would be
/// lost.
/// proves: db-hung-primary
#[test]
fn a_hung_primary_is_abandoned() {
    let programs = find_programs();
    let folder = tempfile::tempdir().unwrap();
    let mut pair = Pair::start(&programs);
    let mut command = kith();
    command.env("KITH_DATABASE_URL", pair.url());
    let mut program = Program::start_as(command, folder.path(), Stdio::null());
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let writers = Writers::new(&program, &cookie);
    std::thread::scope(|scope| {
        let writers = &writers;
        let _over = StopGuard(&writers.over);
        for writer in 0..WRITERS {
            scope.spawn(move || writers.write(writer));
        }
        writers.wait_for(10);
        pair.hang_primary();
        pair.promote();
        writers.wait_for(WRITERS as u64 + 1);
        println!("without writes {} ms", pair.since_kill().as_millis());
        pair.thaw_old_primary();
        writers.wait_for(20);
        pair.wait_for_old_primary_disconnects();
        // Long enough for every connection to break and for the other server to be tried.
        pair.pause_primary(Duration::from_secs(14));
        writers.wait_for(20);
        pair.wait_for_old_primary_disconnects();
    });
    // A new process tries both servers; the old primary, listed first, accepts writes, too.
    let output = kith()
        .args(["invite", "create", "--data"])
        .arg(folder.path())
        .env("KITH_DATABASE_URL", pair.url())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let code = String::from_utf8(output.stdout).unwrap();
    assert!(pair.has_code(code.trim()), "{code}");
    let stored = pair.posts();
    for content in writers.acknowledged.into_inner().unwrap() {
        assert_eq!(stored.get(&content), Some(&1), "{content} was acknowledged");
    }
}
