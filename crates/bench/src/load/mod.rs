//! Loads a server over kept connections and checks every answer.
//!
//! At a given pace each call has a time at which it is due, and its latency counts from then, also
//! when all connections are busy: a server that stalls is charged for all who would have called
//! meanwhile, not for one call a connection ("coordinated omission").

mod connection;
mod expected;

pub use expected::ExpectedResponse;

use anyhow::{Result, anyhow, bail, ensure};
use bytes::Bytes;
use connection::Connection;
use hdrhistogram::Histogram;
use http_body_util::Full;
use hyper::Request;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// One in so many answers is read as JSON and looked into; of all, status, ends and size are checked. It has no
/// factor in common with how many readers, targets or kinds of calls come by turns, or some were never looked into.
const SAMPLE: u64 = 31;
/// How long the last calls may take once the time is over.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);

/// One call and what its answer must be.
#[derive(Debug)]
pub struct CheckedRequest {
    /// What is sent.
    pub request: Request<Full<Bytes>>,
    /// What must come back.
    pub expected: Arc<ExpectedResponse>,
    /// The very body that must, if it is known; samples are held against it.
    pub exact_body: Option<Bytes>,
}

/// How fast to call.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// Each connection as soon as it has its answer: the highest rate.
    Full,
    /// So many calls a second, evenly, whatever the answers do.
    At(f64),
}

/// A load.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Who is called.
    pub address: SocketAddr,
    /// Calls that can be under way at once.
    pub connections: usize,
    /// How fast.
    pub pace: Pace,
    /// For how long.
    pub time: Duration,
}

/// What came of a load in which every answer was right.
#[derive(Debug)]
pub struct Outcome {
    /// Answers.
    pub responses: u64,
    /// From the first call to the last answer.
    pub elapsed: Duration,
    /// Bytes of all bodies.
    pub bytes: u64,
    /// Microseconds from the time at which a call was due to the end of its answer.
    pub latency: Histogram<u64>,
}

impl Outcome {
    /// Answers a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.responses as f64 / self.elapsed.as_secs_f64()
    }
}

/// What the connections of one load share.
struct Shared<F> {
    load: Load,
    begun: Instant,
    make: F,
    /// Calls begun so far.
    next: AtomicU64,
    /// Calls that are due and that no connection has taken; used at a given pace.
    due: Semaphore,
    /// Set once an answer was wrong: nobody goes on.
    failed: AtomicBool,
}

/// Whether the answer to the call of a number is looked into.
#[must_use]
pub const fn is_sampled(number: u64) -> bool {
    number.is_multiple_of(SAMPLE)
}

/// Makes one call and answers the body, looked into.
pub async fn send_one(address: SocketAddr, call: CheckedRequest) -> Result<Bytes> {
    let mut connection = Connection::open(address).await?;
    let (status, body) = connection.send(call.request).await?;
    call.expected.check(status, &body, true)?;
    Ok(body)
}

/// Makes calls one after the other on one connection, each looked into.
pub async fn send_each(
    address: SocketAddr,
    calls: impl IntoIterator<Item = CheckedRequest>,
) -> Result<Outcome> {
    let mut connection = Connection::open(address).await?;
    let begun = Instant::now();
    let mut outcome = Outcome {
        responses: 0,
        elapsed: Duration::ZERO,
        bytes: 0,
        latency: histogram()?,
    };
    for call in calls {
        let sent = Instant::now();
        let (status, body) = connection.send(call.request).await?;
        let taken = sent.elapsed().as_micros().max(1) as u64;
        call.expected.check(status, &body, true)?;
        outcome.responses += 1;
        outcome.bytes += body.len() as u64;
        outcome.latency.saturating_record(taken);
    }
    outcome.elapsed = begun.elapsed();
    ensure!(outcome.responses > 0, "nothing was called");
    Ok(outcome)
}

