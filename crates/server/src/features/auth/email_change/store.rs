//! The table of changes.

use crate::features::sessions;
use crate::platform::clock::{DAY, Millis, rfc3339};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use serde::Serialize;

/// How long the old mailbox can take a change back.
pub(super) const UNDO: Millis = 7 * DAY;
/// Wrong codes that a change survives, less one.
pub(super) const TRIES: i64 = 5;

const INSERT: Sql = sql!(
    "insert into email_changes (member_id, id, old_email, new_email, session_hash, expires_at, tries)
     values ($1, $2, $3, $4, $5, $6, 0)"
);
const FIND: Sql = sql!(
    "select id, old_email, new_email, session_hash, expires_at, new_confirmed_at, old_confirmed_at,
       done_at, ended_at, tries
     from email_changes where member_id = $1 and id = $2"
);
const PENDING: Sql = sql!(
    "select id, old_email, new_email, session_hash, expires_at, new_confirmed_at, old_confirmed_at,
       done_at, ended_at, tries
     from email_changes where member_id = $1 and done_at is null and ended_at is null
       and expires_at > $2 order by id desc limit 1"
);
const LATELY: Sql = sql!(
    "select id, old_email, new_email, done_at from email_changes where member_id = $1 order by id desc"
);
const END_PENDING: Sql = sql!(
    "update email_changes set ended_at = $2
     where member_id = $1 and done_at is null and ended_at is null"
);
const END_FROM: Sql = sql!(
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
const DONE: Sql = sql!("update email_changes set done_at = $3 where member_id = $1 and id = $2");
const COUNT_TRY: Sql =
    sql!("update email_changes set tries = tries + 1 where member_id = $1 and id = $2");
const FORGET: Sql = sql!("delete from email_changes where member_id = $1");
const FORGET_WAITING: Sql = sql!("delete from email_changes where done_at is null");
const PURGE: Sql = sql!(
    "delete from email_changes where (member_id, id) in (select member_id, id from email_changes
       where expires_at <= $1 order by expires_at limit $2) and expires_at <= $1"
);

#[derive(Debug, Clone)]
pub(crate) struct Change {
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

/// A change, for a member's own copy.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddressChange {
    old_email: Option<String>,
    new_email: String,
    asked_at: String,
    /// Null until both mailboxes have confirmed it.
    changed_at: Option<String>,
}

fn read(row: &Row<'_>) -> kith_db::Result<Change> {
    Ok(Change {
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

pub(super) async fn insert(tx: &mut Tx, member: Id, change: &Change) -> kith_db::Result<()> {
    let bound = params![
        member.0,
        change.id.0,
        change.old_email.as_deref(),
        &change.new_email,
        &change.session_hash,
        change.expires_at
    ];
    tx.exec(&INSERT, bound).await.map(drop)
}

pub(super) async fn find(
    db: &Reader<'_>,
    member: Id,
    change: Id,
) -> kith_db::Result<Option<Change>> {
    db.opt(&FIND, params![member.0, change.0], read).await
}

/// The change of a member that waits to be confirmed: none any more when the session that asked has ended.
pub(crate) async fn pending(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
) -> kith_db::Result<Option<Change>> {
    let found = db.opt(&PENDING, params![member.0, now], read).await?;
    let Some(change) = found else {
        return Ok(None);
    };
    let goes_on = sessions::exists(db, &change.session_hash).await?;
    Ok(goes_on.then_some(change))
}

/// Calls off what a member has not confirmed yet, and answers how many changes those were.
pub(in crate::features::auth) async fn end_pending(
    tx: &mut Tx,
    member: Id,
    now: Millis,
) -> kith_db::Result<u64> {
    tx.exec(&END_PENDING, params![member.0, now]).await
}

pub(in crate::features::auth) async fn forget_waiting(tx: &mut Tx) -> kith_db::Result<()> {
    tx.exec(&FORGET_WAITING, params![]).await.map(drop)
}

/// Ends this change and all later ones of the member, done or not: none can be taken back any more.
pub(super) async fn end_from(
    tx: &mut Tx,
    member: Id,
    change: Id,
    now: Millis,
) -> kith_db::Result<()> {
    tx.exec(&END_FROM, params![member.0, change.0, now])
        .await
        .map(drop)
}

pub(super) async fn agree(
    tx: &mut Tx,
    member: Id,
    change: Id,
    is_new: bool,
    now: Millis,
) -> kith_db::Result<()> {
    let sql = if is_new { &CONFIRM_NEW } else { &CONFIRM_OLD };
    tx.exec(sql, params![member.0, change.0, now])
        .await
        .map(drop)
}

pub(super) async fn done(tx: &mut Tx, member: Id, change: Id, now: Millis) -> kith_db::Result<()> {
    tx.exec(&DONE, params![member.0, change.0, now])
        .await
        .map(drop)
}

pub(super) async fn count_try(tx: &mut Tx, member: Id, change: Id) -> kith_db::Result<()> {
    tx.exec(&COUNT_TRY, params![member.0, change.0])
        .await
        .map(drop)
}

/// What is still known of the addresses that a member asked for, the newest first.
pub async fn changes_of(db: &Reader<'_>, member: Id) -> kith_db::Result<Vec<AddressChange>> {
    db.all(&LATELY, params![member.0], |row| {
        Ok(AddressChange {
            old_email: row.opt_text(1)?,
            new_email: row.text(2)?,
            asked_at: rfc3339(Id(row.int(0)?).time()),
            changed_at: row.opt_int(3)?.map(rfc3339),
        })
    })
    .await
}

pub(crate) async fn forget(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&FORGET, params![member.0]).await.map(drop)
}

/// Deletes some changes that can neither be confirmed nor taken back any more.
pub(crate) async fn purge(tx: &mut Tx, now: Millis, most: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE, params![now - UNDO, most]).await
}
