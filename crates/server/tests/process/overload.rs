//! More requests than the server can answer.

#![cfg(target_os = "linux")]

use crate::callers::{Kind, Load, exact};
use crate::program::{Program, kith};
use crate::proof::{open, stored};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Requests at the same time while the capacity is measured, over the connections of the overload: as many as one core
/// works on. Over few connections each request is cheaper than any of the overload.
const FULL: usize = 32;
/// Connections of the overload. A request that is due while all of them wait for a response counts as offered, and is not
/// sent.
const CROWD: usize = 2_000;
/// Connections of the short form: more than may wait while two requests are worked on.
const SMALL_CROWD: usize = 800;
/// Loads as multiples of the capacity, and the part of the capacity that must be served under each. The short form
/// offers the last one.
const TARGETS: [(f64, f64); 5] = [(1.5, 0.9), (2.0, 0.9), (3.0, 0.8), (5.0, 0.6), (10.0, 0.6)];
const MAX_P99: u64 = 1_000;
const MAX_RECOVERY: Duration = Duration::from_secs(5);
/// What the server may take of memory, with all that waits.
const MEMORY: u64 = 1 << 30;

/// Whether server and callers can have a core each: otherwise callers take from the server what is measured.
fn has_two_cores() -> bool {
    let cores = std::thread::available_parallelism().unwrap().get();
    let pins = Command::new("taskset").arg("--version").output().is_ok();
    let is_possible = cores > 1 && pins;
    if !is_possible {
        eprintln!("the callers take from the server: there is one core here, or no `taskset`");
    }
    is_possible
}

/// The server on the first core; from then on this process is on the second.
fn start_apart(data: &Path) -> Program {
    let binary = kith();
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(binary.get_program());
    let changes = binary.get_envs();
    for (name, _) in changes.filter(|(_, value)| value.is_none()) {
        command.env_remove(name);
    }
    let program = Program::start_as(command, data, Stdio::null());
    let own = std::process::id().to_string();
    let mut pin = Command::new("taskset");
    pin.args(["-a", "-c", "-p", "1", &own])
        .stdout(Stdio::null());
    assert!(pin.status().unwrap().success());
    program
}

/// Microseconds of processor time that the server takes for each of some calls.
fn cost(program: &Program, calls: impl FnOnce() -> u64) -> f64 {
    let before = program.processor_time();
    let count = calls();
    let taken = program.processor_time().checked_sub(before).unwrap();
    taken.as_secs_f64() * 1e6 / exact(count.max(1))
}

fn connections(long: Option<u64>) -> usize {
    if long.is_some() { CROWD } else { SMALL_CROWD }
}

/// The requests that the server answers per second, as many at the same time as it works on.
fn measure<'a>(program: &Program, cookie: &'a str, long: Option<u64>) -> (Load<'a>, f64) {
    let mut full = Load::new(program.address, cookie, "full");
    full.time = Duration::from_secs(long.unwrap_or(0).div_ceil(10).max(2));
    // The short form sends no more at the same time than are worked on.
    full.most = if long.is_some() { FULL } else { 2 };
    let mut rate = 0.0;
    let cost = cost(program, || {
        rate = full.run(connections(long));
        full.done()
    });
    println!("{rate:.0} requests per second at capacity, {cost:.1} µs of processor time each");
    (full, rate)
}

/// Offers a multiple of the capacity. Returns the load and the part of the capacity that was served.
fn crowd<'a>(
    program: &Program,
    cookie: &'a str,
    name: &'a str,
    (times, time, connections): (f64, Duration, usize),
    capacity: f64,
) -> (Load<'a>, f64) {
    let mut crowd = Load::new(program.address, cookie, name);
    (crowd.time, crowd.rate) = (time, Some(capacity * times));
    let mut goodput = 0.0;
    let cost = cost(program, || {
        goodput = crowd.run(connections);
        crowd.sent
    });
    let offered = crowd.sent + crowd.turned_away;
    let part = |count: u64| exact(count) * 100.0 / exact(offered);
    println!(
        "{:.1} times the capacity offered: {:.0} % of it served; {} ms at the 99th percentile; of all requests {:.1} % \
         were rejected and {:.1} % found no connection; {:.1} % of feeds and searches rejected, {:.1} % of posts; \
         {cost:.1} µs of processor time for each that was sent",
        exact(offered) / time.as_secs_f64() / capacity,
        goodput / capacity * 100.0,
        crowd.p99(),
        part(crowd.shed()),
        part(crowd.turned_away),
        crowd.share_shed(Kind::is_browsing) * 100.0,
        crowd.share_shed(|kind| kind == Kind::Post) * 100.0,
    );
    (crowd, goodput / capacity)
}

