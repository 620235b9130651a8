//! Loads a server over keep-alive connections and verifies every response.
//!
//! At a fixed rate each request has a due time, and its latency counts from that time even if all
//! connections are busy. A server that stalls is charged for every request that was due meanwhile,
//! which avoids coordinated omission.

mod connection;
mod event_stream;
mod expected;

pub use event_stream::EventStream;
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

/// Every 31st response is parsed and checked inside; status, prefix, suffix and size of all are checked.
/// 31 is coprime to every cycle of readers, targets and scenarios, so that each of them gets samples.
const SAMPLE: u64 = 31;
/// Maximum time for the last responses after the end of a load.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);

/// A request with its expected response.
#[derive(Debug)]
pub struct CheckedRequest {
    /// Request to send.
    pub request: Request<Full<Bytes>>,
    /// Conditions for the response.
    pub expected: Arc<ExpectedResponse>,
    /// Exact body for sampled responses, if known.
    pub exact_body: Option<Bytes>,
}

/// Rate of the requests.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// Closed loop: each connection sends its next request after the response.
    Full,
    /// Open loop: a fixed number of requests per second, evenly spaced.
    At(f64),
}

/// Settings of one load.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Socket address of the server.
    pub address: SocketAddr,
    /// Number of connections, which limits the concurrent requests.
    pub connections: usize,
    /// Rate of the requests.
    pub pace: Pace,
    /// Duration of the load.
    pub time: Duration,
}

/// Result of a load without wrong responses.
#[derive(Debug)]
pub struct Outcome {
    /// Number of responses.
    pub responses: u64,
    /// Time from the first request to the last response.
    pub elapsed: Duration,
    /// Total size of all bodies in bytes.
    pub bytes: u64,
    /// Microseconds from the due time of a request to the end of its response.
    pub latency: Histogram<u64>,
}

impl Outcome {
    /// Responses per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.responses as f64 / self.elapsed.as_secs_f64()
    }
}

/// State shared by the connections of a load.
struct Shared<F> {
    load: Load,
    begun: Instant,
    make: F,
    /// Number of the next request.
    next: AtomicU64,
    /// Permits for requests that are due; used at a fixed rate.
    due: Semaphore,
    /// Set after a wrong response; all connections then stop.
    failed: AtomicBool,
}

/// Whether the response to the request with this number is checked inside.
#[must_use]
pub const fn is_sampled(number: u64) -> bool {
    number.is_multiple_of(SAMPLE)
}

/// Sends one request, checks its response inside and returns the body.
pub async fn send_one(address: SocketAddr, checked_request: CheckedRequest) -> Result<Bytes> {
    let mut connection = Connection::open(address).await?;
    let (status, body) = connection.send(checked_request.request).await?;
    checked_request.expected.check(status, &body, true)?;
    Ok(body)
}

/// Sends requests sequentially on one connection and checks each response inside.
pub async fn send_each(
    address: SocketAddr,
    requests: impl IntoIterator<Item = CheckedRequest>,
) -> Result<Outcome> {
    let mut connection = Connection::open(address).await?;
    let begun = Instant::now();
    let mut outcome =
        Outcome { responses: 0, elapsed: Duration::ZERO, bytes: 0, latency: histogram()? };
    for checked_request in requests {
        let sent = Instant::now();
        let (status, body) = connection.send(checked_request.request).await?;
        let latency = sent.elapsed().as_micros().max(1) as u64;
        checked_request.expected.check(status, &body, true)?;
        outcome.responses += 1;
        outcome.bytes += body.len() as u64;
        outcome.latency.saturating_record(latency);
    }
    outcome.elapsed = begun.elapsed();
    ensure!(outcome.responses > 0, "no request was sent");
    Ok(outcome)
}

/// Sends `make(0)`, `make(1)` and so on; fails on the first wrong response.
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
    let mut outcome =
        Outcome { responses: 0, elapsed: Duration::ZERO, bytes: 0, latency: histogram()? };
    let mut first_error = None;
    for worker in workers {
        let patience = load.time + DRAIN_TIMEOUT;
        match tokio::time::timeout(patience, worker).await {
            Ok(Ok(Ok(part))) => {
                outcome.responses += part.responses;
                outcome.bytes += part.bytes;
                outcome.latency.add(&part.latency)?;
            }
            Ok(Ok(Err(error))) => first_error = first_error.or(Some(error)),
            Ok(Err(error)) => {
                first_error = first_error.or(Some(anyhow!("a connection task failed: {error}")));
            }
            Err(_) => {
                first_error = first_error.or(Some(anyhow!("the server did not respond in time")));
            }
        }
    }
    outcome.elapsed = shared.begun.elapsed();
    if let Some(pacer) = pacer {
        pacer.join().map_err(|_| anyhow!("the pacing thread panicked"))?;
    }
    match first_error {
        Some(error) => Err(error),
        None if outcome.responses == 0 => bail!("no response was received"),
        None => Ok(outcome),
    }
}

/// Histogram from 1 µs to 1 minute with three significant digits.
fn histogram() -> Result<Histogram<u64>> {
    Ok(Histogram::new_with_bounds(1, 60_000_000, 3)?)
}

impl<F: Fn(u64) -> CheckedRequest> Shared<F> {
    /// Number of requests of a load with a fixed rate.
    fn total(&self, rate: f64) -> u64 {
        // At least one request, even on a very slow server.
        ((rate * self.load.time.as_secs_f64()) as u64).max(1)
    }

    /// Adds permits when requests become due, in a thread since Tokio's timers have a resolution of 1 ms.
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
        // One permit more per connection ends its loop.
        self.due.add_permits(self.load.connections);
    }

    /// Number and due time of the next request; `None` after the end of the load.
    async fn next(&self) -> Option<(u64, Instant)> {
        match self.load.pace {
            Pace::Full => {
                // The first request is always sent, even on a very slow machine.
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
        let mut part =
            Outcome { responses: 0, elapsed: Duration::ZERO, bytes: 0, latency: histogram()? };
        while let Some((number, due)) = self.next().await {
            let checked_request = (self.make)(number);
            let response = connection.send(checked_request.request).await;
            let latency = due.elapsed();
            let sampled = is_sampled(number);
            let checked = response.and_then(|(status, body)| {
                checked_request.expected.check(status, &body, sampled)?;
                if let Some(body_before) = checked_request.exact_body.filter(|_| sampled) {
                    expected::check_recorded_body(&body_before, &body)?;
                }
                Ok(body.len())
            });
            let size = checked.inspect_err(|_| self.failed.store(true, Relaxed))?;
            part.responses += 1;
            part.bytes += size as u64;
            part.latency.saturating_record(latency.as_micros().max(1) as u64);
        }
        Ok(part)
    }
}
