//! Storage of email changes.

use crate::features::sessions;
use crate::platform::clock::{DAY, Millis, rfc3339};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use serde::Serialize;

/// How long the old mailbox can revert a change.
pub(super) const UNDO_WINDOW: Millis = 7 * DAY;
/// Number of wrong codes that cancels a change.
pub(super) const MAX_ATTEMPTS: i64 = 5;

const INSERT: Sql = sql!(
    "insert into email_changes (member_id, id, old_email, new_email, session_hash, expires_at, tries)
     values ($1, $2, $3, $4, $5, $6, 0)"
);
const FIND: Sql = sql!(
    "select id, old_email, new_email, session_hash, expires_at, new_confirmed_at, old_confirmed_at,
       done_at, ended_at, tries
     from email_changes where member_id = $1 and id = $2"
);
const FIND_PENDING: Sql = sql!(
    "select id, old_email, new_email, session_hash, expires_at, new_confirmed_at, old_confirmed_at,
       done_at, ended_at, tries
     from email_changes where member_id = $1 and done_at is null and ended_at is null
       and expires_at > $2 order by id desc limit 1"
);
const LIST: Sql = sql!(
    "select id, old_email, new_email, done_at from email_changes where member_id = $1 order by id desc"
);
const CANCEL_PENDING: Sql = sql!(
    "update email_changes set ended_at = $2
     where member_id = $1 and done_at is null and ended_at is null"
);
const CANCEL_FROM: Sql = sql!(
    "update email_changes set ended_at = $3 where member_id = $1 and id >= $2 and ended_at is null"
);
const CONFIRM_NEW: Sql = sql!(
    "update email_changes set new_confirmed_at = coalesce(new_confirmed_at, $3)
     where member_id = $1 and id = $2"
);
const CONFIRM_OLD: Sql = sql!(
    "update email_changes set old_confirmed_at = coalesce(old_confirmed_at, $3)
     where member_id = $1 and id = $2"
);
const SET_DONE: Sql =
    sql!("update email_changes set done_at = $3 where member_id = $1 and id = $2");
const COUNT_WRONG_CODE: Sql =
    sql!("update email_changes set tries = tries + 1 where member_id = $1 and id = $2");
const DELETE_BY_MEMBER: Sql = sql!("delete from email_changes where member_id = $1");
const DELETE_ALL_PENDING: Sql = sql!("delete from email_changes where done_at is null");
const PURGE: Sql = sql!(
    "delete from email_changes where (member_id, id) in (select member_id, id from email_changes
       where expires_at <= $1 order by expires_at limit $2) and expires_at <= $1"
);

/// Row of an email change.
#[derive(Debug, Clone)]
pub(crate) struct EmailChange {
    pub(super) id: Id,
    pub(super) old_email: Option<String>,
    pub(super) new_email: String,
    pub(super) session_hash: String,
    pub(super) expires_at: Millis,
    pub(super) new_confirmed_at: Option<Millis>,
    pub(super) old_confirmed_at: Option<Millis>,
    pub(super) done_at: Option<Millis>,
    pub(super) ended_at: Option<Millis>,
    pub(super) tries: i64,
}

/// An email change as shown in a member's data export.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedEmailChange {
    old_email: Option<String>,
    new_email: String,
    asked_at: String,
    /// Null until both sides have confirmed.
    changed_at: Option<String>,
}

fn from_row(row: &Row<'_>) -> kith_db::Result<EmailChange> {
    Ok(EmailChange {
        id: Id(row.int(0)?),
        old_email: row.opt_text(1)?,
        new_email: row.text(2)?,
        session_hash: row.text(3)?,
        expires_at: row.int(4)?,
        new_confirmed_at: row.opt_int(5)?,
        old_confirmed_at: row.opt_int(6)?,
        done_at: row.opt_int(7)?,
        ended_at: row.opt_int(8)?,
        tries: row.int(9)?,
    })
}

pub(super) async fn insert(tx: &mut Tx, member: Id, change: &EmailChange) -> kith_db::Result<()> {
    let parameters = params![
        member.0,
        change.id.0,
        change.old_email.as_deref(),
        &change.new_email,
        &change.session_hash,
        change.expires_at
    ];
    tx.exec(&INSERT, parameters).await.map(drop)
}

pub(super) async fn find(
    db: &Reader<'_>,
    member: Id,
    change: Id,
) -> kith_db::Result<Option<EmailChange>> {
    db.opt(&FIND, params![member.0, change.0], from_row).await
}

/// Finds a member's pending change; `None` once the session that requested it has ended.
pub(crate) async fn find_pending(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
) -> kith_db::Result<Option<EmailChange>> {
    let found = db.opt(&FIND_PENDING, params![member.0, now], from_row).await?;
    let Some(change) = found else {
        return Ok(None);
    };
    let is_live = sessions::session_exists(db, &change.session_hash).await?;
    Ok(is_live.then_some(change))
}

/// Cancels a member's pending changes. Returns their number.
pub(in crate::features::auth) async fn cancel_pending(
    tx: &mut Tx,
    member: Id,
    now: Millis,
) -> kith_db::Result<u64> {
    tx.exec(&CANCEL_PENDING, params![member.0, now]).await
}

/// Deletes the pending changes of all members.
pub(in crate::features::auth) async fn delete_all_pending(tx: &mut Tx) -> kith_db::Result<()> {
    tx.exec(&DELETE_ALL_PENDING, params![]).await.map(drop)
}

/// Cancels a member's changes from `change` on, done or pending, so that none can be reverted.
pub(super) async fn cancel_from(
    tx: &mut Tx,
    member: Id,
    change: Id,
    now: Millis,
) -> kith_db::Result<()> {
    tx.exec(&CANCEL_FROM, params![member.0, change.0, now]).await.map(drop)
}

pub(super) async fn mark_confirmed(
    tx: &mut Tx,
    member: Id,
    change: Id,
    is_new: bool,
    now: Millis,
) -> kith_db::Result<()> {
    let sql = if is_new { &CONFIRM_NEW } else { &CONFIRM_OLD };
    tx.exec(sql, params![member.0, change.0, now]).await.map(drop)
}

pub(super) async fn mark_done(
    tx: &mut Tx,
    member: Id,
    change: Id,
    now: Millis,
) -> kith_db::Result<()> {
    tx.exec(&SET_DONE, params![member.0, change.0, now]).await.map(drop)
}

pub(super) async fn record_failed_attempt(
    tx: &mut Tx,
    member: Id,
    change: Id,
) -> kith_db::Result<()> {
    tx.exec(&COUNT_WRONG_CODE, params![member.0, change.0]).await.map(drop)
}

/// Lists a member's changes that are not purged yet, newest first.
pub async fn list_email_changes(
    db: &Reader<'_>,
    member: Id,
) -> kith_db::Result<Vec<ExportedEmailChange>> {
    db.all(&LIST, params![member.0], |row| {
        Ok(ExportedEmailChange {
            old_email: row.opt_text(1)?,
            new_email: row.text(2)?,
            asked_at: rfc3339(Id(row.int(0)?).time()),
            changed_at: row.opt_int(3)?.map(rfc3339),
        })
    })
    .await
}

/// Deletes all changes of a member.
pub(crate) async fn delete_by_member(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE_BY_MEMBER, params![member.0]).await.map(drop)
}

/// Deletes at most `limit` changes that can be neither confirmed nor reverted any more.
pub(crate) async fn purge(tx: &mut Tx, now: Millis, limit: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE, params![now - UNDO_WINDOW, limit]).await
}
