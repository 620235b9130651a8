//! How far time has got, in the database: a start goes on from there, although the machine's clock was
//! set back meanwhile, and nodes whose clocks differ agree.
//!
//! A running server writes its mark every 15 seconds and at its end, so a process that was killed is
//! taken up 15 seconds early at most.

use crate::app::App;
use crate::auth;
use crate::clock::{Clock, DAY, Doubt, MINUTE, Millis, SECOND, rfc3339};
use crate::ids::LATEST;
use kith_db::{Db, Reader, Result, Sql, Tx, Write, params, sql};

/// The time between two marks, and so what a mark may be behind when its process was killed.
pub const PERIOD: Millis = 15 * SECOND;
/// By how much the time may be ahead before somebody is told.
pub const NOTABLE: Millis = MINUTE;

const ALL: Sql = sql!("select node, seen_at, wall_at from clock_marks");
const SET: Sql = sql!(
    "insert into clock_marks (node, seen_at, wall_at) values ($1, $2, $3)
     on conflict (node) do update set seen_at = excluded.seen_at, wall_at = excluded.wall_at
     where clock_marks.seen_at <= excluded.seen_at"
);
/// A node that doubts its time has a second row, below 0: the time that is certain, and the time at which
/// the doubt ends.
const SET_DOUBT: Sql = sql!(
    "insert into clock_marks (node, seen_at, wall_at) values ($1, $2, $3)
     on conflict (node) do update set seen_at = excluded.seen_at, wall_at = excluded.wall_at"
);

/// How far time had got on a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    node: i64,
    /// The time, in milliseconds since 1970 UTC.
    seen_at: Millis,
    /// What the machine's clock said then.
    wall_at: Millis,
}

impl Mark {
    /// What time it is at least for a node, when its machine's clock says `wall`, and whether that is certain.
    /// A clock that is past what was seen is believed. One that is not was set back; since then it may have been
    /// put right, and how far it moved does not tell how long the server was away.
    fn reached(self, node: i64, wall: Millis) -> (Millis, bool) {
        if wall >= self.seen_at {
            return (wall, true);
        }
        if node != self.node && self.seen_at - wall <= PERIOD {
            // Another machine's clock is never the same to the second.
            return (self.seen_at, true);
        }
        let away = wall - self.wall_at;
        let is_short = (0..=PERIOD).contains(&away);
        let least = if is_short { away } else { PERIOD };
        (self.seen_at + least, is_short)
    }
}

/// How far time has got in a database.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks {
    /// The newest of all nodes: who starts anew may have another number than before.
    newest: Option<Mark>,
    /// What was certain then, if that was less, and until when nothing else is.
    doubt: Option<(Millis, Millis)>,
}

impl Marks {
    fn of(rows: &[Mark]) -> Self {
        let (doubts, marks): (Vec<Mark>, Vec<Mark>) = rows.iter().partition(|row| row.node < 0);
        let newest = marks.into_iter().max_by_key(|mark| mark.seen_at);
        let seen_at = newest.map_or(0, |mark| mark.seen_at);
        let lasting = doubts.iter().filter(|doubt| doubt.wall_at > seen_at);
        let lasting = lasting.map(|doubt| (doubt.seen_at, doubt.wall_at));
        let doubt = lasting.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        Self { newest, doubt }
    }

    /// The newest time that any node has seen.
    #[must_use]
    pub fn newest(&self) -> Option<Millis> {
        self.newest.map(|mark| mark.seen_at)
    }

    /// What is in doubt at a time: what was so before, and what is more than a day later than all that was
    /// seen. Whoever starts then was away for long, or the clock is wrong.
    fn doubt_at(&self, time: Millis) -> Option<Doubt> {
        let seen_at = self.newest()?;
        if time - seen_at > DAY {
            let certain = self.doubt.map_or(seen_at, |(certain, _)| certain);
            return Some(Doubt { certain, left: DAY });
        }
        let (certain, until) = self.doubt?;
        let left = until - time;
        Some(Doubt { certain, left })
    }
}

