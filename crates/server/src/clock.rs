//! The time, from one place, so that tests can move it.

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

/// A source of the current time.
#[derive(Debug, Clone)]
pub struct Clock {
    /// `None`: the system's clock.
    manual: Option<watch::Sender<Millis>>,
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub const fn system() -> Self {
        Self { manual: None }
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub fn manual(start: Millis) -> Self {
        Self {
            manual: Some(watch::Sender::new(start)),
        }
    }

    /// Now.
    #[must_use]
    pub fn now(&self) -> Millis {
        match &self.manual {
            Some(time) => *time.borrow(),
            None => jiff::Timestamp::now().as_millisecond(),
        }
    }

    /// Waits until so much time has passed.
    pub async fn sleep(&self, time: Duration) {
        let Some(manual) = &self.manual else {
            return tokio::time::sleep(time).await;
        };
        let mut now = manual.subscribe();
        let end = *now.borrow() + Millis::try_from(time.as_millis()).unwrap_or(Millis::MAX / 2);
        // This clock holds the sender, so there is always a next change to wait for.
        let _ = now.wait_for(|now| *now >= end).await;
    }

    /// Moves a manual clock forward; the system's clock ignores it.
    pub fn advance(&self, by: Millis) {
        if let Some(time) = &self.manual {
            time.send_modify(|now| *now += by);
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
}
