//! Concurrency limit of writes on PostgreSQL, in total and per contention key.

use crate::metrics::{QueueGuard, rejected_writes};
use crate::{Error, Result};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Slots for keys; keys in one slot share their limit.
const KEY_SLOTS: usize = 64;

/// Limits the concurrent writes of one pool.
#[derive(Debug)]
pub(crate) struct WriteLimiter {
    /// All writes: commits that wait for a standby must leave connections for reads.
    total: Arc<Semaphore>,
    /// Writes per key slot: the server serializes updates of one row, so writes of one popular post would
    /// otherwise hold every connection while they wait.
    per_key: Vec<Arc<Semaphore>>,
    timeout: Duration,
}

/// Permit of one write; dropping it releases the limit.
#[derive(Debug)]
pub(crate) struct WritePermit {
    _key: Option<OwnedSemaphorePermit>,
    _total: OwnedSemaphorePermit,
}

impl WriteLimiter {
    /// Creates the limits for a pool of `connections`; acquiring fails after `timeout`.
    pub(crate) fn new(connections: usize, timeout: Duration) -> Self {
        let limit = (connections * 3 / 4).max(1);
        let key_limiter = || Arc::new(Semaphore::new((limit / 4).max(1)));
        Self {
            total: Arc::new(Semaphore::new(limit)),
            per_key: std::iter::repeat_with(key_limiter).take(KEY_SLOTS).collect(),
            timeout,
        }
    }

    /// Acquires a permit for a write with this contention key.
    pub(crate) async fn acquire(&self, key: Option<i64>) -> Result<WritePermit> {
        let waiting = QueueGuard::enter();
        let permit = tokio::time::timeout(self.timeout, self.acquire_permits(key)).await;
        drop(waiting);
        permit.ok().flatten().ok_or_else(|| {
            rejected_writes().increment(1);
            Error::Unavailable("too many writes are waiting".into())
        })
    }

    async fn acquire_permits(&self, key: Option<i64>) -> Option<WritePermit> {
        // The key's permit comes first: a write that waits for it must not hold a total permit.
        let key_permit = match key {
            Some(key) => Some(Arc::clone(self.limit_of(key)).acquire_owned().await.ok()?),
            None => None,
        };
        let total_permit = Arc::clone(&self.total).acquire_owned().await.ok()?;
        Some(WritePermit { _key: key_permit, _total: total_permit })
    }

    fn limit_of(&self, key: i64) -> &Arc<Semaphore> {
        &self.per_key[(fibonacci_hash(key.cast_unsigned()) >> 32) as usize % KEY_SLOTS]
    }
}

/// Distributes ids, which differ in their lowest bits, by Fibonacci hashing: a product with 2⁶⁴ / φ.
#[must_use]
pub const fn fibonacci_hash(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
