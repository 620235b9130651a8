//! Whether the machine's clock can be right.

use crate::clock::{Clock, MINUTE, Millis, SECOND, rfc3339};
use crate::config::Settings;
use crate::doctor::Check;
use crate::ids;
use crate::marks;
use crate::schema::MIGRATIONS;
use kith_db::{Db, Depth};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Ids count from here; no installation is older.
const EARLIEST: Millis = 1_735_689_600_000;
/// 2090: ids last a little longer.
const LATEST: Millis = 3_786_912_000_000;

/// Whether the time can be right: ids, links and sessions depend on it.
pub(super) async fn clock(settings: &Settings, clock: &Clock) -> Check {
    const NAME: &str = "clock";
    const ADVICE: &str = "Set the machine's clock, and let NTP keep it.";
    let now = clock.wall();
    let shown = rfc3339(now);
    if !(EARLIEST..LATEST).contains(&now) {
        return Check::fail(NAME, format!("it says {shown}"), ADVICE);
    }
    if let Some(then) = written_at(&settings.store.file())
        && then > now + 5 * MINUTE
    {
        let then = rfc3339(then);
        let found = format!("it says {shown}, but the database was written at {then}");
        return Check::fail(NAME, found, ADVICE);
    }
    match seen_at(settings).await {
        Some(seen) if seen > ids::LATEST => Check::fail(
            NAME,
            format!(
                "the network has come to {}, a time of which no id can be made",
                rfc3339(seen)
            ),
            "No start will do: docs/operations.md says under \"When the clock was wrong\" how to forget that time.",
        ),
        Some(seen) if seen > now + marks::NOTABLE => Check::warn(
            NAME,
            format!(
                "it says {shown}, but the network has come to {}: {} seconds more",
                rfc3339(seen),
                (seen - now) / SECOND
            ),
            "If this machine is wrong, set its clock and let NTP keep it. If it was wrong before, \
             docs/operations.md says under \"When the clock was wrong\" what becomes of it.",
        ),
        _ => Check::ok(NAME, shown),
    }
}

/// How far time has got, as far as the database can be asked.
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
    let newest = async { marks::read(&db.reader()).await.ok()?.newest() };
    let newest = newest.await;
    db.close().await;
    newest
}

fn written_at(path: &Path) -> Option<Millis> {
    let time = std::fs::metadata(path).ok()?.modified().ok()?;
    Millis::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}
