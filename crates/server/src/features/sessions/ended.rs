//! Why a session has ended, for the browser that still holds its cookie.

use crate::http::error::ApiError;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Sql, Tx, params, sql};

const NOTE_ONE: Sql = sql!(
    "insert into ended_sessions (hash, cause, ended_at) values ($1, $2, $3) on conflict (hash) do nothing"
);
const NOTE_ALL: Sql = sql!(
    "insert into ended_sessions (hash, cause, ended_at)
     select hash, $2, $3 from sessions where member_id = $1 on conflict (hash) do nothing"
);
const NOTE_OTHERS: Sql = sql!(
    "insert into ended_sessions (hash, cause, ended_at)
     select hash, $2, $3 from sessions where member_id = $1 and hash <> $4 on conflict (hash) do nothing"
);
const CAUSE: Sql = sql!("select cause from ended_sessions where hash = $1");
const PURGE_ENDED: Sql = sql!(
    "delete from ended_sessions where hash in (select hash from ended_sessions where ended_at <= $1
       order by ended_at limit $2) and ended_at <= $1"
);

/// Why a session ended that its own browser has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The member ended it from another device, the account changed, or an operator ended it.
    Elsewhere = 1,
    /// The member was suspended.
    Suspension = 2,
}

/// The error without a session. Only a browser that holds an ended session's cookie learns why it ended.
pub(crate) async fn missing(platform: &Platform, hash: Option<&str>) -> ApiError {
    let Some(hash) = hash else {
        return ApiError::unauthorized();
    };
    let db = platform.db.reader();
    match db.opt(&CAUSE, params![hash], |row| row.int(0)).await {
        Ok(None) => ApiError::unauthorized(),
        Ok(Some(cause)) if cause == Cause::Suspension as i64 => by_suspension(),
        Ok(Some(_)) => from_elsewhere(),
        Err(error) => error.into(),
    }
}

pub(crate) fn from_elsewhere() -> ApiError {
    let message = "You were logged out here, from another device or because your account changed. Please log in again.";
    ApiError::session_ended("session_ended", message)
}

pub(crate) fn by_suspension() -> ApiError {
    let message = "You were logged out because your account was suspended.";
    ApiError::session_ended("suspended", message)
}

pub(super) async fn note(tx: &mut Tx, hash: &str, now: Millis) -> kith_db::Result<()> {
    let bound = params![hash, Cause::Elsewhere as i64, now];
    tx.exec(&NOTE_ONE, bound).await.map(drop)
}

pub(super) async fn note_all(
    tx: &mut Tx,
    member: Id,
    cause: Cause,
    now: Millis,
) -> kith_db::Result<()> {
    let bound = params![member.0, cause as i64, now];
    tx.exec(&NOTE_ALL, bound).await.map(drop)
}

pub(super) async fn note_others(
    tx: &mut Tx,
    member: Id,
    hash: &str,
    now: Millis,
) -> kith_db::Result<()> {
    let bound = params![member.0, Cause::Elsewhere as i64, now, hash];
    tx.exec(&NOTE_OTHERS, bound).await.map(drop)
}

/// Deletes at most `most` of the notes made until a time, and returns how many.
pub(super) async fn purge(tx: &mut Tx, until: Millis, most: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE_ENDED, params![until, most]).await
}
