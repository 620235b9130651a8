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
/// Connections of the overload: more than are worked on and wait.
const CROWD: usize = 400;
/// The largest load, as a multiple of the capacity.
const TIMES: f64 = 10.0;
/// Smaller loads of the long form, and the part of the capacity that must be served under each.
const TARGETS: [(f64, f64); 4] = [(1.5, 0.9), (2.0, 0.9), (3.0, 0.8), (5.0, 0.6)];
/// Under the largest load, the part that must be served of what the cost of the rejections leaves.
const OF_ARITHMETIC: f64 = 0.9;
const MAX_P99: u64 = 1_000;
const MAX_RECOVERY: Duration = Duration::from_secs(5);
/// Posts that hold all permits of one core.
const HELD: usize = 60;
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

/// Microseconds of processor time of a rejection: another program locks the database, so that posts hold every permit
/// and more feeds come than may wait.
fn cost_of_rejection(program: &Program, cookie: &str, data: &Path) -> f64 {
    let database = rusqlite::Connection::open(data.join("kith.db")).unwrap();
    database.execute_batch("begin immediate").unwrap();
    let address = program.address;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut posts = Load::new(address, cookie, "held");
            (posts.time, posts.kind) = (Duration::from_secs(4), |_| Kind::Post);
            posts.run(HELD)
        });
        std::thread::sleep(Duration::from_millis(500));
        let cost = cost(program, || {
            let mut feeds = Load::new(address, cookie, "feeds");
            (feeds.time, feeds.kind) = (Duration::from_secs(1), |_| Kind::Feed);
            feeds.run(CROWD);
            assert_eq!(feeds.done(), 0, "all of them should be rejected");
            feeds.shed()
        });
        database.execute_batch("rollback").unwrap();
        cost
    })
}

/// What is known of the server without an overload.
#[derive(Clone, Copy)]
struct Capacity {
    /// Requests per second.
    rate: f64,
    /// Cost of a rejection as a part of the cost of a request, if it was measured.
    rejection: Option<f64>,
}

impl Capacity {
    /// The part of the capacity that is left when so many times as much is offered: of the `times` requests those
    /// that are not served cost a rejection each.
    fn left(self, times: f64) -> Option<f64> {
        self.rejection
            .map(|part| ((1.0 - times * part) / (1.0 - part)).clamp(0.0, 1.0))
    }
}

/// Measures the capacity, and the cost of a rejection if server and load generator have a core each.
fn measure<'a>(
    program: &Program,
    cookie: &'a str,
    data: &Path,
    (long, is_apart): (Option<u64>, bool),
) -> (Load<'a>, Capacity) {
    let mut full = Load::new(program.address, cookie, "full");
    full.time = Duration::from_secs(long.unwrap_or(0).div_ceil(10).max(2));
    // The short form sends no more at the same time than are worked on.
    full.most = if long.is_some() { FULL } else { 2 };
    let mut capacity = Capacity {
        rate: 0.0,
        rejection: None,
    };
    let done_cost = cost(program, || {
        capacity.rate = full.run(CROWD);
        full.done()
    });
    if is_apart {
        let rejection = cost_of_rejection(program, cookie, data);
        capacity.rejection = Some(rejection / done_cost);
        println!(
            "{:.0} requests per second at capacity, {done_cost:.1} µs of processor time each; {rejection:.1} µs for a rejection",
            capacity.rate
        );
    }
    (full, capacity)
}

/// Offers a multiple of the capacity. Returns the load, how many times as much was really offered, and the part of the
/// capacity that was served.
fn crowd<'a>(
    program: &Program,
    cookie: &'a str,
    name: &'a str,
    (times, time): (f64, Duration),
    capacity: Capacity,
) -> (Load<'a>, f64, f64) {
    let mut crowd = Load::new(program.address, cookie, name);
    (crowd.time, crowd.rate) = (time, Some(capacity.rate * times));
    let mut goodput = 0.0;
    let cost = cost(program, || {
        goodput = crowd.run(CROWD);
        crowd.sent
    });
    let offered = exact(crowd.sent) / time.as_secs_f64() / capacity.rate;
    let served = goodput / capacity.rate;
    println!(
        "{offered:.1} times the capacity offered: {:.0} % of it served, where arithmetic leaves {:.0} %; {} ms at the \
         99th percentile; {:.1} % of feeds and searches shed, {:.1} % of writes and logins; {cost:.1} µs of \
         processor time for each request",
        served * 100.0,
        capacity.left(offered).unwrap_or(f64::NAN) * 100.0,
        crowd.p99(),
        crowd.share_shed(Kind::is_browsing) * 100.0,
        crowd.share_shed(|kind| !kind.is_browsing()) * 100.0,
    );
    (crowd, offered, served)
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

    let (full, capacity) = measure(&program, &cookie, folder.path(), (long, is_apart));
    let mut misses = Vec::new();
    let mut loads = vec![full];
    let names = ["a", "b", "c", "d"];
    for ((times, target), name) in TARGETS.into_iter().zip(names).filter(|_| long.is_some()) {
        let time = Duration::from_secs(seconds.div_ceil(15));
        let (load, offered, served) = crowd(&program, &cookie, name, (times, time), capacity);
        // A load generator that is too slow to overload the server proves nothing.
        if served < target || offered < times.min(2.0) * 0.9 || load.p99() >= MAX_P99 {
            misses.push(format!(
                "{served:.2} served and {} ms at {offered:.2} of {times} times the capacity, {target} wanted",
                load.p99()
            ));
        }
        loads.push(load);
    }
    let times = (TIMES, Duration::from_secs(seconds));
    let (load, offered, served) = crowd(&program, &cookie, "crowd", times, capacity);
    let recovered = recovery(&program, &cookie);
    let browsing = load.share_shed(Kind::is_browsing);
    let other = load.share_shed(|kind| !kind.is_browsing());
    let (p99, memory) = (load.p99(), program.most_memory());
    println!(
        "{} MiB; all is answered again after {} ms",
        memory >> 20,
        recovered.as_millis()
    );
    if served < capacity.left(offered).unwrap_or(0.0) * OF_ARITHMETIC {
        misses.push(format!(
            "{served:.2} served at {offered:.1} times the capacity"
        ));
    }
    assert!(browsing > 0.0, "this was no overload");
    assert!(browsing > other, "feeds and searches must go first");
    assert!(memory < MEMORY);
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = stored(&open(folder.path()));
    loads.push(load);
    for content in loads.into_iter().flat_map(|load| load.acknowledged) {
        assert_eq!(stored.get(&content), Some(&1), "{content} was acknowledged");
    }
    if long.is_some() {
        assert!(p99 < MAX_P99 && recovered < MAX_RECOVERY);
    }
    if is_apart {
        assert!(misses.is_empty(), "{misses:#?}");
    }
}
