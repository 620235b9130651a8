//! The time, from one place, so that tests can move it.

use crate::ids::LATEST;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
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
/// Microseconds in a millisecond.
const MICROS: i64 = 1_000;

/// While the time is ahead of the machine's clock it runs slower by one part in so many. A link of 15
/// minutes then works for 14 seconds more, and a second that the clock stepped back is made up for in a
/// minute, a day in two months.
const SLOWER: i64 = 64;

/// A step forward by more than this is a leap: the machine's clock was set, or slept.
const LEAP: i64 = HOUR * MICROS;
/// How long after a leap nothing is done that cannot be undone: time to notice that the clock is wrong.
const DOUBT: i64 = DAY * MICROS;

/// The time, which never goes back: not when the machine's clock is set back, and, with what
/// [`marks`](crate::marks) keeps, not across restarts either. What has expired stays so.
#[derive(Debug, Clone)]
pub struct Clock(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    source: Source,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// When the time was last read off the machine's clock, or told by the database.
    anchor: Option<Anchor>,
    /// The certain time before the last leap.
    leapt: Option<Anchor>,
}

/// What is certain while the time is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubt {
    /// The time that is certain, in milliseconds since 1970 UTC.
    pub certain: Millis,
    /// For how long no other is.
    pub left: Millis,
}

/// Where the time comes from.
#[derive(Debug)]
enum Source {
    /// The machine's clock, and how long this process knows it.
    System(Instant),
    /// Moved by hand.
    Manual(watch::Sender<Hands>),
}

/// What a machine tells.
#[derive(Debug, Clone, Copy)]
struct Hands {
    /// What the clock on the wall says, in microseconds since 1970 UTC. It may jump.
    wall: i64,
    /// Microseconds that passed since some moment. It never jumps.
    passed: i64,
}

/// From where the time goes on.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    /// The time then, in microseconds since 1970 UTC.
    time: i64,
    /// What had passed then.
    passed: i64,
}

impl Kept {
    /// By how much more a step is a leap. A machine that forgets the time each night has its clock set each
    /// morning: if that renewed a doubt, there would be no end of it.
    fn leap(&self, passed: i64) -> i64 {
        let is_doubted = self
            .leapt
            .is_some_and(|leapt| passed - leapt.passed < DOUBT);
        if is_doubted { DOUBT } else { LEAP }
    }

    /// The certain time when the clock says `time`, both in microseconds.
    fn certain(&self, time: i64, passed: i64) -> i64 {
        let leapt = self.leapt.filter(|leapt| passed - leapt.passed < DOUBT);
        leapt.map_or(time, |leapt| time.min(leapt.time + passed - leapt.passed))
    }
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::of(Source::System(Instant::now()))
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub fn manual(start: Millis) -> Self {
        Self::of(Source::Manual(watch::Sender::new(Hands {
            wall: start * MICROS,
            passed: 0,
        })))
    }

    fn of(source: Source) -> Self {
        let kept = Mutex::default();
        Self(Arc::new(Parts { source, kept }))
    }

    fn hands(&self) -> Hands {
        match &self.0.source {
            Source::Manual(hands) => *hands.borrow(),
            Source::System(start) => Hands {
                wall: jiff::Timestamp::now().as_microsecond(),
                passed: i64::try_from(start.elapsed().as_micros()).unwrap_or(i64::MAX),
            },
        }
    }

