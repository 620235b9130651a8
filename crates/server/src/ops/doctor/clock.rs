//! Checks the system clock.

use crate::ops::doctor::Check;
use crate::ops::doctor::data_dir::open_unchanged;
use crate::platform::clock::watermark;
use crate::platform::clock::{Clock, EPOCH, Millis, SECOND, rfc3339};
use crate::platform::config::Settings;

/// Start of the year 2090, shortly before ids overflow.
const END_OF_RANGE: Millis = 3_786_912_000_000;

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
             see \"When the clock was wrong\" in docs/operations.md for how to delete that time.",
        ),
        _ => Check::ok(NAME, formatted),
    }
}

/// Loads the clock's watermark; `None` if the database cannot be read.
async fn load_watermark(settings: &Settings) -> Option<Millis> {
    let db = open_unchanged(settings).await?;
    let seen = watermark::load(&db.reader()).await;
    db.close().await;
    seen.ok()
}
