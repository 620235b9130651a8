//! Ten times as many calls as the server can answer.

#![cfg(target_os = "linux")]

use crate::program::Program;
use crate::proof::{open, stored};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Calls under way at once while the server is asked for all it can do.
const FULL: usize = 16;
/// Calls under way at once in the overload: more than work and wait.
const CROWD: usize = 400;
/// How many times more is offered than can be done.
const TIMES: f64 = 10.0;
/// What the server may take of memory, with all that waits.
const MEMORY: u64 = 1 << 30;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Feed,
    Search,
    Post,
    Login,
}

impl Kind {
    /// Of twenty calls 13 are feeds, 2 searches, 4 posts, and one asks for a login link.
    fn of(number: u64) -> Self {
        match number % 20 {
            3 | 8 | 13 | 18 => Self::Post,
            5 | 15 => Self::Search,
            10 => Self::Login,
            _ => Self::Feed,
        }
    }

    fn is_browsing(self) -> bool {
        matches!(self, Self::Feed | Self::Search)
    }
}

/// What came of the calls of one kind.
#[derive(Debug, Default)]
struct Tally {
    done: u64,
    shed: u64,
    /// Milliseconds from the sending of a call to its answer, of those that were done.
    times: Vec<u64>,
}

/// A load and what came of it.
struct Load<'a> {
    address: SocketAddr,
    cookie: &'a str,
    name: &'a str,
    /// Calls a second, evenly; `None`: each as soon as the one before was answered.
    rate: Option<f64>,
    time: Duration,
    next: AtomicU64,
    tallies: Mutex<BTreeMap<Kind, Tally>>,
    acknowledged: Mutex<Vec<String>>,
}

impl<'a> Load<'a> {
    fn new(program: &Program, cookie: &'a str, name: &'a str) -> Self {
        Self {
            address: program.address,
            cookie,
            name,
            rate: None,
            time: Duration::ZERO,
            next: AtomicU64::new(0),
            tallies: Mutex::default(),
            acknowledged: Mutex::default(),
        }
    }

    /// Calls from so many connections for so long; answers how many calls a second were done.
    fn run(&self, connections: usize) -> f64 {
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..connections {
                let thread = std::thread::Builder::new().stack_size(256 << 10);
                thread.spawn_scoped(scope, || self.call(begun)).unwrap();
            }
        });
        let done: u64 = self
            .tallies
            .lock()
            .unwrap()
            .values()
            .map(|one| one.done)
            .sum();
        exact(done) / begun.elapsed().as_secs_f64()
    }

    fn call(&self, begun: Instant) {
        let mut connection = None;
        loop {
            let number = self.next.fetch_add(1, SeqCst);
            let due = self.rate.map_or_else(
                || begun.elapsed(),
                |rate| Duration::from_secs_f64(exact(number) / rate),
            );
            if due >= self.time || begun.elapsed() >= self.time {
                return;
            }
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
            let (kind, text) = (Kind::of(number), format!("{} {number}", self.name));
            // From the sending on: when no connection is free the caller is late, and not the server.
            let sent = Instant::now();
            let (status, head) = self.ask(&mut connection, kind, &text);
            let took = sent.elapsed();
            let mut tallies = self.tallies.lock().unwrap();
            let tally = tallies.entry(kind).or_default();
            match status {
                200 | 201 => {
                    tally.done += 1;
                    tally.times.push(took.as_millis().try_into().unwrap());
                }
                503 => {
                    assert!(head.contains("retry-after: "), "{head}");
                    tally.shed += 1;
                }
                _ => panic!("{kind:?}: {status} {head}"),
            }
            drop(tallies);
            if status == 201 && kind == Kind::Post {
                self.acknowledged.lock().unwrap().push(text);
            }
        }
    }

    /// One call on a connection that is kept.
    fn ask(&self, kept: &mut Option<Connection>, kind: Kind, text: &str) -> (u16, String) {
        let (line, body) = match kind {
            Kind::Feed => ("GET /api/posts/feed?limit=20", String::new()),
            Kind::Search => ("GET /api/users/search?q=fo", String::new()),
            Kind::Post => ("POST /api/posts", format!("{{\"content\":\"{text}\"}}")),
            Kind::Login => {
                let email = format!("{}@example.org", text.replace(' ', "-"));
                (
                    "POST /api/auth/request-login-link",
                    format!("{{\"email\":\"{email}\"}}"),
                )
            }
        };
        // Who asks for a link has no session.
        let cookie = if kind == Kind::Login { "" } else { self.cookie };
        let request = format!(
            "{line} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n{cookie}content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        let connection = kept.get_or_insert_with(|| Connection::open(self.address));
        let (status, head) = connection.send(&request).unwrap();
        if head.contains("connection: close") {
            *kept = None;
        }
        (status, head)
    }

    /// Of all calls whose kind is such, the share that was shed.
    fn share_shed(&self, is_meant: impl Fn(Kind) -> bool) -> f64 {
        let tallies = self.tallies.lock().unwrap();
        let meant = tallies.iter().filter(|(kind, _)| is_meant(**kind));
        let (shed, all) = meant.fold((0, 0), |(shed, all), (_, one)| {
            (shed + one.shed, all + one.shed + one.done)
        });
        exact(shed) / exact(all.max(1))
    }

    /// Milliseconds in which 99 of 100 calls were done.
    fn p99(&self) -> u64 {
        let tallies = self.tallies.lock().unwrap();
        let mut times: Vec<u64> = tallies.values().flat_map(|one| one.times.clone()).collect();
        times.sort_unstable();
        times
            .get(times.len() * 99 / 100)
            .copied()
            .unwrap_or_default()
    }
}

