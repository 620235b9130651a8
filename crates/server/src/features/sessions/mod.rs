//! Sessions: the cookie and the stored row. `authenticated_member.rs` has the extractor, `auth/devices.rs` the list.

pub mod extract;

mod ended;
mod state;

pub use ended::Cause;
pub(crate) use ended::{by_suspension, from_elsewhere, missing};
pub use state::SessionsState;

use crate::features::members;
use crate::http::cookies;
use crate::http::error::Result;
use crate::platform::Platform;
use crate::platform::cache::{Remembered, Slot, Topic};
use crate::platform::clock::{DAY, HOUR, Millis};
use crate::platform::crypto;
use crate::platform::ids::Id;
use axum::http::{HeaderMap, HeaderName};
use kith_db::{Db, Reader, Sql, Tx, WatchSpec, hash_key, params, sql};
use std::sync::Arc;
use std::time::Duration;

/// A session ends after this long without a request.
pub const IDLE: Millis = 14 * DAY;
/// A session ends this long after login whatever happens.
pub const ABSOLUTE: Millis = 30 * DAY;
/// How many sessions a member has; one more ends the one that was unused longest.
pub const MOST: u32 = 50;
/// How stale the time of the last request may be: a write an hour, not one a request.
const TOUCH: Millis = HOUR;
/// How long a request waits for that write.
const TOUCH_PATIENCE: Duration = Duration::from_secs(1);

const INSERT: Sql = sql!(
    "insert into sessions (hash, id, member_id, created_at, seen_at, user_agent)
     values ($1, $2, $3, $4, $4, $5) on conflict (hash) do nothing"
);
const MAKE_ROOM: Sql = sql!(
    "delete from sessions where hash in (select hash from sessions where member_id = $1
       order by seen_at desc, id desc limit 1000 offset $2)"
);
const FIND: Sql = sql!("select member_id, created_at, seen_at from sessions where hash = $1");
const TOUCHED: Sql = sql!("update sessions set seen_at = $2 where hash = $1");
const HOLD: Sql = sql!("update sessions set seen_at = seen_at where hash = $1");
const DELETE: Sql = sql!("delete from sessions where hash = $1");
const MINE: Sql = sql!(
    "select hash, id, created_at, seen_at, user_agent from sessions
     where member_id = $1 and created_at > $2 and seen_at > $3
     order by seen_at desc, id desc limit $4"
);
const DELETE_ONE: Sql =
    sql!("delete from sessions where member_id = $1 and id = $2 returning hash");
const DELETE_ALL: Sql = sql!("delete from sessions where member_id = $1");
const DELETE_EVERYBODYS: Sql = sql!("delete from sessions where hash > ''");
const DELETE_OTHERS: Sql = sql!("delete from sessions where member_id = $1 and hash <> $2");
const PURGE_OLD: Sql = sql!(
    "delete from sessions where hash in (select hash from sessions where created_at <= $1
       order by created_at limit $2) and created_at <= $1"
);
const PURGE_IDLE: Sql = sql!(
    "delete from sessions where hash in (select hash from sessions where seen_at <= $1
       order by seen_at limit $2) and seen_at <= $1"
);

/// What memory depends on here.
pub const WATCHES: &[WatchSpec] = &[Topic::Session.watch("sessions", &["hash"])];

/// A session as it is stored, by its hash.
#[derive(Debug)]
pub struct Found {
    member: Id,
    created: Millis,
    seen: Millis,
    slots: [Slot; 1],
}

impl Found {
    fn has_ended(&self, now: Millis) -> bool {
        now >= self.created + ABSOLUTE || now >= self.seen + IDLE
    }
}

impl Remembered for Found {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + 64
    }
}

/// The active member of a session, by the cookie's stored form.
pub(crate) async fn find(app: &SessionsState, hash: &str) -> Result<Option<Id>> {
    let reader = app.db.reader();
    let Some(found) = stored(app, &reader, hash).await? else {
        return Ok(None);
    };
    let (member, now) = (found.member, app.now());
    if found.has_ended(now) || !members::is_still_here(&app.members, &reader, member).await? {
        return Ok(None);
    }
    // The write takes its own connection: a request that holds another one meanwhile can starve the pool.
    drop(reader);
    if now >= found.seen + TOUCH {
        // Best effort: a full disk or a slow commit must not log anybody out.
        let bound = params![hash, now];
        let touch = app.db.exec(&TOUCHED, bound);
        if !matches!(tokio::time::timeout(TOUCH_PATIENCE, touch).await, Ok(Ok(_))) {
            tracing::warn!("a session could not be marked as used");
        }
    }
    Ok(Some(member))
}

/// The member of the session cookie, if the session is cached. It does not prove that the member is active.
pub(crate) fn cached_member(app: &SessionsState, headers: &HeaderMap) -> Option<Id> {
    let found = app.sessions.peek(&hash_in(app, headers)?)?;
    (!found.has_ended(app.now())).then_some(found.member)
}

async fn stored(app: &SessionsState, db: &Reader<'_>, hash: &str) -> Result<Option<Arc<Found>>> {
    if let Some(found) = app.sessions.get(hash) {
        return Ok(Some(found));
    }
    let slots = [Slot::of(Topic::Session, hash_key(hash))];
    let stamp = app.memory.stamp(&slots);
    let bound = params![hash];
    let row = db.opt(&FIND, bound, |row| {
        Ok(Found {
            member: Id(row.int(0)?),
            created: row.int(1)?,
            seen: row.int(2)?,
            slots,
        })
    });
    let found = row.await?.map(Arc::new);
    if let Some(found) = &found {
        app.sessions.put(hash.to_owned(), stamp, found);
    }
    Ok(found)
}