/// Calls with `make(0)`, `make(1)` … and fails at the first wrong answer.
pub async fn run_load<F>(load: Load, make: F) -> Result<Outcome>
where
    F: Fn(u64) -> CheckedRequest + Send + Sync + 'static,
{
    let mut connections = Vec::new();
    for _ in 0..load.connections {
        connections.push(Connection::open(load.address).await?);
    }
    let shared = Arc::new(Shared {
        load,
        begun: Instant::now(),
        make,
        next: AtomicU64::new(0),
        due: Semaphore::new(0),
        failed: AtomicBool::new(false),
    });
    let pacer = match load.pace {
        Pace::Full => None,
        Pace::At(rate) => {
            let shared = shared.clone();
            Some(std::thread::spawn(move || shared.keep_pace(rate)))
        }
    };
    let workers = connections.into_iter().map(|connection| {
        let shared = shared.clone();
        tokio::spawn(async move { shared.work(connection).await })
    });
    let workers = workers.collect::<Vec<_>>();
    let mut outcome = Outcome {
        responses: 0,
        elapsed: Duration::ZERO,
        bytes: 0,
        latency: histogram()?,
    };
    let mut wrong = None;
    for worker in workers {
        let patience = load.time + DRAIN_TIMEOUT;
        match tokio::time::timeout(patience, worker).await {
            Ok(Ok(Ok(part))) => {
                outcome.responses += part.responses;
                outcome.bytes += part.bytes;
                outcome.latency.add(&part.latency)?;
            }
            Ok(Ok(Err(error))) => wrong = wrong.or(Some(error)),
            Ok(Err(error)) => wrong = wrong.or(Some(anyhow!("a connection's task ended: {error}"))),
            Err(_) => wrong = wrong.or(Some(anyhow!("the server did not keep up"))),
        }
    }
    outcome.elapsed = shared.begun.elapsed();
    if let Some(pacer) = pacer {
        pacer.join().map_err(|_| anyhow!("the pacer panicked"))?;
    }
    match wrong {
        Some(error) => Err(error),
        None if outcome.responses == 0 => bail!("nothing was answered"),
        None => Ok(outcome),
    }
}

/// From one microsecond to a minute, to three digits.
fn histogram() -> Result<Histogram<u64>> {
    Ok(Histogram::new_with_bounds(1, 60_000_000, 3)?)
}

impl<F: Fn(u64) -> CheckedRequest> Shared<F> {
    /// How many calls a load at a pace has.
    fn total(&self, rate: f64) -> u64 {
        // However slow the server is, something is measured.
        ((rate * self.load.time.as_secs_f64()) as u64).max(1)
    }

    /// Lets calls go when they are due. A thread of its own: the runtime's timers are a millisecond
    /// coarse.
    fn keep_pace(&self, rate: f64) {
        let mut issued = 0;
        while issued < self.total(rate) && !self.failed.load(Relaxed) {
            let due = (self.begun.elapsed().as_secs_f64() * rate) as u64 + 1;
            let due = due.min(self.total(rate));
            self.due.add_permits((due - issued) as usize);
            issued = due;
            let next = Duration::from_secs_f64(issued as f64 / rate);
            std::thread::sleep(next.saturating_sub(self.begun.elapsed()));
        }
        // One more for each connection, which ends it.
        self.due.add_permits(self.load.connections);
    }

    /// The number of the next call, and when it is due; nothing once the time is over.
    async fn next(&self) -> Option<(u64, Instant)> {
        match self.load.pace {
            Pace::Full => {
                // However busy the machine is, there is a first call.
                let number = self.next.fetch_add(1, Relaxed);
                let over = number > 0 && self.begun.elapsed() >= self.load.time;
                let over = over || self.failed.load(Relaxed);
                (!over).then(|| (number, Instant::now()))
            }
            Pace::At(rate) => {
                self.due.acquire().await.ok()?.forget();
                let number = self.next.fetch_add(1, Relaxed);
                let over = number >= self.total(rate) || self.failed.load(Relaxed);
                let due = Duration::from_secs_f64(number as f64 / rate);
                (!over).then(|| (number, self.begun + due))
            }
        }
    }

    async fn work(&self, mut connection: Connection) -> Result<Outcome> {
        let mut part = Outcome {
            responses: 0,
            elapsed: Duration::ZERO,
            bytes: 0,
            latency: histogram()?,
        };
        while let Some((number, due)) = self.next().await {
            let call = (self.make)(number);
            let answer = connection.send(call.request).await;
            let taken = due.elapsed();
            let sampled = is_sampled(number);
            let checked = answer.and_then(|(status, body)| {
                call.expected.check(status, &body, sampled)?;
                if let Some(body_before) = call.exact_body.filter(|_| sampled) {
                    expected::check_same(&body_before, &body)?;
                }
                Ok(body.len())
            });
            let size = checked.inspect_err(|_| self.failed.store(true, Relaxed))?;
            part.responses += 1;
            part.bytes += size as u64;
            part.latency
                .saturating_record(taken.as_micros().max(1) as u64);
        }
        Ok(part)
    }
}
