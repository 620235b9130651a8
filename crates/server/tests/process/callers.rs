//! A load generator that costs little: one thread sends requests over many connections.

#![cfg(target_os = "linux")]

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};
use rustix::fd::OwnedFd;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long a connection is kept unused: the server closes it after 10 seconds.
const IDLE: Duration = Duration::from_secs(5);
const NO_TIME: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Feed,
    Search,
    Post,
    Login,
}

impl Kind {
    /// Of twenty calls 13 are feeds, 2 searches, 4 posts, and one asks for a login link.
    pub(crate) fn of(number: u64) -> Self {
        match number % 20 {
            3 | 8 | 13 | 18 => Self::Post,
            5 | 15 => Self::Search,
            10 => Self::Login,
            _ => Self::Feed,
        }
    }

    pub(crate) fn is_browsing(self) -> bool {
        matches!(self, Self::Feed | Self::Search)
    }
}

/// What came of the calls of one kind.
#[derive(Debug, Default)]
struct Tally {
    done: u64,
    shed: u64,
    /// Milliseconds from a request to its response, of those that were served while the load went on.
    times: Vec<u64>,
}

/// A load, and what came of it.
pub(crate) struct Load<'a> {
    address: SocketAddr,
    cookie: &'a str,
    name: &'a str,
    /// Calls a second, evenly; `None`: each as soon as a connection is free.
    pub(crate) rate: Option<f64>,
    /// Requests under way at the same time, over all connections.
    pub(crate) most: usize,
    pub(crate) time: Duration,
    /// Ends it before its time.
    pub(crate) is_over: Option<&'a AtomicBool>,
    /// What is asked, by the number of the call.
    pub(crate) kind: fn(u64) -> Kind,
    /// Calls that were sent.
    pub(crate) sent: u64,
    /// Calls that were due while the server answered none of the connections.
    pub(crate) turned_away: u64,
    tallies: BTreeMap<Kind, Tally>,
    pub(crate) acknowledged: Vec<String>,
}

impl<'a> Load<'a> {
    pub(crate) fn new(address: SocketAddr, cookie: &'a str, name: &'a str) -> Self {
        Self {
            address,
            cookie,
            name,
            rate: None,
            most: usize::MAX,
            time: Duration::ZERO,
            is_over: None,
            kind: Kind::of,
            sent: 0,
            turned_away: 0,
            tallies: BTreeMap::new(),
            acknowledged: Vec::new(),
        }
    }

    /// Sends requests over that many connections; returns how many were served per second while they were sent.
    pub(crate) fn run(&mut self, connections: usize) -> f64 {
        let mut files = getrlimit(Resource::Nofile);
        files.current = files.maximum;
        setrlimit(Resource::Nofile, files).unwrap();
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC).unwrap();
        let mut all = (0..connections)
            .map(|number| Connection::open(self.address, &poll, number))
            .collect::<Vec<_>>();
        let mut idle = (0..connections).collect::<VecDeque<_>>();
        let mut events = Vec::with_capacity(connections);
        let begun = Instant::now();
        let mut moved = begun;
        let mut served = None;
        while self.goes_on(begun) || idle.len() < connections {
            while self.goes_on(begun)
                && self.is_due(begun.elapsed())
                && connections - idle.len() < self.most
            {
                let Some(number) = idle.pop_front() else {
                    if self.rate.is_none() {
                        break;
                    }
                    self.turned_away += 1;
                    continue;
                };
                if all[number].since.elapsed() > IDLE {
                    all[number] = Connection::open(self.address, &poll, number);
                }
                all[number].send(self.next());
                moved = Instant::now();
            }
            epoll::wait(&poll, spare_capacity(&mut events), Some(&NO_TIME)).unwrap();
            for event in events.drain(..) {
                let number = usize::try_from(event.data.u64()).unwrap();
                let connection = &mut all[number];
                if connection.is_answered() {
                    self.note(connection, self.goes_on(begun));
                    if connection.closes {
                        *connection = Connection::open(self.address, &poll, number);
                    }
                    connection.since = Instant::now();
                    idle.push_back(number);
                    moved = connection.since;
                }
            }
            if !self.goes_on(begun) {
                served.get_or_insert_with(|| exact(self.done()) / begun.elapsed().as_secs_f64());
            }
            let quiet = moved.elapsed();
            assert!(quiet < Duration::from_secs(30), "no answer comes");
            if quiet > Duration::from_micros(20) {
                std::thread::sleep(Duration::from_micros(20));
            }
        }
        served.unwrap_or_default()
    }

    fn goes_on(&self, begun: Instant) -> bool {
        let is_over = self.is_over.is_some_and(|over| over.load(Relaxed));
        begun.elapsed() < self.time && !is_over
    }

    fn is_due(&self, elapsed: Duration) -> bool {
        let due = self.rate.map(|rate| elapsed.as_secs_f64() * rate);
        due.is_none_or(|due| exact(self.sent + self.turned_away) <= due)
    }

    /// The next call.
    fn next(&mut self) -> Call {
        let number = self.sent;
        self.sent += 1;
        let kind = (self.kind)(number);
        let text = format!("{} {number}", self.name);
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
        Call {
            kind,
            text,
            request,
            sent: Instant::now(),
        }
    }

    fn note(&mut self, connection: &Connection, is_timed: bool) {
        let Some(call) = &connection.call else {
            return;
        };
        let (kind, took) = (call.kind, call.sent.elapsed());
        let tally = self.tallies.entry(kind).or_default();
        match connection.status() {
            status @ (200 | 201) => {
                tally.done += 1;
                if is_timed {
                    tally.times.push(took.as_millis().try_into().unwrap());
                }
                if status == 201 && kind == Kind::Post {
                    self.acknowledged.push(call.text.clone());
                }
            }
            503 => {
                assert!(connection.has_retry, "{}", connection.head());
                tally.shed += 1;
            }
            status => panic!("{kind:?}: {status} {}", connection.head()),
        }
    }

    /// Calls that were done, and that were refused.
    pub(crate) fn done(&self) -> u64 {
        self.tallies.values().map(|one| one.done).sum()
    }

    pub(crate) fn shed(&self) -> u64 {
        self.tallies.values().map(|one| one.shed).sum()
    }

    /// Of all calls whose kind is such, the share that was shed.
    pub(crate) fn share_shed(&self, is_meant: impl Fn(Kind) -> bool) -> f64 {
        let meant = self.tallies.iter().filter(|(kind, _)| is_meant(**kind));
        let (shed, all) = meant.fold((0, 0), |(shed, all), (_, one)| {
            (shed + one.shed, all + one.shed + one.done)
        });
        exact(shed) / exact(all.max(1))
    }

    /// Milliseconds in which 99 of 100 calls were done.
    pub(crate) fn p99(&self) -> u64 {
        let times = self.tallies.values().flat_map(|one| one.times.clone());
        let mut times = times.collect::<Vec<_>>();
        times.sort_unstable();
        let place = times.len() * 99 / 100;
        times.get(place).copied().unwrap_or_default()
    }
}

