//! Whether a listener has heard everything lately.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long after the last look at what other processes changed a listener may be believed.
pub(crate) const LATE: Duration = Duration::from_secs(1);

/// Whether a listener was told all that was committed until a second ago. Cheap to clone and ask.
#[derive(Debug, Clone, Default)]
pub struct Hearing(Option<Arc<Clock>>);

/// When the last look began, by the clock that no hand turns.
#[derive(Debug)]
struct Clock {
    start: Instant,
    /// Nanoseconds after the start.
    looked: AtomicU64,
    /// The same while nothing is missing, else zero.
    whole: AtomicU64,
}

impl Hearing {
    /// Of a listener who has missed everything so far.
    pub(crate) fn of_a_tail() -> Self {
        let start = Instant::now();
        Self(Some(Arc::new(Clock {
            // So that zero is never current, also right after the start of the machine.
            start: start.checked_sub(2 * LATE).unwrap_or(start),
            looked: AtomicU64::new(0),
            whole: AtomicU64::new(0),
        })))
    }

    /// Whether everything was told that was committed until a second ago; on SQLite always.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.0.as_ref().is_none_or(|clock| {
            let whole = clock.whole.load(Ordering::Acquire);
            whole != 0 && clock.now().saturating_sub(whole) < nanos(LATE)
        })
    }

    /// How long ago the last look began that told everything; none on SQLite, which tells at once.
    #[must_use]
    pub fn behind(&self) -> Option<Duration> {
        let clock = self.0.as_ref()?;
        let looked = clock.looked.load(Ordering::Acquire);
        Some(Duration::from_nanos(clock.now().saturating_sub(looked)))
    }

    /// All that was visible when a look began has been told.
    pub(crate) fn heard(&self, began: Instant) {
        if let Some(clock) = &self.0 {
            let began = nanos(began.saturating_duration_since(clock.start));
            clock.looked.store(began, Ordering::Release);
            clock.whole.store(began, Ordering::Release);
        }
    }

    /// Something may have been missed.
    pub(crate) fn lose(&self) {
        if let Some(clock) = &self.0 {
            clock.whole.store(0, Ordering::Release);
        }
    }
}

impl Clock {
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
    fn a_listener_is_believed_for_a_second() {
        assert!(Hearing::default().is_current());
        let hearing = Hearing::of_a_tail();
        assert!(!hearing.is_current(), "before the first look");
        let now = Instant::now();
        hearing.heard(now);
        assert!(hearing.is_current());
        hearing.lose();
        assert!(!hearing.is_current());
        hearing.heard(now.checked_sub(LATE).unwrap());
        assert!(!hearing.is_current(), "a look that took too long");
        assert!(hearing.behind() >= Some(LATE));
    }
}
