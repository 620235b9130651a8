//! PostgreSQL's primary dies under members who write, and its synchronous standby takes over.

#![cfg(target_os = "linux")]

use crate::program::{Program, kith};
use crate::proof::rounds;
use crate::replicas::{Pair, programs};
use std::collections::HashMap;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Members who write at once.
const WRITERS: usize = 3;
/// How long writes may stay away after a primary died.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the writers share.
struct Work<'a> {
    program: &'a Program,
    cookie: &'a str,
    over: AtomicBool,
    /// Posts that were acknowledged so far.
    count: AtomicU64,
    acknowledged: Mutex<Vec<String>>,
    /// Answers that said "later", or none: whether the post was made, the writer does not know.
    unsure: AtomicU64,
}

impl<'a> Work<'a> {
    fn begin(program: &'a Program, cookie: &'a str) -> Self {
        Self {
            program,
            cookie,
            over: AtomicBool::new(false),
            count: AtomicU64::new(0),
            acknowledged: Mutex::new(Vec::new()),
            unsure: AtomicU64::new(0),
        }
    }

    /// Posts until it is over. What was not acknowledged is sent again with the same key.
    fn write(&self, writer: usize) {
        for n in 0.. {
            let content = format!("writer {writer} post {n}");
            let head = format!("{}idempotency-key: w{writer}-{n}\r\n", self.cookie);
            let body = format!("{{\"content\":\"{content}\"}}");
            loop {
                let reply = self.program.try_ask("POST", "/api/posts", &head, &body);
                match reply.map_or((0, String::new()), |reply| (reply.status, reply.body)) {
                    (200 | 201, _) => break,
                    (0 | 503, _) => self.unsure.fetch_add(1, SeqCst),
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

    /// Waits until so many more posts were acknowledged.
    fn wait_for(&self, more: u64) {
        let (begun, wanted) = (Instant::now(), self.count.load(SeqCst) + more);
        while self.count.load(SeqCst) < wanted {
            assert!(begun.elapsed() < PATIENCE, "nothing is written any more");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Whoever panics must not leave the writers at it.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// What was acknowledged is there once, whichever server was the primary then; what the writers were
/// not sure of is there once too, since they asked again with the same key.
/// proves: durable-failover
#[test]
fn nothing_acknowledged_is_lost_when_a_standby_takes_over() {
    let programs = programs();
    let folder = tempfile::tempdir().unwrap();
    let mut pair = Pair::start(&programs);
    let mut command = kith();
    command.env("KITH_DATABASE_URL", pair.url());
    let mut program = Program::start_as(command, folder.path(), Stdio::null());
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let rounds = rounds(1);
    let work = Work::begin(&program, &cookie);
    let mut gaps = Vec::new();
    std::thread::scope(|scope| {
        let work = &work;
        let _over = Over(&work.over);
        for writer in 0..WRITERS {
            scope.spawn(move || work.write(writer));
        }
        for round in 0..rounds {
            work.wait_for(10);
            std::thread::sleep(Duration::from_millis(7 * (round % 40) as u64));
            pair.kill_primary();
            // One of each writer may have been acknowledged before that, and be counted after it.
            pair.promote();
            work.wait_for(WRITERS as u64 + 1);
            gaps.push(pair.since_kill());
            pair.rebuild_standby();
        }
    });
    let stored: HashMap<String, usize> = pair.posts();
    let acknowledged = work.acknowledged.into_inner().unwrap();
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
        work.unsure.into_inner(),
        gaps[gaps.len() / 2].as_millis(),
    );
}

/// A primary that hangs, as with its disk, keeps its connections and takes what is sent. Once another one took over
/// nothing is waited for there, and when it goes on nothing is written to it: it would be lost.
/// proves: db-hung-primary
#[test]
fn a_primary_that_hangs_is_left_for_good() {
    let programs = programs();
    let folder = tempfile::tempdir().unwrap();
    let mut pair = Pair::start(&programs);
    let mut command = kith();
    command.env("KITH_DATABASE_URL", pair.url());
    let mut program = Program::start_as(command, folder.path(), Stdio::null());
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let work = Work::begin(&program, &cookie);
    std::thread::scope(|scope| {
        let work = &work;
        let _over = Over(&work.over);
        for writer in 0..WRITERS {
            scope.spawn(move || work.write(writer));
        }
        work.wait_for(10);
        pair.hang_primary();
        pair.promote();
        work.wait_for(WRITERS as u64 + 1);
        println!("without writes {} ms", pair.since_kill().as_millis());
        pair.thaw_old_primary();
        work.wait_for(20);
        pair.until_nobody_is_at_the_old_primary();
        // Long enough for every connection to be lost, and for the other server to be asked.
        pair.pause_primary(Duration::from_secs(14));
        work.wait_for(20);
        pair.until_nobody_is_at_the_old_primary();
    });
    // Who knows nothing of all this asks both: the one that is named first takes writes, too.
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
    for content in work.acknowledged.into_inner().unwrap() {
        assert_eq!(stored.get(&content), Some(&1), "{content} was acknowledged");
    }
}
