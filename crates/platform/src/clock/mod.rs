//! Monotonic wall clock, replaceable by tests.

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

/// 2025-01-01T00:00:00Z, the epoch of ids: 41 bits of milliseconds reach from here to 2094.
pub const EPOCH: Millis = 1_735_689_600_000;
/// Latest valid time, in 2094, with a day to spare: later times would wrap the ids.
pub(crate) const LATEST: Millis = EPOCH + (1 << 41) - 1 - DAY;

/// Clock that never goes back, neither when the system clock is set back nor, by the
/// [`watermark`](crate::clock::watermark) in the database, across restarts. Expired tokens stay expired.
#[derive(Debug, Clone)]
pub struct Clock(Arc<ClockInner>);

#[derive(Debug)]
struct ClockInner {
    source: Source,
    /// Latest time that was returned or passed to [`Clock::advance_to`].
    latest: AtomicI64,
}

#[derive(Debug)]
enum Source {
    System,
    Manual(watch::Sender<ClockReading>),
}

#[derive(Debug, Clone, Copy)]
struct ClockReading {
    /// Wall clock time; may jump.
    wall: Millis,
    /// Milliseconds since the clock was created; never jumps.
    elapsed: Millis,
}

impl Clock {
    /// Creates a clock that follows the system clock.
    #[must_use]
    pub fn system() -> Self {
        Self::from_source(Source::System)
    }

    /// Creates a clock for tests that only moves by [`Clock::advance`] and [`Clock::shift_wall`].
    #[must_use]
    pub fn manual(start: Millis) -> Self {
        Self::from_source(Source::Manual(watch::Sender::new(ClockReading {
            wall: start,
            elapsed: 0,
        })))
    }

    fn from_source(source: Source) -> Self {
        let latest = AtomicI64::new(0);
        Self(Arc::new(ClockInner { source, latest }))
    }

    /// Returns the current time, never less than an earlier result.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.advance_to(self.system_now());
        self.0.latest.load(Ordering::SeqCst)
    }

    /// Raises the time to at least `time`, as seen by another process. Ignores times past the last valid id.
    pub fn advance_to(&self, time: Millis) {
        if time <= LATEST {
            self.0.latest.fetch_max(time, Ordering::SeqCst);
        }
    }

    /// Returns the time of the system clock, which may go back.
    #[must_use]
    pub fn system_now(&self) -> Millis {
        match &self.0.source {
            Source::System => jiff::Timestamp::now().as_millisecond(),
            Source::Manual(reading) => reading.borrow().wall,
        }
    }

    /// Milliseconds by which this clock is ahead of the system clock: 0 unless that was set back.
    #[must_use]
    pub fn skew(&self) -> Millis {
        (self.now() - self.system_now()).max(0)
    }

    /// Sleeps for a duration, independent of jumps of the wall clock.
    pub async fn sleep(&self, duration: Duration) {
        let Source::Manual(manual) = &self.0.source else {
            return tokio::time::sleep(duration).await;
        };
        let mut reading = manual.subscribe();
        let millis = Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX / 2);
        let end = reading.borrow().elapsed + millis;
        // This clock holds the sender, so there is always a next change to wait for.
        let _ = reading.wait_for(|reading| reading.elapsed >= end).await;
    }

    /// Advances a manual clock by milliseconds. No effect on the system clock.
    pub fn advance(&self, by: Millis) {
        self.update(|reading| {
            reading.wall += by;
            reading.elapsed += by;
        });
    }

    /// Shifts the wall time of a manual clock by milliseconds, as an operator or NTP would, without elapsed time. No
    /// effect on the system clock.
    pub fn shift_wall(&self, by: Millis) {
        self.update(|reading| reading.wall += by);
    }

    fn update(&self, change: impl FnOnce(&mut ClockReading)) {
        if let Source::Manual(reading) = &self.0.source {
            reading.send_modify(change);
        }
    }
}

/// Returns the day of a time in UTC.
#[must_use]
pub fn utc_date(time: Millis) -> jiff::civil::Date {
    let time = jiff::Timestamp::from_millisecond(time).unwrap_or(jiff::Timestamp::MAX);
    time.to_zoned(jiff::tz::TimeZone::UTC).date()
}

/// Formats a time as RFC 3339 in UTC with milliseconds, the format of the API.
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
    fn the_time_does_not_follow_a_clock_that_is_set_back() {
        let clock = Clock::manual(START);
        assert_eq!(clock.now(), START);
        clock.shift_wall(-DAY);
        assert_eq!((clock.now(), clock.skew()), (START, DAY));
        clock.advance(DAY - HOUR);
        assert_eq!((clock.now(), clock.skew()), (START, HOUR));
        clock.advance(2 * HOUR);
        assert_eq!((clock.now(), clock.skew()), (START + HOUR, 0));
    }

    #[test]
    fn the_time_never_goes_back() {
        let clock = Clock::manual(START);
        let mut last = clock.now();
        for step in 0..5_000_i64 {
            match step % 5 {
                0 => clock.shift_wall((step * 7_919) % 100_000 - 50_000),
                1 => clock.advance_to(last + step % 13 - 6),
                _ => clock.advance((step * 31) % 977),
            }
            let now = clock.now();
            assert!(now >= last, "step {step}: {now} after {last}");
            last = now;
        }
    }

    /// Ignores times past the last valid id, from the system clock and from other processes.
    /// proves: clock-end
    #[test]
    fn the_time_never_passes_the_last_id() {
        let clock = Clock::manual(START);
        assert_eq!(clock.now(), START);
        clock.advance_to(LATEST + 1);
        clock.shift_wall(100 * 365 * DAY);
        assert_eq!(clock.now(), START);
        clock.shift_wall(-100 * 365 * DAY);
        clock.advance(HOUR);
        assert_eq!((clock.now(), clock.skew()), (START + HOUR, 0));
    }

    /// A time from another process is a lower bound from then on.
    #[test]
    fn a_time_of_another_process_is_kept() {
        let clock = Clock::manual(START);
        clock.advance_to(START + HOUR);
        clock.advance_to(START);
        assert_eq!(clock.now(), START + HOUR);
        clock.advance(HOUR + 1);
        assert_eq!(clock.now(), START + HOUR + 1);
    }

    /// A sleep ends when its time has passed, not when the clock is set.
    #[tokio::test]
    async fn a_sleep_ignores_clock_jumps() {
        let clock = Clock::manual(START);
        let (own, minute) = (clock.clone(), Duration::from_mins(1));
        let sleeper = tokio::spawn(async move { own.sleep(minute).await });
        tokio::task::yield_now().await;
        for jump in [DAY, -2 * DAY, DAY] {
            clock.shift_wall(jump);
            tokio::task::yield_now().await;
            assert!(!sleeper.is_finished());
        }
        clock.advance(MINUTE);
        sleeper.await.expect("it wakes");
    }
}
