//! Concurrency limit with a bounded queue for each of two priorities.
//!
//! A rejected request costs a fifth of a successful one. Therefore requests wait for a permit up to a timeout instead
//! of being rejected immediately, which also keeps their connections from sending more. In a long queue the newest
//! request is served first: the oldest ones would all complete shortly before their timeout. The low priority gets a
//! share of the permits, because a write costs about twice as much as a feed, so serving only writes would halve the
//! throughput.

use crate::platform::clock::Clock;
use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::request::Parts;
use metrics::Gauge;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// Most requests in flight wait for a commit, which they share: with 8 the capacity is half of that with 32.
const PERMITS_PER_CORE: usize = 32;
/// Queue length of each priority, per permit.
const QUEUE_PER_PERMIT: usize = 256;
/// Waiting requests, per permit, beyond which the newest is served first.
const LONG_QUEUE_PER_PERMIT: usize = 2;
/// Maximum time in a queue.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Of `CYCLE` permits that become free while both priorities wait, this many go to the normal priority.
const NORMAL_PER_CYCLE: usize = 2;
const CYCLE: usize = 7;

/// Priority of a request, which selects its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Feeds, lists of posts, searches, suggestions and streams of events.
    Low,
    /// Writes, logins and everything else.
    Normal,
}

impl Priority {
    /// Returns the priority of a request; `None` if it needs no permit, like pages, images and uploads.
    #[must_use]
    pub fn for_request(method: &Method, path: &str) -> Option<Self> {
        let api = path.strip_prefix("/api/")?;
        if *method == Method::PUT && api.starts_with("objects/") {
            return None;
        }
        let is_low = match api {
            "posts/feed" | "posts/for-you" | "users/search" | "users/suggested" | "trending"
            | "events" => true,
            _ => {
                (api.starts_with("users/") || api.starts_with("hashtags/"))
                    && api.ends_with("/posts")
            }
        };
        Some(if is_low { Self::Low } else { Self::Normal })
    }

    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Low => "browse",
            Self::Normal => "other",
        }
    }
}

/// Limits the requests in flight and in the queues.
#[derive(Debug)]
pub struct ConcurrencyLimiter {
    state: Mutex<LimiterState>,
    permits: usize,
    in_flight: Gauge,
    waiting: Gauge,
}

#[derive(Debug)]
struct LimiterState {
    /// Permits that no request holds.
    free: usize,
    /// Waiting requests by priority, oldest first.
    queues: [VecDeque<Waiter>; 2],
    /// Position in the cycle that splits permits between the priorities.
    cycle_position: usize,
}

/// Sender of a waiting request; closed when the request times out.
type Waiter = oneshot::Sender<Permit>;

impl LimiterState {
    fn next_waiter(&mut self, permits: usize) -> Option<Waiter> {
        self.cycle_position = (self.cycle_position + 1) % CYCLE;
        let first =
            if self.cycle_position < NORMAL_PER_CYCLE { Priority::Normal } else { Priority::Low }
                as usize;
        [first, 1 - first].into_iter().find_map(|queue| {
            let queue = &mut self.queues[queue];
            remove_closed(queue);
            let pop = || {
                if queue.len() > permits * LONG_QUEUE_PER_PERMIT {
                    queue.pop_back()
                } else {
                    queue.pop_front()
                }
            };
            std::iter::from_fn(pop).find(|waiter| !waiter.is_closed())
        })
    }
}

/// Removes timed-out requests, which are the oldest.
fn remove_closed(queue: &mut VecDeque<Waiter>) {
    while queue.front().is_some_and(oneshot::Sender::is_closed) {
        queue.pop_front();
    }
}

/// Permit of a request in flight. Dropping it admits the next request.
#[derive(Debug)]
pub struct Permit(Arc<ConcurrencyLimiter>);

impl Permit {
    fn new(limiter: &Arc<ConcurrencyLimiter>) -> Self {
        limiter.in_flight.increment(1.0);
        Self(Arc::clone(limiter))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.in_flight.decrement(1.0);
        let mut state = self.0.state.lock();
        let next = state.next_waiter(self.0.permits);
        if next.is_none() {
            state.free += 1;
        }
        drop(state);
        if let Some(next) = next {
            // If the waiter has timed out, the permit is dropped and goes to the next one.
            drop(next.send(Self::new(&self.0)));
        }
    }
}

/// Permit of the current request. Handlers release it before they wait for another limit, such as image workers.
#[derive(Debug, Clone, Default)]
pub struct CurrentPermit(Arc<Mutex<Option<Permit>>>);

impl CurrentPermit {
    pub(crate) fn new(permit: Permit) -> Self {
        Self(Arc::new(Mutex::new(Some(permit))))
    }

    /// Releases the permit, which admits the next request.
    pub fn release(&self) {
        // Drop it outside of the lock, because it wakes another request.
        let permit = self.0.lock().take();
        drop(permit);
    }
}

impl<S: Sync> FromRequestParts<S> for CurrentPermit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}

/// Counts a request as waiting until it is dropped.
struct WaitingGuard<'a>(&'a Gauge);

impl<'a> WaitingGuard<'a> {
    fn new(gauge: &'a Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for WaitingGuard<'_> {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

impl ConcurrencyLimiter {
    /// Builds a limiter with a number of permits, or [`PERMITS_PER_CORE`] per core if `None`.
    #[must_use]
    pub fn new(permits: Option<usize>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = permits.unwrap_or(PERMITS_PER_CORE * cores);
        Self {
            state: Mutex::new(LimiterState {
                free: permits,
                queues: Default::default(),
                cycle_position: 0,
            }),
            permits,
            in_flight: metrics::gauge!("kith_http_in_flight"),
            waiting: metrics::gauge!("kith_http_waiting"),
        }
    }

    /// Returns the number of waiting requests.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state.lock().queues.iter().map(VecDeque::len).sum()
    }

    /// Acquires a permit, waiting up to [`MAX_WAIT`]; `None` if the queue is full or the wait timed out.
    pub async fn acquire(self: &Arc<Self>, priority: Priority, clock: &Clock) -> Option<Permit> {
        let receiver = {
            let mut state = self.state.lock();
            if state.free > 0 {
                state.free -= 1;
                return Some(Permit::new(self));
            }
            let queue = &mut state.queues[priority as usize];
            remove_closed(queue);
            if queue.len() >= self.permits * QUEUE_PER_PERMIT {
                return None;
            }
            let (sender, receiver) = oneshot::channel();
            queue.push_back(sender);
            receiver
        };
        let _waiting = WaitingGuard::new(&self.waiting);
        tokio::select! {
            permit = receiver => permit.ok(),
            () = clock.sleep(MAX_WAIT) => None,
        }
    }
}
