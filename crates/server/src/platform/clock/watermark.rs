//! The clock's watermark: the latest time that any node has seen, kept in the database. A start goes on from
//! it, and nodes whose system clocks differ agree.
//!
//! A running server writes it every 15 seconds and when it stops, so a killed process leaves it at most
//! 15 seconds behind.

use crate::platform::clock::{Clock, LATEST, MINUTE, Millis, SECOND, rfc3339};
use crate::platform::ids::COMMAND_NODE;
use kith_db::{Db, Reader, Result, Sql, Tx, Write, params, sql};

/// The time between two writes.
pub const PERIOD: Millis = 15 * SECOND;
/// How far the system clock may be behind the watermark.
pub(crate) const TOLERANCE: Millis = MINUTE;

const NEWEST: Sql = sql!("select max(seen_at) from clock_marks");
const SET: Sql = sql!(
    "insert into clock_marks (node, seen_at, wall_at) values ($1, $2, $3)
     on conflict (node) do update set seen_at = excluded.seen_at, wall_at = excluded.wall_at
     where clock_marks.seen_at <= excluded.seen_at"
);

/// The latest time that any node has seen; 0 in a new database.
pub async fn load(db: &Reader<'_>) -> Result<Millis> {
    let newest = db.one(&NEWEST, &[], |row| row.opt_int(0)).await?;
    Ok(newest.unwrap_or(0))
}

/// Moves the clock to the watermark. A server does not start on a clock that is more than a minute behind, a command
/// follows its server, and nothing starts past the last id.
pub fn restore(seen: Millis, clock: &Clock, node: i64) -> std::result::Result<(), String> {
    let wall = clock.wall();
    if wall > LATEST {
        return Err(format!(
            "The system clock says {}: set it, no id can be made of that time.",
            rfc3339(wall)
        ));
    }
    if seen > LATEST || (node != COMMAND_NODE && seen > wall + TOLERANCE) {
        return Err(format!(
            "The system clock says {}, but the network has come to {}. If the clock is behind, set it. If it was \
             ahead before, docs/operations.md says under \"When the clock was wrong\" how to forget that time \
             (`delete from clock_marks` is a part of it).",
            rfc3339(wall),
            rfc3339(seen)
        ));
    }
    clock.reach(seen);
    Ok(())
}

/// Saves the time and takes over other nodes' later one. False when it is notably ahead of the system clock.
pub async fn keep(db: &Db, clock: &Clock, node: i64) -> Result<bool> {
    save(db, clock, node).await?;
    if db.engine() == kith_db::Engine::Postgres {
        clock.reach(load(&db.reader()).await?);
    }
    let ahead = clock.ahead();
    metrics::gauge!("kith_clock_ahead_seconds")
        .set(f64::from(u32::try_from(ahead / SECOND).unwrap_or(u32::MAX)));
    Ok(ahead < TOLERANCE)
}

/// Raises the watermark of a node to the time.
pub async fn save(db: &Db, clock: &Clock, node: i64) -> Result<()> {
    let (seen_at, wall_at) = (clock.now(), clock.wall());
    db.write(SaveWatermark {
        node,
        seen_at,
        wall_at,
    })
    .await
}

/// Writes a watermark, unless a later one is there.
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
        tx.exec(&SET, bound).await.map(drop)
    }
}
