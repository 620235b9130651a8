//! Callers that cost little: one thread asks over many connections, without waiting for any of them.

use std::collections::{BTreeMap, VecDeque};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How long a connection is kept unused: the server closes it after 10 seconds.
const IDLE: Duration = Duration::from_secs(5);

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
    /// Milliseconds from the sending of a call to its answer, of those that were done.
    times: Vec<u64>,
}

/// A load, and what came of it.
pub(crate) struct Load<'a> {
    address: SocketAddr,
    cookie: &'a str,
    name: &'a str,
    /// Calls a second, evenly; `None`: each as soon as a connection is free.
    pub(crate) rate: Option<f64>,
    pub(crate) time: Duration,
    /// Ends it before its time.
    pub(crate) is_over: Option<&'a AtomicBool>,
    /// What is asked, by the number of the call.
    pub(crate) kind: fn(u64) -> Kind,
    /// Calls that were sent.
    pub(crate) sent: u64,
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
            time: Duration::ZERO,
            is_over: None,
            kind: Kind::of,
            sent: 0,
            tallies: BTreeMap::new(),
            acknowledged: Vec::new(),
        }
    }

    /// Calls over so many connections for so long; answers how many calls a second were done.
    pub(crate) fn run(&mut self, connections: usize) -> f64 {
        let mut idle = (0..connections)
            .map(|_| (Instant::now(), Connection::open(self.address)))
            .collect::<VecDeque<_>>();
        let mut busy = VecDeque::new();
        let begun = Instant::now();
        while self.goes_on(begun) || !busy.is_empty() {
            let mut has_moved = false;
            while self.goes_on(begun) && self.is_due(begun.elapsed()) {
                // When no connection is free the caller is late, and not the server.
                let Some((since, mut connection)) = idle.pop_front() else {
                    break;
                };
                if since.elapsed() > IDLE {
                    connection = Connection::open(self.address);
                }
                connection.send(self.next());
                busy.push_back(connection);
                has_moved = true;
            }
            for _ in 0..busy.len() {
                let Some(mut connection) = busy.pop_front() else {
                    break;
                };
                if connection.is_answered() {
                    self.note(&connection);
                    idle.push_back((Instant::now(), connection.kept()));
                    has_moved = true;
                } else {
                    busy.push_back(connection);
                }
            }
            if !has_moved {
                std::thread::sleep(Duration::from_micros(20));
            }
        }
        exact(self.done()) / begun.elapsed().as_secs_f64()
    }

    fn goes_on(&self, begun: Instant) -> bool {
        let is_over = self.is_over.is_some_and(|over| over.load(Relaxed));
        begun.elapsed() < self.time && !is_over
    }

    fn is_due(&self, elapsed: Duration) -> bool {
        let due = self.rate.map(|rate| elapsed.as_secs_f64() * rate);
        due.is_none_or(|due| exact(self.sent) <= due)
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

    fn note(&mut self, connection: &Connection) {
        let Some(call) = &connection.call else {
            return;
        };
        let (kind, took) = (call.kind, call.sent.elapsed());
        let tally = self.tallies.entry(kind).or_default();
        match connection.status() {
            status @ (200 | 201) => {
                tally.done += 1;
                tally.times.push(took.as_millis().try_into().unwrap());
                if status == 201 && kind == Kind::Post {
                    self.acknowledged.push(call.text.clone());
                }
            }
            503 => {
                let head = connection.head();
                assert!(head.contains("retry-after: "), "{head}");
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
    address: SocketAddr,
    call: Option<Call>,
    answer: Vec<u8>,
}

impl Connection {
    fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_nonblocking(true).unwrap();
        Self {
            stream,
            address,
            call: None,
            answer: Vec::with_capacity(4_096),
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
        let waits = self.call.as_ref().map(|call| call.sent.elapsed());
        assert!(waits < Some(Duration::from_secs(30)), "no answer comes");
        false
    }

    fn is_whole(&self) -> bool {
        let Some(end) = self.answer.windows(4).position(|four| four == b"\r\n\r\n") else {
            return false;
        };
        let head = String::from_utf8_lossy(&self.answer[..end]);
        let mut lines = head.lines();
        let length = lines.find_map(|line| line.strip_prefix("content-length: "));
        self.answer.len() >= end + 4 + length.unwrap().parse::<usize>().unwrap()
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

    /// The same for the next call, or a new one where the server wants that.
    fn kept(self) -> Self {
        if self.head().contains("connection: close") {
            return Self::open(self.address);
        }
        self
    }
}