/// No count here is beyond four thousand million.
pub(crate) fn exact(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

/// A call that is under way.
struct Call {
    kind: Kind,
    text: String,
    request: String,
    sent: Instant,
}

/// A kept connection.
struct Connection {
    stream: TcpStream,
    /// When it was last used.
    since: Instant,
    call: Option<Call>,
    answer: Vec<u8>,
    /// Whether the response says that the connection ends, and when to come back.
    closes: bool,
    has_retry: bool,
}

impl Connection {
    fn open(address: SocketAddr, poll: &OwnedFd, number: usize) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_nonblocking(true).unwrap();
        let data = epoll::EventData::new_u64(number as u64);
        epoll::add(poll, &stream, data, epoll::EventFlags::IN).unwrap();
        Self {
            stream,
            since: Instant::now(),
            call: None,
            answer: Vec::with_capacity(16_384),
            closes: false,
            has_retry: false,
        }
    }

    /// Sends a call. It is short, and nothing else is on the way.
    fn send(&mut self, call: Call) {
        self.answer.clear();
        self.stream.write_all(call.request.as_bytes()).unwrap();
        self.call = Some(call);
    }

    /// Takes what has come, and says whether that is the whole answer.
    fn is_answered(&mut self) -> bool {
        let mut piece = [0; 16_384];
        loop {
            match self.stream.read(&mut piece) {
                Ok(0) => panic!("hung up after {}", self.head()),
                Ok(length) => self.answer.extend_from_slice(&piece[..length]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => panic!("{error}"),
            }
            if self.is_whole() {
                return true;
            }
        }
        false
    }

    /// Reads the head line by line: searching the bytes is slow where nothing is optimized.
    fn is_whole(&mut self) -> bool {
        let mut rest = self.answer.as_slice();
        let (mut line, mut length) = (Vec::with_capacity(256), 0);
        (self.closes, self.has_retry) = (false, false);
        loop {
            line.clear();
            rest.read_until(b'\n', &mut line).unwrap();
            if !line.ends_with(b"\n") {
                return false;
            }
            if line == b"\r\n" {
                return rest.len() >= length;
            }
            if let Some(value) = line.strip_prefix(b"content-length: ") {
                let value = std::str::from_utf8(value).unwrap();
                length = value.trim_end().parse().unwrap();
            }
            self.closes |= line == b"connection: close\r\n";
            self.has_retry |= line.starts_with(b"retry-after: ");
        }
    }

    fn head(&self) -> String {
        let begin = &self.answer[..self.answer.len().min(2_048)];
        let text = String::from_utf8_lossy(begin);
        text.split("\r\n\r\n").next().unwrap().to_owned()
    }

    fn status(&self) -> u16 {
        String::from_utf8_lossy(&self.answer[9..12])
            .parse()
            .unwrap()
    }
}
