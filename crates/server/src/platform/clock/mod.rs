//! The time, from one place, so that tests can move it.

pub mod watermark;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// Milliseconds since 1970 UTC.
pub type Millis = i64;

/// One second.
pub const SECOND: Millis = 1_000;
/// One minute.
pub const MINUTE: Millis = 60 * SECOND;
/// One hour.
pub const HOUR: Millis = 60 * MINUTE;
/// One day of 24 hours.
pub const DAY: Millis = 24 * HOUR;

/// 2025-01-01T00:00:00Z, the time 0 of ids: 41 bits of milliseconds last from here to 2094.
pub(crate) const EPOCH: Millis = 1_735_689_600_000;
/// The latest time, in 2094, with a day to spare. A start behind it would make the ids of the start before.
pub(crate) const LATEST: Millis = EPOCH + (1 << 41) - 1 - DAY;

/// The time, which never goes back: not when the system clock is set back, and, with the
/// [`watermark`](crate::platform::clock::watermark) in the database, not across restarts either. What has expired stays expired.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    source: Source,
    /// The latest time that was returned or reached.
    latest: AtomicI64,
}

#[derive(Debug)]
enum Source {
    System,
    Manual(watch::Sender<Hands>),
}

#[derive(Debug, Clone, Copy)]
struct Hands {
    /// The wall clock. It may jump.
    wall: Millis,
    /// Milliseconds that passed since the start. It never jumps.
    passed: Millis,
}

impl Clock {
    /// The system clock.
    #[must_use]
    pub fn system() -> Self {
        Self::from_source(Source::System)
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub fn manual(start: Millis) -> Self {
        Self::from_source(Source::Manual(watch::Sender::new(Hands {
            wall: start,
            passed: 0,
        })))
    }

    fn from_source(source: Source) -> Self {
        let latest = AtomicI64::new(0);
        Self(Arc::new(Parts { source, latest }))
    }

    /// Now: never less than an earlier result. It stands still while the system clock is behind that.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.reach(self.wall());
        self.0.latest.load(Ordering::SeqCst)
    }

    /// The time is this or later, as another process has seen. A time past the last id is ignored as wrong.
    pub fn reach(&self, time: Millis) {
        if time <= LATEST {
            self.0.latest.fetch_max(time, Ordering::SeqCst);
        }
    }

    /// What the system clock shows; it may go back.
    #[must_use]
    pub fn wall(&self) -> Millis {
        match &self.0.source {
            Source::System => jiff::Timestamp::now().as_millisecond(),
            Source::Manual(hands) => hands.borrow().wall,
        }
    }

    /// How far the time is ahead of the system clock, in milliseconds: 0 unless that was set back.
    #[must_use]
    pub fn ahead(&self) -> Millis {
        (self.now() - self.wall()).max(0)
    }

    /// Waits until this much time has passed, whatever the wall clock does meanwhile.
    pub async fn sleep(&self, time: Duration) {
        let Source::Manual(manual) = &self.0.source else {
            return tokio::time::sleep(time).await;
        };
        let mut hands = manual.subscribe();
        let time = Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX / 2);
        let end = hands.borrow().passed + time;
        // This clock holds the sender, so there is always a next change to wait for.
        let _ = hands.wait_for(|hands| hands.passed >= end).await;
    }

    /// Lets time pass on a manual clock; the system clock ignores it.
    pub fn advance(&self, by: Millis) {
        self.turn(|hands| {
            hands.wall += by;
            hands.passed += by;
        });
    }

    /// Sets a manual clock forward or back, as an operator or NTP would; no time passes. The system clock ignores it.
    pub fn set(&self, by: Millis) {
        self.turn(|hands| hands.wall += by);
    }

    fn turn(&self, turn: impl FnOnce(&mut Hands)) {
        if let Source::Manual(hands) = &self.0.source {
            hands.send_modify(turn);
        }
    }
}

/// RFC 3339 in UTC with milliseconds, as every time on the wire is written.
#[must_use]
pub fn rfc3339(time: Millis) -> String {
    let time = jiff::Timestamp::from_millisecond(time).unwrap_or(jiff::Timestamp::MAX);
    format!("{time:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: wire-times
    #[test]
    fn times_are_written_with_milliseconds() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(1_795_253_400_120), "2026-11-21T09:30:00.120Z");
    }

    const START: Millis = 1_795_253_400_000;

    /// proves: clock-back
    #[test]
    fn a_clock_that_is_set_back_takes_no_time_back() {
        let clock = Clock::manual(START);
        assert_eq!(clock.now(), START);
        clock.set(-DAY);
        assert_eq!((clock.now(), clock.ahead()), (START, DAY));
        clock.advance(DAY - HOUR);
        assert_eq!((clock.now(), clock.ahead()), (START, HOUR));
        clock.advance(2 * HOUR);
        assert_eq!((clock.now(), clock.ahead()), (START + HOUR, 0));
    }

    /// Whatever jumps come between what passes, no look finds less than the one before.
    #[test]
    fn the_time_never_goes_back() {
        let clock = Clock::manual(START);
        let mut last = clock.now();
        for step in 0..5_000_i64 {
            match step % 5 {
                0 => clock.set((step * 7_919) % 100_000 - 50_000),
                1 => clock.reach(last + step % 13 - 6),
                _ => clock.advance((step * 31) % 977),
            }
            let now = clock.now();
            assert!(now >= last, "step {step}: {now} after {last}");
            last = now;
        }
    }

    /// A time of which no id can be made is none, on this machine's clock or another's.
    /// proves: clock-end
    #[test]
    fn no_clock_takes_the_time_to_where_ids_end() {
        let clock = Clock::manual(START);
        assert_eq!(clock.now(), START);
        clock.reach(LATEST + 1);
        clock.set(100 * 365 * DAY);
        assert_eq!(clock.now(), START);
        clock.set(-100 * 365 * DAY);
        clock.advance(HOUR);
        assert_eq!((clock.now(), clock.ahead()), (START + HOUR, 0));
    }

    /// A time that another process has seen is the least, and lasts.
    #[test]
    fn a_time_that_was_reached_is_kept() {
        let clock = Clock::manual(START);
        clock.reach(START + HOUR);
        clock.reach(START);
        assert_eq!(clock.now(), START + HOUR);
        clock.advance(HOUR + 1);
        assert_eq!(clock.now(), START + HOUR + 1);
    }

    /// A sleep ends when its time has passed, not when the clock is set.
    #[tokio::test]
    async fn a_sleep_is_as_long_as_it_was_asked_for() {
        let clock = Clock::manual(START);
        let (own, minute) = (clock.clone(), Duration::from_mins(1));
        let sleeper = tokio::spawn(async move { own.sleep(minute).await });
        tokio::task::yield_now().await;
        for jump in [DAY, -2 * DAY, DAY] {
            clock.set(jump);
            tokio::task::yield_now().await;
            assert!(!sleeper.is_finished());
        }
        clock.advance(MINUTE);
        sleeper.await.expect("it wakes");
    }
}
