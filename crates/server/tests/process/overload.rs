//! More requests than the server can handle.

#![cfg(target_os = "linux")]

use crate::callers::{Kind, Load, to_f64};
use crate::program::{Program, kith};
use crate::proof::{count_posts, open_database};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Requests in flight while the capacity is measured over the connections of the overload: as many
/// as one core handles. Over fewer connections each request is cheaper than in the overload.
const IN_FLIGHT: usize = 32;
/// Connections of the overload. A request due while all of them wait for a response counts as
/// offered, but is not sent.
const CONNECTIONS: usize = 2_000;
/// Connections of the short form: more than may queue while two requests are handled.
const FEW_CONNECTIONS: usize = 800;
/// Loads as multiples of the capacity, each with the fraction of the capacity that must be served.
/// The short form offers only the last one.
const TARGETS: [(f64, f64); 5] = [(1.5, 0.9), (2.0, 0.9), (3.0, 0.8), (5.0, 0.6), (10.0, 0.6)];
const MAX_P99: u64 = 1_000;
const MAX_RECOVERY: Duration = Duration::from_secs(5);
/// Memory limit of the server in bytes, including queued requests.
const MEMORY: u64 = 1 << 30;

/// Returns whether server and load generator can each have a core; on a shared core the load
/// generator distorts the measurement.
fn has_two_cores() -> bool {
    let cores = std::thread::available_parallelism().unwrap().get();
    let pins = Command::new("taskset").arg("--version").output().is_ok();
    let is_possible = cores > 1 && pins;
    if !is_possible {
        eprintln!(
            "the load generator competes with the server: there is only one core, or no `taskset`"
        );
    }
    is_possible
}

/// Starts the server on the first core and pins this process to the second.
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
    pin.args(["-a", "-c", "-p", "1", &own]).stdout(Stdio::null());
    assert!(pin.status().unwrap().success());
    program
}

/// Returns the server's CPU time per request in microseconds.
fn cpu_per_request(program: &Program, requests: impl FnOnce() -> u64) -> f64 {
    let before = program.processor_time();
    let count = requests();
    let used = program.processor_time().checked_sub(before).unwrap();
    used.as_secs_f64() * 1e6 / to_f64(count.max(1))
}

fn connections(long: Option<u64>) -> usize {
    if long.is_some() { CONNECTIONS } else { FEW_CONNECTIONS }
}

/// Returns the requests served per second at the in-flight limit.
fn measure<'a>(program: &Program, cookie: &'a str, long: Option<u64>) -> (Load<'a>, f64) {
    let mut full = Load::new(program.address, cookie, "full");
    full.time = Duration::from_secs(long.unwrap_or(0).div_ceil(10).max(2));
    // The short form sends no more concurrently than the in-flight limit.
    full.max_in_flight = if long.is_some() { IN_FLIGHT } else { 2 };
    let mut rate = 0.0;
    let per_request = cpu_per_request(program, || {
        rate = full.run(connections(long));
        full.done()
    });
    println!(
        "{rate:.0} requests per second at capacity, {per_request:.1} µs of processor time each"
    );
    (full, rate)
}

/// Offers a multiple of the capacity. Returns the load and the fraction of the capacity that was
/// served.
fn offer_load<'a>(
    program: &Program,
    cookie: &'a str,
    name: &'a str,
    (times, time, connections): (f64, Duration, usize),
    capacity: f64,
) -> (Load<'a>, f64) {
    let mut load = Load::new(program.address, cookie, name);
    (load.time, load.rate) = (time, Some(capacity * times));
    let mut goodput = 0.0;
    let per_request = cpu_per_request(program, || {
        goodput = load.run(connections);
        load.sent
    });
    let offered = load.sent + load.not_sent;
    let part = |count: u64| to_f64(count) * 100.0 / to_f64(offered);
    println!(
        "{:.1} times the capacity offered: {:.0} % of it served; {} ms at the 99th percentile; of all requests {:.1} % \
         were rejected and {:.1} % found no connection; {:.1} % of feeds and searches rejected, {:.1} % of posts; \
         {per_request:.1} µs of processor time for each that was sent",
        to_f64(offered) / time.as_secs_f64() / capacity,
        goodput / capacity * 100.0,
        load.p99(),
        part(load.shed()),
        part(load.not_sent),
        load.shed_fraction(Kind::is_browsing) * 100.0,
        load.shed_fraction(|kind| kind == Kind::Post) * 100.0,
    );
    (load, goodput / capacity)
}

/// Returns the time until twenty consecutive requests are served.
fn recovery(program: &Program, cookie: &str) -> Duration {
    let over = Instant::now();
    let (mut well, mut sent) = (0, 0);
    let names = (0..10_000).map(|number| format!("calm {number}"));
    for name in names {
        let mut calm = Load::new(program.address, cookie, &name);
        calm.time = Duration::from_millis(5);
        // Cycles through all kinds, across these loads.
        calm.sent = sent;
        calm.run(1);
        sent = calm.sent;
        well = if calm.shed() == 0 { well + calm.done() } else { 0 };
        if well >= 20 {
            return over.elapsed();
        }
        assert!(over.elapsed() < Duration::from_secs(30), "the server does not recover");
    }
    panic!("the server does not recover");
}

/// Under overload, feeds and searches are shed more often than writes, with 503 and `Retry-After`;
/// acknowledged posts are stored, and the server recovers. `cargo xtask prove overload --release`
/// also enforces [`TARGETS`], which takes minutes and a quiet machine.
/// proves: busy-overload
#[test]
fn a_tenfold_overload_is_survived() {
    let long = std::env::var("KITH_PROOF_ROUNDS").ok();
    let long = long.map(|seconds| seconds.parse::<u64>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let is_apart = long.is_some() && has_two_cores();
    let mut program = match long {
        Some(_) if is_apart => start_apart(folder.path()),
        Some(_) => Program::start(folder.path()),
        // The short form must overload a machine of any size.
        None => Program::start_with(folder.path(), &["--in-flight=2"]),
    };
    let printed = program.read_line();
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
        let (load, served) = offer_load(&program, &cookie, name, load, capacity);
        let p99 = load.p99();
        if served < target || p99 >= MAX_P99 {
            misses.push(format!(
                "{served:.2} served and {p99} ms at {times} times the capacity, {target} wanted"
            ));
        }
        browsing = load.shed_fraction(Kind::is_browsing);
        // Login links are also rejected because of the mail queue limit.
        posts = load.shed_fraction(|kind| kind == Kind::Post);
        loads.push(load);
    }
    let recovered = recovery(&program, &cookie);
    let memory = program.peak_memory();
    println!(
        "{} MiB; all requests are served again after {} ms",
        memory >> 20,
        recovered.as_millis()
    );
    assert!(browsing > 0.0, "this was no overload");
    assert!(browsing > posts, "feeds and searches must be shed first");
    assert!(memory < MEMORY);
    program.signal("TERM");
    assert!(program.wait().success());
    let stored = count_posts(&open_database(folder.path()));
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
