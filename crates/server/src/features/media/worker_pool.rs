//! Limits concurrent image processing: a few workers in total, and one per member.

use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// How long a request waits for the member's lock and a worker permit.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Pool of worker permits. Each worker needs a core, and memory for its pixels.
#[derive(Debug)]
pub struct ImageWorkers {
    permits: Arc<Semaphore>,
    // Locks of members who are processing or waiting: one member's queue must not block other members.
    locks: Mutex<HashMap<Id, Weak<AsyncMutex<()>>>>,
}

/// Permit to process one image.
#[derive(Debug)]
pub(super) struct WorkerPermit {
    _worker: OwnedSemaphorePermit,
    lock: MemberLock,
}

/// Lock that keeps a member's other images from being processed.
pub(super) type MemberLock = OwnedMutexGuard<()>;

impl WorkerPermit {
    /// Releases the worker but keeps the member's lock while the image is stored.
    pub(super) fn release_worker(self) -> MemberLock {
        self.lock
    }
}

impl Default for ImageWorkers {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { permits: Arc::new(Semaphore::new((cores / 2).max(1))), locks: Mutex::default() }
    }
}

impl ImageWorkers {
    /// Acquires a permit for one image of a member; 503 after 10 seconds.
    pub(super) async fn acquire(&self, member: Id) -> Result<WorkerPermit> {
        let lock = self.member_lock(member);
        let acquire = async {
            let lock = lock.lock_owned().await;
            let worker = self.permits.clone().acquire_owned().await.ok()?;
            Some(WorkerPermit { _worker: worker, lock })
        };
        let permit = tokio::time::timeout(MAX_WAIT, acquire).await;
        permit.ok().flatten().ok_or_else(ApiError::unavailable)
    }

    /// Returns the lock of a member, and evicts unused locks when it creates one.
    fn member_lock(&self, member: Id) -> Arc<AsyncMutex<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lock) = locks.get(&member).and_then(Weak::upgrade) {
            return lock;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::new(AsyncMutex::default());
        locks.insert(member, Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt as _;

    #[tokio::test]
    async fn a_member_has_one_permit_at_a_time() {
        let pool = ImageWorkers { permits: Arc::new(Semaphore::new(2)), locks: Mutex::default() };
        let acquire = |member| pool.acquire(Id(member)).now_or_never();
        let first = acquire(1);
        assert!(matches!(first, Some(Ok(_))));
        assert!(acquire(1).is_none(), "their second waits");
        let other = acquire(2);
        assert!(matches!(other, Some(Ok(_))), "another member's does not");
        assert!(acquire(3).is_none(), "it is full");
        drop(first);
        assert!(matches!(acquire(1), Some(Ok(_))));
        drop(other);
        pool.member_lock(Id(4));
        let locks = pool.locks.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(locks.len(), 1, "unused locks are evicted");
    }
}