/// The marks of a database.
pub async fn read(db: &Reader<'_>) -> Result<Marks> {
    let mark = |row: &kith_db::Row<'_>| {
        Ok(Mark {
            node: row.int(0)?,
            seen_at: row.int(1)?,
            wall_at: row.int(2)?,
        })
    };
    Ok(Marks::of(&db.all(&ALL, &[], mark).await?))
}

/// Before anything is done: the time is at least what the database has seen.
pub async fn resume(db: &Db, clock: &Clock) -> Result<Marks> {
    let marks = read(&db.reader()).await?;
    if let Some(time) = marks.newest() {
        clock.reach(time);
    }
    Ok(marks)
}

/// Refuses a time in which no ids can be made. They would be those of the start before, again.
pub fn check(marks: &Marks, clock: &Clock) -> std::result::Result<(), String> {
    let wall = clock.wall();
    if wall > LATEST {
        return Err(format!(
            "This machine's clock says {}: set it, no id can be made of that time.",
            rfc3339(wall)
        ));
    }
    match marks.newest() {
        Some(seen) if seen > LATEST => Err(format!(
            "The network has come to {}, a time of which no id can be made: a clock was wrong. docs/operations.md says \
             under \"When the clock was wrong\" how to forget that time (`delete from clock_marks` is a part of it).",
            rfc3339(seen)
        )),
        _ => Ok(()),
    }
}

/// Takes up the time for a node that starts, and notes it. When the clock was set back while it was away,
/// nobody knows for how long that was: links that would have expired soon have expired.
pub async fn take_up(db: &Db, clock: &Clock, node: i64, marks: &Marks) -> Result<()> {
    let Some(newest) = marks.newest else {
        return note(db, clock, node, false).await;
    };
    let wall = clock.wall();
    let (time, is_certain) = newest.reached(node, wall);
    clock.reach(time);
    if !is_certain {
        tracing::warn!(
            seconds = (newest.seen_at - wall) / SECOND,
            "the machine's clock is behind the time that the network last saw: the time goes on from there, and login links that were on their way have ended"
        );
    }
    take_up_doubt(clock, marks);
    note(db, clock, node, !is_certain).await
}

/// A command beside a server: its time is the server's, and it notes nothing.
pub fn follow(clock: &Clock, marks: &Marks) {
    // The server that runs may have seen its clock set back a moment ago: that is no reason to be ahead of it.
    if let Some(mark) = marks.newest.filter(|mark| clock.wall() >= mark.wall_at) {
        clock.reach(mark.reached(mark.node, clock.wall()).0);
    }
    take_up_doubt(clock, marks);
}

/// What was in doubt stays so for those who start: else one restart would make a wrong time certain.
fn take_up_doubt(clock: &Clock, marks: &Marks) {
    if let Some(doubt) = marks.doubt_at(clock.now()) {
        clock.doubt(doubt);
    }
}

/// Notes the time, and takes up what other nodes have seen. False when it is notably ahead of this
/// machine's clock.
pub async fn keep(app: &App) -> Result<bool> {
    note(&app.db, &app.clock, app.lease.node, false).await?;
    if app.db.engine() == kith_db::Engine::Postgres {
        let marks = resume(&app.db, &app.clock).await?;
        // What another node doubts this one must not take for certain, though its own clock has come there since.
        if app.clock.doubted().is_none() {
            take_up_doubt(&app.clock, &marks);
        }
    }
    let ahead = app.clock.ahead();
    metrics::gauge!("kith_clock_ahead_seconds")
        .set(f64::from(u32::try_from(ahead / SECOND).unwrap_or(u32::MAX)));
    Ok(ahead < NOTABLE)
}

