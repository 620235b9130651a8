//! Whether the machine's clock can be right.

use crate::ops::doctor::Check;
use crate::platform::clock::watermark;
use crate::platform::clock::{Clock, Millis, SECOND, rfc3339};
use crate::platform::config::Settings;
use crate::platform::migrations::MIGRATIONS;
use kith_db::{Db, Depth};

/// Ids count from here; no installation is older.
const EARLIEST: Millis = 1_735_689_600_000;
/// 2090: ids last a little longer.
const LATEST: Millis = 3_786_912_000_000;

/// Whether the time can be right: ids, links and sessions depend on it.
pub(super) async fn clock(settings: &Settings, clock: &Clock) -> Check {
    const NAME: &str = "clock";
    const ADVICE: &str = "Set the machine's clock, and let NTP keep it.";
    let now = clock.system_now();
    let shown = rfc3339(now);
    if !(EARLIEST..LATEST).contains(&now) {
        return Check::fail(NAME, format!("it says {shown}"), ADVICE);
    }
    match seen_at(settings).await {
        Some(seen) if seen > now + watermark::TOLERANCE => Check::fail(
            NAME,
            format!(
                "it says {shown}, but the network has come to {}: {} seconds more",
                rfc3339(seen),
                (seen - now) / SECOND
            ),
            "No start will do. If this clock is behind, set it, and let NTP keep it. If it was ahead before, \
             docs/operations.md says under \"When the clock was wrong\" how to forget that time.",
        ),
        _ => Check::ok(NAME, shown),
    }
}

/// The clock's watermark, as far as the database can be asked.
async fn seen_at(settings: &Settings) -> Option<Millis> {
    let config = settings.store.database();
    if settings.store.is_new() {
        return None;
    }
    // Opening could change the schema; looking must not.
    let health = kith_db::health(&config, MIGRATIONS, Depth::Shallow).await;
    if health.ok()?.missing > 0 {
        return None;
    }
    let db = Db::open_as_is(&config, MIGRATIONS).await.ok()?;
    let seen = watermark::load(&db.reader()).await;
    db.close().await;
    seen.ok()
}
