//! A cheap load generator: one thread sends requests over many connections.

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

/// Age after which an idle connection is replaced: the server closes it after 10 seconds.
const IDLE: Duration = Duration::from_secs(5);
const NO_TIME: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Feed,
    Search,
    Post,
    Login,
}

impl Kind {
    /// Chooses the kind by request number: of twenty, 13 feeds, 2 searches, 4 posts and one login
    /// link.
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

/// Results of the requests of one kind.
#[derive(Debug, Default)]
struct Tally {
    done: u64,
    shed: u64,
    /// Latencies in milliseconds of requests served while the load lasted.
    times: Vec<u64>,
}

/// A load and its results.
pub(crate) struct Load<'a> {
    address: SocketAddr,
    cookie: &'a str,
    name: &'a str,
    /// Requests per second, evenly spaced; `None` sends as soon as a connection is free.
    pub(crate) rate: Option<f64>,
    /// Maximum number of requests in flight over all connections.
    pub(crate) max_in_flight: usize,
    pub(crate) time: Duration,
    /// Stops the load early.
    pub(crate) is_over: Option<&'a AtomicBool>,
    /// Chooses the kind of a request by its number.
    pub(crate) kind: fn(u64) -> Kind,
    /// Number of requests sent.
    pub(crate) sent: u64,
    /// Number of requests that were due while all connections waited for a response.
    pub(crate) not_sent: u64,
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
            max_in_flight: usize::MAX,
            time: Duration::ZERO,
            is_over: None,
            kind: Kind::of,
            sent: 0,
            not_sent: 0,
            tallies: BTreeMap::new(),
            acknowledged: Vec::new(),
        }
    }

    /// Sends requests over `connections` connections; returns the number served per second while
    /// they were sent.
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
        let mut last_progress = begun;
        let mut served = None;
        while self.is_running(begun) || idle.len() < connections {
            while self.is_running(begun)
                && self.is_due(begun.elapsed())
                && connections - idle.len() < self.max_in_flight
            {
                let Some(number) = idle.pop_front() else {
                    if self.rate.is_none() {
                        break;
                    }
                    self.not_sent += 1;
                    continue;
                };
                if all[number].since.elapsed() > IDLE {
                    all[number] = Connection::open(self.address, &poll, number);
                }
                all[number].send(self.next());
                last_progress = Instant::now();
            }
            epoll::wait(&poll, spare_capacity(&mut events), Some(&NO_TIME)).unwrap();
            for event in events.drain(..) {
                let number = usize::try_from(event.data.u64()).unwrap();
                let connection = &mut all[number];
                if connection.read_response() {
                    self.record(connection, self.is_running(begun));
                    if connection.closes {
                        *connection = Connection::open(self.address, &poll, number);
                    }
                    connection.since = Instant::now();
                    idle.push_back(number);
                    last_progress = connection.since;
                }
            }
            if !self.is_running(begun) {
                served.get_or_insert_with(|| to_f64(self.done()) / begun.elapsed().as_secs_f64());
            }
            let quiet = last_progress.elapsed();
            assert!(quiet < Duration::from_secs(30), "no response arrives");
            if quiet > Duration::from_micros(20) {
                std::thread::sleep(Duration::from_micros(20));
            }
        }
        served.unwrap_or_default()
    }

    fn is_running(&self, begun: Instant) -> bool {
        let is_over = self.is_over.is_some_and(|over| over.load(Relaxed));
        begun.elapsed() < self.time && !is_over
    }

    fn is_due(&self, elapsed: Duration) -> bool {
        let due = self.rate.map(|rate| elapsed.as_secs_f64() * rate);
        due.is_none_or(|due| to_f64(self.sent + self.not_sent) <= due)
    }

    /// Builds the next request.
    fn next(&mut self) -> Request {
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
                ("POST /api/auth/request-login-link", format!("{{\"email\":\"{email}\"}}"))
            }
        };
        // A login link is requested without a session.
        let cookie = if kind == Kind::Login { "" } else { self.cookie };
        let bytes = format!(
            "{line} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n{cookie}content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        Request { kind, text, bytes, sent: Instant::now() }
    }

    fn record(&mut self, connection: &Connection, is_timed: bool) {
        let Some(request) = &connection.request else {
            return;
        };
        let (kind, took) = (request.kind, request.sent.elapsed());
        let tally = self.tallies.entry(kind).or_default();
        match connection.status() {
            status @ (200 | 201) => {
                tally.done += 1;
                if is_timed {
                    tally.times.push(took.as_millis().try_into().unwrap());
                }
                if status == 201 && kind == Kind::Post {
                    self.acknowledged.push(request.text.clone());
                }
            }
            503 => {
                assert!(connection.has_retry, "{}", connection.head());
                tally.shed += 1;
            }
            status => panic!("{kind:?}: {status} {}", connection.head()),
        }
    }

    /// Counts the requests that were served.
    pub(crate) fn done(&self) -> u64 {
        self.tallies.values().map(|one| one.done).sum()
    }

    pub(crate) fn shed(&self) -> u64 {
        self.tallies.values().map(|one| one.shed).sum()
    }

    /// Returns the fraction of requests of the selected kinds that were shed.
    pub(crate) fn shed_fraction(&self, selects: impl Fn(Kind) -> bool) -> f64 {
        let selected = self.tallies.iter().filter(|(kind, _)| selects(**kind));
        let (shed, all) = selected
            .fold((0, 0), |(shed, all), (_, one)| (shed + one.shed, all + one.shed + one.done));
        to_f64(shed) / to_f64(all.max(1))
    }

    /// Returns the 99th percentile of the latency in milliseconds.
    pub(crate) fn p99(&self) -> u64 {
        let times = self.tallies.values().flat_map(|one| one.times.clone());
        let mut times = times.collect::<Vec<_>>();
        times.sort_unstable();
        let index = times.len() * 99 / 100;
        times.get(index).copied().unwrap_or_default()
    }
}

/// Converts a count that fits into 32 bits.
pub(crate) fn to_f64(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

/// A request in flight.
struct Request {
    kind: Kind,
    text: String,
    bytes: String,
    sent: Instant,
}

/// A kept-alive connection.
struct Connection {
    stream: TcpStream,
    /// When the connection was last used.
    since: Instant,
    request: Option<Request>,
    response: Vec<u8>,
    /// Whether the response closes the connection, and whether it has a `Retry-After`.
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
            request: None,
            response: Vec::with_capacity(16_384),
            closes: false,
            has_retry: false,
        }
    }

    /// Sends a request; it is small, and no other is in flight on this connection.
    fn send(&mut self, request: Request) {
        self.response.clear();
        self.stream.write_all(request.bytes.as_bytes()).unwrap();
        self.request = Some(request);
    }

    /// Reads available bytes; returns whether the response is complete.
    fn read_response(&mut self) -> bool {
        let mut piece = [0; 16_384];
        loop {
            match self.stream.read(&mut piece) {
                Ok(0) => panic!("disconnected after {}", self.head()),
                Ok(length) => self.response.extend_from_slice(&piece[..length]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => panic!("{error}"),
            }
            if self.is_complete() {
                return true;
            }
        }
        false
    }

    /// Parses the head line by line, since a byte search is slow in debug builds.
    fn is_complete(&mut self) -> bool {
        let mut rest = self.response.as_slice();
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
        let begin = &self.response[..self.response.len().min(2_048)];
        let text = String::from_utf8_lossy(begin);
        text.split("\r\n\r\n").next().unwrap().to_owned()
    }

    fn status(&self) -> u16 {
        String::from_utf8_lossy(&self.response[9..12]).parse().unwrap()
    }
}
