//! Checks the system clock.

use crate::ops::doctor::Check;
use crate::ops::doctor::data_dir::open_unchanged;
use crate::platform::clock::watermark;
use crate::platform::clock::{Clock, EPOCH, Millis, SECOND, rfc3339};
use crate::platform::config::Settings;
use crate::platform::migrations::MIGRATIONS;
use kith_db::Depth;

/// Start of the year 2090, shortly before ids overflow.
const END_OF_RANGE: Millis = 3_786_912_000_000;
/// Difference of two clocks above which the check warns.
const MAX_DIFFERENCE: Millis = 2 * SECOND;

/// Checks the system clock against the range of ids and the clock's watermark: ids, links and sessions depend on it.
pub(super) async fn clock(settings: &Settings, clock: &Clock) -> Check {
    const NAME: &str = "clock";
    const ADVICE: &str = "Set the machine's clock, and keep it in sync with NTP.";
    let now = clock.system_now();
    let formatted = rfc3339(now);
    if !(EPOCH..END_OF_RANGE).contains(&now) {
        return Check::fail(NAME, format!("it says {formatted}"), ADVICE);
    }
    match load_watermark(settings).await {
        Some(seen) if seen > now + watermark::TOLERANCE => Check::fail(
            NAME,
            format!(
                "it says {formatted}, but the clock watermark is {}: {} seconds later",
                rfc3339(seen),
                (seen - now) / SECOND
            ),
            "Kith cannot start. If this clock is behind, set it, and keep it in sync with NTP. If it was ahead before, \
             see docs/admin/clock.md for how to delete that time.",
        ),
        _ => Check::ok(NAME, formatted),
    }
}

/// Compares the system clock with PostgreSQL's; `None` for SQLite, and if the database cannot be read.
pub(super) async fn database_clock(settings: &Settings, clock: &Clock) -> Option<Check> {
    let config = settings.store.database();
    let before = clock.system_now();
    let health = kith_db::health(&config, MIGRATIONS, Depth::Shallow).await;
    let after = clock.system_now();
    let theirs = health.ok()?.server_time?;
    Some(compare_clocks(before, after, theirs))
}

/// Compares a time that was read between two times of this machine.
fn compare_clocks(before: Millis, after: Millis, theirs: Millis) -> Check {
    const NAME: &str = "database clock";
    let ahead = (theirs - after).max(0) - (before - theirs).max(0);
    if ahead.abs() <= MAX_DIFFERENCE {
        return Check::ok(NAME, "PostgreSQL's clock agrees with this machine's");
    }
    let (seconds, direction) =
        (ahead.abs() / SECOND, if ahead > 0 { "ahead of" } else { "behind" });
    Check::warn(
        NAME,
        format!("PostgreSQL's clock is {seconds} seconds {direction} this machine's"),
        "Keep both machines in sync with NTP: otherwise the times in their logs cannot be compared.",
    )
}

/// Loads the clock's watermark; `None` if the database cannot be read.
async fn load_watermark(settings: &Settings) -> Option<Millis> {
    let db = open_unchanged(settings).await?;
    let seen = watermark::load(&db.reader()).await;
    db.close().await;
    seen.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: operate-doctor-clocks
    #[test]
    fn a_difference_of_the_clocks_is_reported() {
        let found = |theirs| compare_clocks(100_000, 105_000, theirs).found;
        // The request itself may take long.
        for theirs in [98_000, 100_000, 103_000, 107_000] {
            assert!(found(theirs).contains("agrees"), "{theirs}");
        }
        assert!(found(97_000).contains("is 3 seconds behind"));
        assert!(found(165_000).contains("is 60 seconds ahead of"));
    }
}