    /// Now. Never less than what was answered before.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.look(|_| ()) / MICROS
    }

    /// The time in microseconds, after the anchor was moved to it if need be.
    fn look(&self, change: impl FnOnce(&mut Anchor)) -> i64 {
        let mut kept = self.lock();
        // Under the lock: hands that were read before another's must not be used after them.
        let Hands { wall, passed } = self.hands();
        let here = Anchor { time: wall, passed };
        let anchor = *kept.anchor.get_or_insert(here);
        let since = passed - anchor.passed;
        let slowed = anchor.time + since - since.max(0) / SLOWER;
        let expected = anchor.time + since;
        // The clock must be wrong: no id could be made of that time, nor could it be taken back.
        let wall = if wall > LATEST * MICROS {
            expected
        } else {
            wall
        };
        if wall - expected > kept.leap(passed) {
            let time = kept.certain(expected, passed);
            kept.leapt = Some(Anchor { time, passed });
        }
        let anchor = kept.anchor.get_or_insert(here);
        if wall >= slowed {
            *anchor = Anchor { time: wall, passed };
        }
        let now = wall.max(slowed);
        let before = *anchor;
        change(anchor);
        if anchor.time > now {
            *anchor = Anchor {
                time: anchor.time,
                passed,
            };
            return anchor.time;
        }
        *anchor = before;
        now
    }

    /// The time is this, or later: another process of the same network has seen it. Not if no id can be made
    /// of that time: its clock was wrong.
    pub fn reach(&self, time: Millis) {
        if time > LATEST {
            return;
        }
        self.look(|anchor| anchor.time = time.saturating_mul(MICROS));
    }

    /// The time as far as it is certain, for what cannot be undone: not ahead of the machine's clock, and
    /// for a day after a leap what it would be without that.
    #[must_use]
    pub fn certain(&self) -> Millis {
        let now = self.look(|_| ());
        let Hands { wall, passed } = self.hands();
        self.lock().certain(now.min(wall), passed) / MICROS
    }

    /// The server was away for long, or its clock was wrong then or is now: so says what the database keeps.
    pub fn doubt(&self, doubt: Doubt) {
        let Hands { passed, .. } = self.hands();
        let gone = DOUBT - doubt.left * MICROS;
        self.lock().leapt = Some(Anchor {
            time: doubt.certain.saturating_mul(MICROS) - gone,
            passed: passed - gone,
        });
    }

    /// What is certain, if the time is in doubt: it goes on from there with the next start.
    #[must_use]
    pub fn doubted(&self) -> Option<Doubt> {
        let Hands { passed, .. } = self.hands();
        let leapt = self.lock().leapt?;
        let gone = passed - leapt.passed;
        (gone < DOUBT).then(|| Doubt {
            certain: (leapt.time + gone) / MICROS,
            left: (DOUBT - gone) / MICROS,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Who panicked with it in hand left it whole.
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the machine's own clock says; it may go back.
    #[must_use]
    pub fn wall(&self) -> Millis {
        self.hands().wall / MICROS
    }

    /// By how much the time is ahead of the machine's clock, in milliseconds: 0 unless that was set back.
    #[must_use]
    pub fn ahead(&self) -> Millis {
        (self.now() - self.wall()).max(0)
    }

    /// Waits until so much time has passed, whatever the clocks on the wall do meanwhile.
    pub async fn sleep(&self, time: Duration) {
        let Source::Manual(manual) = &self.0.source else {
            return tokio::time::sleep(time).await;
        };
        let mut hands = manual.subscribe();
        let time = i64::try_from(time.as_micros()).unwrap_or(i64::MAX / 2);
        let end = hands.borrow().passed + time;
        // This clock holds the sender, so there is always a next change to wait for.
        let _ = hands.wait_for(|hands| hands.passed >= end).await;
    }

    /// Lets time pass on a manual clock; the system's clock ignores it.
    pub fn advance(&self, by: Millis) {
        self.turn(|hands| {
            hands.wall += by * MICROS;
            hands.passed += by * MICROS;
        });
    }

    /// Sets a manual clock forward or back, as an operator or NTP would: no time passes. The system's
    /// clock ignores it.
    pub fn set(&self, by: Millis) {
        self.turn(|hands| hands.wall += by * MICROS);
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

    /// Set back, the time goes on from where it was, a little slower, until the clock has caught up.
    /// proves: clock-back
    #[test]
    fn a_clock_that_is_set_back_takes_no_time_back() {
        let clock = Clock::manual(START);
        assert_eq!(clock.now(), START);
        clock.set(-DAY);
        assert_eq!((clock.now(), clock.ahead()), (START, DAY));
        clock.advance(64 * SECOND);
        assert_eq!(clock.now(), START + 63 * SECOND);
        clock.advance(DAY * 64);
        assert_eq!((clock.now(), clock.ahead()), (clock.wall(), 0));
        clock.set(-HOUR);
        let there = clock.now();
        clock.set(HOUR / 2);
        assert_eq!(clock.now(), there);
        clock.set(DAY);
        assert_eq!(clock.now(), there + DAY - HOUR / 2);
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
        clock.advance(HOUR);
        assert_eq!(clock.now(), START + HOUR);
        clock.set(-100 * 365 * DAY);
        assert_eq!((clock.now(), clock.ahead()), (START + HOUR, 0));
    }

    /// It is off for eight hours each night, and knows that only once the network tells it the time.
    #[test]
    fn a_clock_that_is_set_each_morning_is_not_in_doubt_for_ever() {
        let clock = Clock::manual(START);
        assert_eq!(clock.certain(), START);
        for _ in 0..9 {
            clock.set(8 * HOUR);
            assert!(clock.now() - clock.certain() <= DAY);
            clock.advance(16 * HOUR);
        }
        // A leap beyond a day is another matter, in doubt or not.
        let certain = clock.certain();
        clock.set(HOUR + 1);
        clock.set(8 * DAY);
        assert!(clock.certain() <= certain + HOUR + 1);
        clock.advance(DAY);
        assert_eq!(clock.certain(), clock.now());
    }

    /// What another process saw is the least, and lasts.
    #[test]
    fn a_time_that_was_reached_is_kept() {
        let clock = Clock::manual(START);
        clock.reach(START + HOUR);
        clock.reach(START);
        assert_eq!(clock.now(), START + HOUR);
        clock.advance(64);
        assert_eq!(clock.now(), START + HOUR + 63);
    }

    /// Who sleeps wakes when the time has passed, not when the clock was set.
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
