//! Ten times as many calls as the server can answer.

#![cfg(target_os = "linux")]

use crate::callers::{Kind, Load, exact};
use crate::program::{Program, kith};
use crate::proof::{open, stored};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Calls under way at once while the server is asked for all it can do.
const FULL: usize = 16;
/// Calls under way at once in the overload: more than work and wait.
const CROWD: usize = 400;
/// How many times more is offered than can be done.
const TIMES: f64 = 10.0;
/// The same, in the long form, to see up to where most of it goes on.
const LESS: [f64; 4] = [1.5, 2.0, 3.0, 5.0];
/// Posts that keep the places of one core and as many more waiting as feeds may not join, and are not refused.
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

/// What a refusal costs, with nothing else under way: another program holds the database, so that posts
/// keep every place and more of them wait than feeds may.
fn cost_of_refusal(program: &Program, cookie: &str, data: &Path) -> f64 {
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
            feeds.run(FULL);
            assert_eq!(feeds.done(), 0, "these were to be refused");
            feeds.shed()
        });
        database.execute_batch("rollback").unwrap();
        cost
    })
}

/// Offers so many times what can be done, and says what came of it.
fn crowd<'a>(
    program: &Program,
    cookie: &'a str,
    name: &'a str,
    times: f64,
    sustainable: f64,
    time: Duration,
) -> (Load<'a>, f64) {
    let mut crowd = Load::new(program.address, cookie, name);
    (crowd.time, crowd.rate) = (time, Some(sustainable * times));
    let mut goodput = 0.0;
    let cost = cost(program, || {
        goodput = crowd.run(CROWD);
        crowd.sent
    });
    println!(
        "{:.1} times as much was offered: {:.0} calls a second; {goodput:.0} done, which is {:.0} %, \
         {} ms at the 99th percentile; {cost:.1} µs of processor time each",
        exact(crowd.sent) / time.as_secs_f64() / sustainable,
        exact(crowd.sent) / time.as_secs_f64(),
        goodput / sustainable * 100.0,
        crowd.p99(),
    );
    (crowd, goodput)
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

/// Far more than can be done: what is refused is refused with 503 and a time to come back, feeds and
/// searches before writes and logins; what was acknowledged is there; and afterwards all is as before.
/// `cargo xtask prove overload --release` takes minutes, gives server and callers a core each, and holds the
/// figures against what is promised, which only says something on a machine that does nothing else.
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

    let mut full = Load::new(program.address, &cookie, "full");
    full.time = Duration::from_secs(seconds.div_ceil(10).max(2));
    let mut sustainable = 0.0;
    let done_cost = cost(&program, || {
        // The short form asks no more at once than may be under way.
        sustainable = full.run(if long.is_some() { FULL } else { 2 });
        full.done()
    });
    let mut loads = Vec::new();
    if long.is_some() {
        println!(
            "{sustainable:.0} calls a second can be done, {done_cost:.1} µs of processor time each"
        );
        if is_apart {
            let refusal = cost_of_refusal(&program, &cookie, folder.path());
            println!("a refusal takes {refusal:.1} µs of processor time");
        }
        for times in LESS {
            let time = Duration::from_secs(seconds.div_ceil(15));
            let name = ["a", "b", "c", "d"][loads.len()];
            loads.push(crowd(&program, &cookie, name, times, sustainable, time).0);
        }
    }
    let time = Duration::from_secs(seconds);
    let (load, _) = crowd(&program, &cookie, "crowd", TIMES, sustainable, time);
    let recovered = recovery(&program, &cookie);
    let browsing = load.share_shed(Kind::is_browsing);
    let other = load.share_shed(|kind| !kind.is_browsing());
    let (p99, memory) = (load.p99(), program.most_memory());
    println!(
        "{:.1} % of feeds and searches shed, {:.1} % of writes and logins; {} MiB; well again after {} ms",
        browsing * 100.0,
        other * 100.0,
        memory >> 20,
        recovered.as_millis()
    );
    assert!(browsing > 0.0, "this was no overload");
    assert!(browsing > other, "feeds and searches must go first");
    assert!(memory < MEMORY);
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = stored(&open(folder.path()));
    loads.extend([full, load]);
    for content in loads.into_iter().flat_map(|load| load.acknowledged) {
        assert_eq!(stored.get(&content), Some(&1), "{content} was acknowledged");
    }
    if long.is_some() {
        assert!(p99 < 1_000 && recovered < Duration::from_secs(5));
    }
}
