//! Clock watermark: the latest time that any node has seen, stored in the database. A starting node resumes from it,
//! and nodes with different system clocks agree. A server saves it every 15 seconds and when it stops.

use crate::clock::{Clock, LATEST, MINUTE, Millis, SECOND, rfc3339};
use crate::ids::COMMAND_NODE;
use kith_db::{Db, Reader, Result, Sql, Tx, Write, params, sql};

/// Interval between two saves of the watermark.
pub const PERIOD: Millis = 15 * SECOND;
/// Maximum lag of the system clock behind the watermark.
pub const TOLERANCE: Millis = MINUTE;

const LOAD: Sql = sql!("select max(seen_at) from clock_marks");
const SAVE: Sql = sql!(
    "insert into clock_marks (node, seen_at, wall_at) values ($1, $2, $3)
     on conflict (node) do update set seen_at = excluded.seen_at, wall_at = excluded.wall_at
     where clock_marks.seen_at <= excluded.seen_at"
);

/// Loads the latest time that any node has seen; 0 in a new database.
pub async fn load(db: &Reader<'_>) -> Result<Millis> {
    let latest = db.one(&LOAD, &[], |row| row.opt_int(0)).await?;
    Ok(latest.unwrap_or(0))
}

/// Advances the clock to the watermark. Fails for a server whose system clock is more than a minute behind it, and
/// for every process past the last valid id. A command accepts the watermark of its server.
pub fn restore(watermark: Millis, clock: &Clock, node: i64) -> std::result::Result<(), String> {
    let wall = clock.system_now();
    if wall > LATEST {
        return Err(format!(
            "The system clock says {}: set it, that time is out of the range of IDs.",
            rfc3339(wall)
        ));
    }
    if watermark > LATEST || (node != COMMAND_NODE && watermark > wall + TOLERANCE) {
        return Err(format!(
            "The system clock says {}, but the clock watermark is {}. If the clock is behind, set it. If it was \
             ahead before, \"When the clock was wrong\" in docs/admin/clock.md says how to reset that time \
             (`delete from clock_marks` is a part of it).",
            rfc3339(wall),
            rfc3339(watermark)
        ));
    }
    clock.advance_to(watermark);
    Ok(())
}

/// Saves the time and adopts a later one of other nodes. Returns false if it is over a minute ahead of the system
/// clock.
pub async fn sync(db: &Db, clock: &Clock, node: i64) -> Result<bool> {
    save(db, clock, node).await?;
    if db.engine() == kith_db::Engine::Postgres {
        clock.advance_to(load(&db.reader()).await?);
    }
    let skew = clock.skew();
    metrics::gauge!("kith_clock_ahead_seconds")
        .set(f64::from(u32::try_from(skew / SECOND).unwrap_or(u32::MAX)));
    Ok(skew < TOLERANCE)
}

/// Saves the current time as the watermark of a node, unless a later one exists.
pub async fn save(db: &Db, clock: &Clock, node: i64) -> Result<()> {
    let (seen_at, wall_at) = (clock.now(), clock.system_now());
    db.write(SaveWatermark { node, seen_at, wall_at }).await
}

/// Writes a watermark unless a later one exists.
struct SaveWatermark {
    node: i64,
    seen_at: Millis,
    wall_at: Millis,
}

impl Write for SaveWatermark {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let bound = params![self.node, self.seen_at, self.wall_at];
        tx.exec(&SAVE, bound).await.map(drop)
    }
}
