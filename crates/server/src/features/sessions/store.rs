//! Sessions in the database.

use crate::features::sessions::ended::{self, Cause};
use crate::platform::clock::{DAY, HOUR, Millis};
use crate::platform::crypto;
use crate::platform::ids::Id;
use kith_db::{Db, Reader, Sql, Tx, params, sql};

/// A session ends after this long without a request.
pub const IDLE_TIMEOUT: Millis = 14 * DAY;
/// A session ends this long after login, even if it is in use.
pub const MAX_AGE: Millis = 30 * DAY;
/// How stale `seen_at` may be: limits the updates to one per hour and session.
pub(super) const TOUCH_INTERVAL: Millis = HOUR;
/// Maximum sessions per member; a new one ends the least recently used.
pub const MAX_PER_MEMBER: u32 = 50;

pub(super) const FIND: Sql =
    sql!("select member_id, created_at, seen_at from sessions where hash = $1");
const INSERT: Sql = sql!(
    "insert into sessions (hash, id, member_id, created_at, seen_at, user_agent)
     values ($1, $2, $3, $4, $4, $5) on conflict (hash) do nothing"
);
const DELETE_LEAST_RECENT: Sql = sql!(
    "delete from sessions where hash in (select hash from sessions where member_id = $1
       order by seen_at desc, id desc limit 1000 offset $2)"
);
const LOCK: Sql = sql!("update sessions set seen_at = seen_at where hash = $1");
const DELETE: Sql = sql!("delete from sessions where hash = $1");
const LIST: Sql = sql!(
    "select hash, id, created_at, seen_at, user_agent from sessions
     where member_id = $1 and created_at > $2 and seen_at > $3
     order by seen_at desc, id desc limit $4"
);
const DELETE_ONE: Sql =
    sql!("delete from sessions where member_id = $1 and id = $2 returning hash");
const DELETE_ALL: Sql = sql!("delete from sessions where member_id = $1");
const DELETE_ALL_MEMBERS: Sql = sql!("delete from sessions where hash > ''");
const DELETE_OTHERS: Sql = sql!("delete from sessions where member_id = $1 and hash <> $2");
const PURGE_OLD: Sql = sql!(
    "delete from sessions where hash in (select hash from sessions where created_at <= $1
       order by created_at limit $2) and created_at <= $1"
);
const PURGE_IDLE: Sql = sql!(
    "delete from sessions where hash in (select hash from sessions where seen_at <= $1
       order by seen_at limit $2) and seen_at <= $1"
);

/// Values of a new session.
#[derive(Debug)]
pub struct NewSession {
    /// Id by which the member can end the session.
    pub id: Id,
    /// Value of the cookie.
    pub value: String,
    /// `User-Agent` header of the login.
    pub user_agent: String,
}

/// Inserts a session, and deletes the least recently used ones beyond [`MAX_PER_MEMBER`].
pub async fn start_session(
    tx: &mut Tx,
    new: &NewSession,
    member: Id,
    now: Millis,
) -> kith_db::Result<()> {
    tx.exec(&DELETE_LEAST_RECENT, params![member.0, MAX_PER_MEMBER - 1]).await?;
    let hash = crypto::hash_secret(&new.value);
    let parameters = params![&hash, new.id.0, member.0, now, &new.user_agent];
    tx.exec(&INSERT, parameters).await.map(drop)
}

/// Row of the table `sessions`.
#[derive(Debug)]
pub struct SessionRow {
    /// Hash of the cookie.
    pub hash: String,
    /// Id by which the member can end the session.
    pub id: Id,
    /// Time of the login.
    pub created_at: Millis,
    /// Time of the last request, up to an hour stale.
    pub seen_at: Millis,
    /// `User-Agent` header of the login.
    pub user_agent: String,
}

