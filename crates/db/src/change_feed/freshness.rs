//! Freshness of the change feed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Maximum age of the last poll of a current feed.
pub(crate) const MAX_LAG: Duration = Duration::from_secs(1);

/// Handle that says whether the feed delivered every commit up to a second ago. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct FeedFreshness(Option<Arc<FeedClock>>);

/// Start of the last poll on the monotonic clock.
#[derive(Debug)]
struct FeedClock {
    start: Instant,
    /// Last poll, in nanoseconds after `start`.
    polled: AtomicU64,
    /// Last poll that left no gap, in nanoseconds after `start`; zero after a gap.
    complete: AtomicU64,
}

impl FeedFreshness {
    /// Creates a feed that has received nothing yet.
    pub(crate) fn stale() -> Self {
        let start = Instant::now();
        Self(Some(Arc::new(FeedClock {
            // Keeps a poll time of zero stale, also right after the machine started.
            start: start.checked_sub(2 * MAX_LAG).unwrap_or(start),
            polled: AtomicU64::new(0),
            complete: AtomicU64::new(0),
        })))
    }

    /// Whether every commit up to a second ago was delivered; always true on SQLite.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.0.as_ref().is_none_or(|clock| {
            let complete = clock.complete.load(Ordering::Acquire);
            complete != 0 && clock.now().saturating_sub(complete) < nanos(MAX_LAG)
        })
    }

    /// Returns the age of the last complete poll; `None` on SQLite, which does not poll.
    #[must_use]
    pub fn lag(&self) -> Option<Duration> {
        let clock = self.0.as_ref()?;
        let polled = clock.polled.load(Ordering::Acquire);
        Some(Duration::from_nanos(clock.now().saturating_sub(polled)))
    }

    /// Records that everything visible at `began` was delivered.
    pub(crate) fn mark_current(&self, began: Instant) {
        if let Some(clock) = &self.0 {
            let began = nanos(began.saturating_duration_since(clock.start));
            clock.polled.store(began, Ordering::Release);
            clock.complete.store(began, Ordering::Release);
        }
    }

    /// Records that changes may be missing.
    pub(crate) fn mark_stale(&self) {
        if let Some(clock) = &self.0 {
            clock.complete.store(0, Ordering::Release);
        }
    }
}

impl FeedClock {
    fn now(&self) -> u64 {
        nanos(self.start.elapsed())
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_is_current_for_a_second_after_a_poll() {
        assert!(FeedFreshness::default().is_current());
        let freshness = FeedFreshness::stale();
        assert!(!freshness.is_current(), "before the first poll");
        let now = Instant::now();
        freshness.mark_current(now);
        assert!(freshness.is_current());
        freshness.mark_stale();
        assert!(!freshness.is_current());
        freshness.mark_current(now.checked_sub(MAX_LAG).unwrap());
        assert!(!freshness.is_current(), "a poll that took too long");
        assert!(freshness.lag() >= Some(MAX_LAG));
    }
}