async fn note(db: &Db, clock: &Clock, node: i64, ends_links: bool) -> Result<()> {
    let (seen_at, wall_at) = (clock.now(), clock.wall());
    let mark = Mark {
        node,
        seen_at,
        wall_at,
    };
    let doubt = clock.doubted();
    db.write(Note {
        mark,
        doubt,
        ends_links,
    })
    .await
}

/// Writes a mark, unless one of a later time is there.
struct Note {
    mark: Mark,
    doubt: Option<Doubt>,
    /// Whether links that expire soon do so now.
    ends_links: bool,
}

impl Write for Note {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let Mark {
            node,
            seen_at,
            wall_at,
        } = self.mark;
        if self.ends_links {
            auth::end_short_links(tx, seen_at).await?;
        }
        tx.exec(&SET, params![node, seen_at, wall_at]).await?;
        if let Some(Doubt { certain, left }) = self.doubt {
            let bound = params![-1 - node, certain, seen_at + left];
            tx.exec(&SET_DOUBT, bound).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::HOUR;

    #[test]
    fn time_that_was_ahead_stays_so_while_the_server_is_away() {
        let mark = Mark {
            node: 0,
            seen_at: 10 * DAY,
            wall_at: 9 * DAY,
        };
        assert_eq!(mark.reached(0, 9 * DAY + 5), (10 * DAY + 5, true));
        assert_eq!(mark.reached(0, 8 * DAY), (10 * DAY + PERIOD, false));
        // An hour away, or an hour that the clock was put right by: nobody knows.
        let hour_later = mark.reached(0, 9 * DAY + HOUR);
        assert_eq!(hour_later, (10 * DAY + PERIOD, false));
        assert_eq!(mark.reached(0, 11 * DAY), (11 * DAY, true));
    }

    /// A machine without a battery starts in 1970, and its clock is put right between two starts.
    #[test]
    fn a_correction_is_no_time_away() {
        let seen_at = 20_000 * DAY;
        let mark = Mark {
            node: 0,
            seen_at,
            wall_at: 0,
        };
        assert_eq!(mark.reached(0, seen_at + HOUR), (seen_at + HOUR, true));
        assert_eq!(mark.reached(0, seen_at - HOUR), (seen_at + PERIOD, false));
    }

    /// Another number is no other time, but another machine's clock may differ by a little.
    #[test]
    fn the_newest_mark_of_any_node_counts() {
        let row = |node, seen_at| Mark {
            node,
            seen_at,
            wall_at: seen_at,
        };
        let marks = Marks::of(&[row(0, 10 * DAY), row(3, 12 * DAY), row(2, 11 * DAY)]);
        let newest = marks.newest.expect("there are marks");
        assert_eq!(newest, row(3, 12 * DAY));
        let behind = |by| newest.reached(0, 12 * DAY - by);
        assert_eq!(behind(PERIOD), (12 * DAY, true));
        assert_eq!(behind(PERIOD + 1), (12 * DAY + PERIOD, false));
    }

    /// It ends with the time at which it was to end, however often there was a start meanwhile.
    #[test]
    fn a_doubt_lasts_over_starts() {
        let (then, until) = (8 * DAY, 9 * DAY);
        let row = |node, seen_at, wall_at| Mark {
            node,
            seen_at,
            wall_at,
        };
        let doubt = row(-1, HOUR, until);
        let marks = Marks::of(&[row(0, then, then), doubt, row(-2, 0, then)]);
        let certain = HOUR;
        let doubted = |left| Some(Doubt { certain, left });
        assert_eq!(marks.doubt_at(then + HOUR), doubted(23 * HOUR));
        // Away for more than a day: that is in doubt, too.
        assert_eq!(marks.doubt_at(then + DAY + 1), doubted(DAY));
        // The day has passed.
        let marks = Marks::of(&[row(0, until, until), doubt]);
        assert_eq!(marks.doubt_at(until + HOUR), None);
        let certain = until;
        let long = Some(Doubt { certain, left: DAY });
        assert_eq!(marks.doubt_at(until + DAY + 1), long);
    }
}