/// Lists a member's valid sessions, most recently used first.
pub async fn list_for_member(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
) -> kith_db::Result<Vec<SessionRow>> {
    let parameters = params![member.0, now - MAX_AGE, now - IDLE_TIMEOUT, MAX_PER_MEMBER];
    db.all(&LIST, parameters, |row| {
        Ok(SessionRow {
            hash: row.text(0)?,
            id: Id(row.int(1)?),
            created_at: row.int(2)?,
            seen_at: row.int(3)?,
            user_agent: row.text(4)?,
        })
    })
    .await
}

/// Returns whether a member may have used a session since a time: the last use is recorded up to [`TOUCH_INTERVAL`]
/// too early.
pub async fn was_here_since(
    db: &Reader<'_>,
    member: Id,
    since: Millis,
    now: Millis,
) -> kith_db::Result<bool> {
    let last = list_for_member(db, member, now).await?.into_iter().next();
    Ok(last.is_some_and(|session| session.seen_at > since - TOUCH_INTERVAL))
}

/// Deletes at most `limit` each of expired sessions, idle sessions and records of ended sessions. Returns the number
/// of deleted rows.
pub async fn purge_sessions(tx: &mut Tx, now: Millis, limit: u32) -> kith_db::Result<u64> {
    let old = tx.exec(&PURGE_OLD, params![now - MAX_AGE, limit]).await?;
    let idle = tx.exec(&PURGE_IDLE, params![now - IDLE_TIMEOUT, limit]).await?;
    Ok(old + idle + ended::purge_ended(tx, now - MAX_AGE, limit).await?)
}

/// Deletes a session in a transaction of its own, if it exists.
pub async fn log_out(db: &Db, hash: &str) -> kith_db::Result<()> {
    db.exec(&DELETE, params![hash]).await.map(drop)
}

/// Deletes a session inside a transaction, if it exists.
pub async fn end_session(tx: &mut Tx, hash: &str) -> kith_db::Result<()> {
    tx.exec(&DELETE, params![hash]).await.map(drop)
}

/// Returns the time of a session's login; `None` if it has ended.
pub async fn started_at(tx: &mut Tx, hash: &str) -> kith_db::Result<Option<Millis>> {
    tx.opt(&FIND, params![hash], |row| row.int(1)).await
}

/// Locks a session until the transaction ends; false if the session has ended.
pub async fn lock_session(tx: &mut Tx, hash: &str) -> kith_db::Result<bool> {
    Ok(tx.exec(&LOCK, params![hash]).await? > 0)
}

/// Returns whether a session's row exists.
pub async fn session_exists(db: &Reader<'_>, hash: &str) -> kith_db::Result<bool> {
    let found = db.opt(&FIND, params![hash], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Ends one session of a member and returns the hash of its cookie, if it existed.
#[derive(Debug)]
pub struct EndSession {
    /// Owner of the session.
    pub member: Id,
    /// Id of the session.
    pub id: Id,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for EndSession {
    type Out = Option<String>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<String>> {
        let parameters = params![self.member.0, self.id.0];
        let ended = tx.opt(&DELETE_ONE, parameters, |row| row.text(0)).await?;
        if let Some(hash) = &ended {
            ended::record(tx, hash, self.now).await?;
        }
        Ok(ended)
    }
}

/// Deletes all sessions of a member and records the cause.
pub async fn end_all(tx: &mut Tx, member: Id, cause: Cause, now: Millis) -> kith_db::Result<()> {
    ended::record_all(tx, member, cause, now).await?;
    erase_all(tx, member).await
}

/// Deletes all sessions of a member without recording a cause.
pub async fn erase_all(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE_ALL, params![member.0]).await.map(drop)
}

/// Deletes all sessions of all members. Returns the number deleted.
pub async fn end_all_members(tx: &mut Tx) -> kith_db::Result<u64> {
    tx.exec(&DELETE_ALL_MEMBERS, params![]).await
}

/// Deletes all sessions of a member except one and records the cause.
pub async fn end_others(tx: &mut Tx, member: Id, hash: &str, now: Millis) -> kith_db::Result<()> {
    ended::record_others(tx, member, hash, now).await?;
    tx.exec(&DELETE_OTHERS, params![member.0, hash]).await.map(drop)
}