/// How long it takes until twenty calls in a row are done.
fn recovery(program: &Program, cookie: &str) -> Duration {
    let over = Instant::now();
    let (mut well, mut sent) = (0, 0);
    let names = (0..10_000).map(|number| format!("calm {number}"));
    for name in names {
        let mut calm = Load::new(program.address, cookie, &name);
        calm.time = Duration::from_millis(5);
        // All kinds in their turn, over all of these loads.
        calm.sent = sent;
        calm.run(1);
        sent = calm.sent;
        well = if calm.shed() == 0 {
            well + calm.done()
        } else {
            0
        };
        if well >= 20 {
            return over.elapsed();
        }
        assert!(
            over.elapsed() < Duration::from_secs(30),
            "it does not recover"
        );
    }
    panic!("it does not recover");
}

/// Under far more requests than the server can answer, rejected ones get 503 and a time to come back, feeds and searches
/// more than writes and logins; what was acknowledged is stored; and afterwards everything is answered again.
/// `cargo xtask prove overload --release` takes minutes, gives server and load generator a core each, and fails when
/// less is served than [`TARGETS`] say, which is only meaningful on a quiet machine.
/// proves: busy-overload
#[test]
fn ten_times_too_much_is_survived() {
    let long = std::env::var("KITH_PROOF_ROUNDS").ok();
    let long = long.map(|seconds| seconds.parse::<u64>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let is_apart = long.is_some() && has_two_cores();
    let mut program = match long {
        Some(_) if is_apart => start_apart(folder.path()),
        Some(_) => Program::start(folder.path()),
        // The short form must be too much for a machine of any size.
        None => Program::start_with(folder.path(), &["--in-flight=2"]),
    };
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let seconds = long.unwrap_or(3);

    let (full, capacity) = measure(&program, &cookie, long);
    let mut misses = Vec::new();
    let mut loads = vec![full];
    let (mut browsing, mut posts) = (0.0, 0.0);
    let names = ["a", "b", "c", "d", "e"];
    let skipped = if long.is_some() { 0 } else { TARGETS.len() - 1 };
    for ((times, target), name) in TARGETS.into_iter().zip(names).skip(skipped) {
        let time = Duration::from_secs(seconds.div_ceil(5).max(3));
        let load = (times, time, connections(long));
        let (load, served) = crowd(&program, &cookie, name, load, capacity);
        let p99 = load.p99();
        if served < target || p99 >= MAX_P99 {
            misses.push(format!(
                "{served:.2} served and {p99} ms at {times} times the capacity, {target} wanted"
            ));
        }
        browsing = load.share_shed(Kind::is_browsing);
        // Links to log in are also rejected because too many mails wait.
        posts = load.share_shed(|kind| kind == Kind::Post);
        loads.push(load);
    }
    let recovered = recovery(&program, &cookie);
    let memory = program.most_memory();
    println!(
        "{} MiB; all is answered again after {} ms",
        memory >> 20,
        recovered.as_millis()
    );
    assert!(browsing > 0.0, "this was no overload");
    assert!(browsing > posts, "feeds and searches must go first");
    assert!(memory < MEMORY);
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = stored(&open(folder.path()));
    for content in loads.into_iter().flat_map(|load| load.acknowledged) {
        assert_eq!(stored.get(&content), Some(&1), "{content} was acknowledged");
    }
    if long.is_some() {
        assert!(recovered < MAX_RECOVERY);
    }
    if is_apart {
        assert!(misses.is_empty(), "{misses:#?}");
    }
}
