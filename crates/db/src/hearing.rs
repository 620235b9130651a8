//! Whether a listener has heard everything lately.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long after the last look at what other processes changed a listener may be believed.
pub(crate) const LATE: Duration = Duration::from_secs(1);

/// How long somebody waits for a look that takes long, and how old the last may be for that: a server
/// that is slower is rather asked.
const WAIT: Duration = Duration::from_secs(2);
const SLOW: Duration = Duration::from_secs(3);

/// When somebody asked, by the clock that no hand turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

/// Whether what a listener was told is all that was committed until a second ago. Cheap to clone and to
/// ask.
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
    /// Tells those who wait of each look, and when something may have been missed.
    turned: Notify,
}

impl Hearing {
    /// Of a listener who has missed everything so far.
    pub(crate) fn of_a_tail() -> Self {
        let start = Instant::now();
        Self(Some(Arc::new(Clock {
            // So that zero is never current, also right after the start of the machine.
            start: start.checked_sub(LATE + SLOW + LATE).unwrap_or(start),
            looked: AtomicU64::new(0),
            whole: AtomicU64::new(0),
            turned: Notify::new(),
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

    /// Whether a look was heard out that began after somebody asked: what they are told is no older than
    /// what the database would have answered them.
    #[must_use]
    pub fn is_whole_since(&self, asked: Moment) -> bool {
        self.0.as_ref().is_none_or(|clock| {
            let whole = clock.whole.load(Ordering::Acquire);
            whole != 0 && whole >= asked.0
        })
    }

    /// While looks take so long that a listener is not believed all the time: waits until it is, or until
    /// a look was heard out that begins from now on, and answers when now was. None when nothing is known
    /// or this takes too long, so that the database is to be asked.
    pub async fn catch_up(&self) -> Option<Moment> {
        let clock = self.0.as_ref()?;
        let asked = Moment(clock.now());
        let whole = clock.whole.load(Ordering::Acquire);
        if whole == 0 || asked.0.saturating_sub(whole) > nanos(SLOW) {
            return None;
        }
        let heard = async {
            loop {
                // Before the look at what it tells of, so that nothing comes between.
                let turned = clock.turned.notified();
                if self.is_current() || self.is_whole_since(asked) {
                    return Some(asked);
                }
                if clock.whole.load(Ordering::Acquire) == 0 {
                    return None;
                }
                turned.await;
            }
        };
        tokio::time::timeout(WAIT, heard).await.ok().flatten()
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
            clock.turned.notify_waiters();
        }
    }

    /// Something may have been missed.
    pub(crate) fn lose(&self) {
        if let Some(clock) = &self.0 {
            clock.whole.store(0, Ordering::Release);
            clock.turned.notify_waiters();
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
    use futures_util::FutureExt as _;

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

    /// Looks that take longer than a second are believed by those who came before they began.
    #[tokio::test(start_paused = true)]
    async fn who_waits_is_told_what_was_committed_before_they_came() {
        let hearing = Hearing::of_a_tail();
        assert_eq!(hearing.catch_up().await, None, "nothing was heard yet");
        let ago = |millis| Instant::now().checked_sub(Duration::from_millis(millis));
        hearing.heard(ago(1_500).unwrap());
        let mut waiting = std::pin::pin!(hearing.catch_up());
        assert!(waiting.as_mut().now_or_never().is_none());
        hearing.heard(ago(1_200).unwrap());
        assert!(waiting.as_mut().now_or_never().is_none(), "it began before");
        let began = Instant::now();
        hearing.heard(began);
        let asked = waiting.await.unwrap();
        assert!(hearing.is_whole_since(asked));
        let later = Moment(hearing.0.as_ref().unwrap().now());
        assert!(!hearing.is_whole_since(later));
        hearing.lose();
        assert!(!hearing.is_whole_since(asked));
        assert_eq!(hearing.catch_up().await, None);
        hearing.heard(ago(1_500).unwrap());
        // The clock of this test jumps to the end of the waiting.
        assert_eq!(hearing.catch_up().await, None, "it took too long");
        hearing.heard(ago(3_500).unwrap());
        assert!(
            hearing.behind() >= Some(SLOW),
            "it is told everything, too late"
        );
        assert_eq!(hearing.catch_up().now_or_never(), Some(None));
    }
}
