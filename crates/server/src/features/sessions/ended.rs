//! Records why sessions ended, so that a browser with the cookie of an ended session gets the cause.

use crate::http::error::ApiError;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Sql, Tx, params, sql};

const RECORD_ONE: Sql = sql!(
    "insert into ended_sessions (hash, cause, ended_at) values ($1, $2, $3) on conflict (hash) do nothing"
);
const RECORD_ALL: Sql = sql!(
    "insert into ended_sessions (hash, cause, ended_at)
     select hash, $2, $3 from sessions where member_id = $1 on conflict (hash) do nothing"
);
const RECORD_OTHERS: Sql = sql!(
    "insert into ended_sessions (hash, cause, ended_at)
     select hash, $2, $3 from sessions where member_id = $1 and hash <> $4 on conflict (hash) do nothing"
);
const CAUSE: Sql = sql!("select cause from ended_sessions where hash = $1");
const PURGE_ENDED: Sql = sql!(
    "delete from ended_sessions where hash in (select hash from ended_sessions where ended_at <= $1
       order by ended_at limit $2) and ended_at <= $1"
);

/// Cause of a session's end, other than a logout by its own browser. The discriminants are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The member ended it from another device, the account changed, or an operator ended it.
    Elsewhere = 1,
    /// The member was suspended.
    Suspension = 2,
}

/// Builds the error for a request without a session. The cause is given only for the cookie of an ended session.
pub(crate) async fn missing_session_error(platform: &Platform, hash: Option<&str>) -> ApiError {
    let Some(hash) = hash else {
        return ApiError::unauthorized();
    };
    let db = platform.db.reader();
    match db.opt(&CAUSE, params![hash], |row| row.int(0)).await {
        Ok(None) => ApiError::unauthorized(),
        Ok(Some(cause)) if cause == Cause::Suspension as i64 => suspended_error(),
        Ok(Some(_)) => ended_elsewhere_error(),
        Err(error) => error.into(),
    }
}

pub(crate) fn ended_elsewhere_error() -> ApiError {
    let message = "You were logged out here, from another device or because your account changed. Please log in again.";
    ApiError::session_ended("session_ended", message)
}

pub(crate) fn suspended_error() -> ApiError {
    let message = "You were logged out because your account was suspended.";
    ApiError::session_ended("suspended", message)
}

/// Records [`Cause::Elsewhere`] for one session.
pub(super) async fn record(tx: &mut Tx, hash: &str, now: Millis) -> kith_db::Result<()> {
    let parameters = params![hash, Cause::Elsewhere as i64, now];
    tx.exec(&RECORD_ONE, parameters).await.map(drop)
}

/// Records a cause for all sessions of a member.
pub(super) async fn record_all(
    tx: &mut Tx,
    member: Id,
    cause: Cause,
    now: Millis,
) -> kith_db::Result<()> {
    let parameters = params![member.0, cause as i64, now];
    tx.exec(&RECORD_ALL, parameters).await.map(drop)
}

/// Records [`Cause::Elsewhere`] for all sessions of a member except one.
pub(super) async fn record_others(
    tx: &mut Tx,
    member: Id,
    hash: &str,
    now: Millis,
) -> kith_db::Result<()> {
    let parameters = params![member.0, Cause::Elsewhere as i64, now, hash];
    tx.exec(&RECORD_OTHERS, parameters).await.map(drop)
}

/// Deletes at most `limit` records of sessions ended until a time. Returns the number deleted.
pub(super) async fn purge_ended(tx: &mut Tx, until: Millis, limit: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE_ENDED, params![until, limit]).await
}