/// No count here is beyond four thousand million.
fn exact(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

/// A kept connection.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        Self(BufReader::new(stream))
    }

    /// Sends a request; answers status and head.
    fn send(&mut self, request: &str) -> std::io::Result<(u16, String)> {
        self.0.get_mut().write_all(request.as_bytes())?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.0.read_line(&mut head)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.unwrap().parse().unwrap()];
        self.0.read_exact(&mut body)?;
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Ok((status, head))
    }
}

/// Far more than can be done: what is refused is refused with 503 and a time to come back, feeds and
/// searches before writes and logins; what was acknowledged is there; and afterwards all is as before.
/// `cargo xtask prove overload` takes minutes and holds the figures against what is promised, which
/// only says something on a machine that does nothing else.
/// proves: busy-overload
#[test]
fn ten_times_too_much_is_survived() {
    let long = std::env::var("KITH_PROOF_ROUNDS").ok();
    let long = long.map(|seconds| seconds.parse::<u64>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    // The short form must be too much for a machine of any size.
    let settings: &[&str] = if long.is_some() {
        &[]
    } else {
        &["--in-flight=2"]
    };
    let mut program = Program::start_with(folder.path(), settings);
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let seconds = long.unwrap_or(3);

    let mut full = Load::new(&program, &cookie, "full");
    full.time = Duration::from_secs(seconds.div_ceil(10).max(2));
    // The short form asks no more at once than may be under way.
    let sustainable = full.run(if long.is_some() { FULL } else { 2 });

    let mut crowd = Load::new(&program, &cookie, "crowd");
    crowd.time = Duration::from_secs(seconds);
    crowd.rate = Some(sustainable * TIMES);
    let goodput = crowd.run(CROWD);
    let over = Instant::now();
    let calm = Load::new(&program, &cookie, "calm");
    let (mut connection, mut well) = (None, 0);
    while well < 20 {
        assert!(
            over.elapsed() < Duration::from_secs(30),
            "it does not recover"
        );
        let (status, _) = calm.ask(&mut connection, Kind::of(well), &format!("calm {well}"));
        well = if status < 300 { well + 1 } else { 0 };
    }
    let recovered = over.elapsed();

    let (browsing, other) = (
        crowd.share_shed(Kind::is_browsing),
        crowd.share_shed(|kind| !kind.is_browsing()),
    );
    let (p99, memory) = (crowd.p99(), program.most_memory());
    let offered = exact(crowd.next.load(SeqCst)) / crowd.time.as_secs_f64();
    println!(
        "{sustainable:.0} calls a second can be done; {offered:.0} were offered for {seconds} s: {goodput:.0} done, \
         {p99} ms at the 99th percentile; {:.1} % of feeds and searches shed, {:.1} % of writes and logins; \
         {} MiB; well again after {} ms",
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
    for load in [full, crowd] {
        for content in load.acknowledged.into_inner().unwrap() {
            assert_eq!(stored.get(&content), Some(&1), "{content} was acknowledged");
        }
    }
    if long.is_some() {
        assert!(
            goodput >= 0.9 * sustainable,
            "{goodput:.0} of {sustainable:.0}"
        );
        assert!(p99 < 1_000 && recovered < Duration::from_secs(5));
    }
}