/// A session that begins.
#[derive(Debug)]
pub struct NewSession {
    /// What its member will name it by.
    pub id: Id,
    /// What the cookie will hold.
    pub value: String,
    /// What the browser says of itself.
    pub user_agent: String,
}

/// Starts a session inside the transaction that proves the login.
pub async fn start(tx: &mut Tx, new: &NewSession, member: Id, now: Millis) -> kith_db::Result<()> {
    tx.exec(&MAKE_ROOM, params![member.0, MOST - 1]).await?;
    let hash = crypto::hash(&new.value);
    let bound = params![&hash, new.id.0, member.0, now, &new.user_agent];
    tx.exec(&INSERT, bound).await.map(drop)
}

/// A session as it is stored.
#[derive(Debug)]
pub struct Stored {
    /// The stored form of the cookie.
    pub hash: String,
    /// What its member names it by.
    pub id: Id,
    /// When the login was.
    pub created_at: Millis,
    /// When it was last used, at most an hour too early.
    pub seen_at: Millis,
    /// What the browser said of itself at the login.
    pub user_agent: String,
}

/// The sessions with which a member could call now, the one used last first.
pub async fn of_member(db: &Reader<'_>, member: Id, now: Millis) -> kith_db::Result<Vec<Stored>> {
    let bound = params![member.0, now - ABSOLUTE, now - IDLE, MOST];
    db.all(&MINE, bound, |row| {
        Ok(Stored {
            hash: row.text(0)?,
            id: Id(row.int(1)?),
            created_at: row.int(2)?,
            seen_at: row.int(3)?,
            user_agent: row.text(4)?,
        })
    })
    .await
}

/// Deletes at most `most` each of old and idle sessions and of notes on ended ones. Returns how many.
pub async fn purge(tx: &mut Tx, now: Millis, most: u32) -> kith_db::Result<u64> {
    let old = tx.exec(&PURGE_OLD, params![now - ABSOLUTE, most]).await?;
    let idle = tx.exec(&PURGE_IDLE, params![now - IDLE, most]).await?;
    Ok(old + idle + ended::purge(tx, now - ABSOLUTE, most).await?)
}

/// Ends a session, if there is one.
pub async fn log_out(db: &Db, hash: &str) -> kith_db::Result<()> {
    db.exec(&DELETE, params![hash]).await.map(drop)
}

/// Ends a session inside a transaction, if there is one.
pub async fn end(tx: &mut Tx, hash: &str) -> kith_db::Result<()> {
    tx.exec(&DELETE, params![hash]).await.map(drop)
}

/// When the login of a session was, if it has not ended.
pub async fn started_at(tx: &mut Tx, hash: &str) -> kith_db::Result<Option<Millis>> {
    tx.opt(&FIND, params![hash], |row| row.int(1)).await
}

/// Locks a session until this write is done; false when it has ended.
pub async fn hold(tx: &mut Tx, hash: &str) -> kith_db::Result<bool> {
    Ok(tx.exec(&HOLD, params![hash]).await? > 0)
}

/// Whether a session has not been ended.
pub async fn goes_on(db: &Reader<'_>, hash: &str) -> kith_db::Result<bool> {
    let found = db.opt(&FIND, params![hash], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// The stored form of the session cookie that came along, whether or not it is one's.
#[must_use]
pub fn hash_in(platform: &Platform, headers: &HeaderMap) -> Option<String> {
    cookies::value(headers, cookies::session_name(platform)).map(crypto::hash)
}

/// Ends one session of a member, and answers the stored form of its cookie if there was one.
#[derive(Debug)]
pub struct EndOne {
    /// Whose it must be.
    pub member: Id,
    /// Which.
    pub id: Id,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for EndOne {
    type Out = Option<String>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<String>> {
        let bound = params![self.member.0, self.id.0];
        let ended = tx.opt(&DELETE_ONE, bound, |row| row.text(0)).await?;
        if let Some(hash) = &ended {
            ended::note(tx, hash, self.now).await?;
        }
        Ok(ended)
    }
}

/// Ends every session of a member.
pub async fn end_all(tx: &mut Tx, member: Id, cause: Cause, now: Millis) -> kith_db::Result<()> {
    ended::note_all(tx, member, cause, now).await?;
    erase_all(tx, member).await
}

/// Deletes every session of a member and keeps no note of them.
pub async fn erase_all(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE_ALL, params![member.0]).await.map(drop)
}

/// Ends every session of everybody, and answers how many those were.
pub async fn end_everybodys(tx: &mut Tx) -> kith_db::Result<u64> {
    tx.exec(&DELETE_EVERYBODYS, params![]).await
}

/// Ends every session of a member but one.
pub async fn end_others(tx: &mut Tx, member: Id, hash: &str, now: Millis) -> kith_db::Result<()> {
    ended::note_others(tx, member, hash, now).await?;
    tx.exec(&DELETE_OTHERS, params![member.0, hash])
        .await
        .map(drop)
}

/// The cookie of a new session, or the one that removes it when `value` is empty.
#[must_use]
pub fn cookie(platform: &Platform, value: &str) -> (HeaderName, String) {
    let age = if value.is_empty() {
        0
    } else {
        ABSOLUTE / 1_000
    };
    cookies::line(platform, cookies::session_name(platform), value, age)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::cache::unwatched;

    /// What memory keeps of these rows changes only with somebody being told.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_remembered_is_watched() {
        let (text, topic, table) = (FIND.postgres, Topic::Session, "sessions");
        assert_eq!(unwatched(WATCHES, text, topic, table), [""; 0], "{text}");
    }
}
