//! Table `deletions`: requested account deletions.

use crate::features::members;
use crate::features::sessions::{self, Cause};
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::ids::Id;
use crate::platform::jobs::{Job, enqueue};
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// Time between request and deletion, in which the member can cancel.
pub(super) const GRACE_PERIOD: Millis = 7 * DAY;
/// Lease of a worker on an account, unless renewed.
pub(super) const LEASE: Millis = 2 * MINUTE;
/// Lease end that keeps every worker from claiming the account.
const NEVER: Millis = Millis::MAX;

const INSERT: Sql = sql!(
    "insert into deletions (member_id, delete_at, started_at, lease_until, ordered)
     values ($1, $2, $3, 0, $4) on conflict (member_id) do nothing"
);
const MOVE_EARLIER: Sql = sql!(
    "update deletions set delete_at = $2, started_at = coalesce(started_at, $3)
     where member_id = $1 and delete_at > $2"
);
const PAUSE: Sql = sql!(
    "update deletions set lease_until = $2
     where member_id = $1 and started_at is null and ordered = 0"
);
const RESUME: Sql = sql!(
    "update deletions set lease_until = 0, delete_at = case when delete_at < $2 then $2 else delete_at end
     where member_id = $1 and started_at is null and ordered = 0"
);
const STARTED: Sql =
    sql!("select member_id from deletions where member_id = $1 and started_at is not null");
const REPLACE_LEASE: Sql = sql!(
    "update deletions set lease_until = 0, delete_at = $2, started_at = $3
     where member_id = $1 and lease_until = $4"
);
const MARK_ORDERED: Sql = sql!("update deletions set ordered = 1 where member_id = $1");
const FIND: Sql = sql!("select delete_at from deletions where member_id = $1");
const CANCEL: Sql = sql!("delete from deletions where member_id = $1 and started_at is null");
const CANCEL_UNORDERED: Sql =
    sql!("delete from deletions where member_id = $1 and started_at is null and ordered = 0");
const CLAIM: Sql = sql!(
    "update deletions set started_at = coalesce(started_at, $1), lease_until = $2
     where member_id in (select member_id from deletions
       where delete_at <= $1 and lease_until <= $1 order by delete_at, member_id limit 1)
       and delete_at <= $1 and lease_until <= $1
     returning member_id"
);
const CLAIM_ONE: Sql = sql!(
    "update deletions set lease_until = $2, started_at = coalesce(started_at, $1)
     where member_id = $3 and delete_at <= $1 and lease_until <= $1 returning member_id"
);
const RENEW: Sql = sql!("update deletions set lease_until = $2 where member_id = $1");
const DELETE: Sql = sql!("delete from deletions where member_id = $1");

/// Loads the time of a member's deletion; `None` if none is requested.
pub(crate) async fn find_delete_at(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<Millis>> {
    db.opt(&FIND, params![member.0], |row| row.int(0)).await
}

async fn is_scheduled(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    let found = tx.opt(&FIND, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Renews the lease; returns `false` when the deletion is finished.
pub(super) async fn renew_lease(tx: &mut Tx, member: Id, until: Millis) -> kith_db::Result<bool> {
    Ok(tx.exec(&RENEW, params![member.0, until]).await? > 0)
}

/// Deletes the row of a finished deletion.
pub(super) async fn delete(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE, params![member.0]).await.map(drop)
}

pub(super) fn username_mismatch() -> ApiError {
    let message = "Type your own username to delete your account.";
    ApiError::invalid_field("username", message)
}

pub(super) fn already_started() -> ApiError {
    let message = "Your account is being deleted. It cannot be kept any more.";
    ApiError::conflict("deletion_begun", message)
}

/// Error for lifting the suspension of an account whose deletion has begun.
pub(crate) fn in_progress_error() -> ApiError {
    let message = "This account is being deleted, so its suspension can't be lifted.";
    ApiError::conflict("deletion_begun", message)
}

pub(super) fn last_admin() -> ApiError {
    let message = "You are the only admin. Make someone else an admin first.";
    ApiError::conflict("last_admin", message)
}

/// Transaction that requests the deletion of an account.
#[derive(Debug)]
pub struct RequestDeletion {
    /// Member to delete.
    pub member: Id,
    /// Username typed as confirmation; `None` for the operator.
    pub username: Option<String>,
    /// Requesting session, which stays valid; all others end.
    pub session: Option<String>,
    /// Time of deletion; one that is not in the future cannot be canceled.
    pub delete_at: Millis,
    /// Id of the mail job.
    pub job: Id,
    /// Current time.
    pub now: Millis,
}

/// Outcome of a deletion request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledDeletion {
    /// Time of deletion: the earlier one of repeated requests.
    pub delete_at: Millis,
}

impl kith_db::Write for RequestDeletion {
    type Out = ScheduledDeletion;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<ScheduledDeletion> {
        let member = self.member;
        if let Some((_, true)) = members::load_name_and_role(tx, member).await? {
            members::lock_admins(tx, member).await?;
        }
        if let Some(hash) = &self.session {
            // Checks again, because the suspension or logout may have happened while the request waited for a lock.
            members::lock_active(tx, member).await?;
            let started = sessions::started_at(tx, hash).await?;
            started.ok_or_else(ApiError::unauthorized)?;
        }
        let found = members::load_name_and_role(tx, member).await?;
        let (name, is_admin) = found.ok_or_else(members::user_not_found)?;
        if self.username.as_ref().is_some_and(|typed| *typed != name) {
            return Err(username_mismatch());
        }
        if is_admin && !has_other_admins(tx, member).await? {
            return Err(last_admin());
        }
        let started_at = (self.delete_at <= self.now).then_some(self.now);
        let is_ordered = self.username.is_none();
        let parameters = params![member.0, self.delete_at, started_at, i64::from(is_ordered)];
        let is_new = tx.exec(&INSERT, parameters).await? > 0;
        if is_new {
            enqueue(tx, &Job::deletion_mail(self.job, member, self.now)).await?;
        } else {
            let parameters = params![member.0, self.delete_at, started_at];
            tx.exec(&MOVE_EARLIER, parameters).await?;
            if is_ordered {
                let parameters = params![member.0, self.delete_at, started_at, NEVER];
                tx.exec(&REPLACE_LEASE, parameters).await?;
                tx.exec(&MARK_ORDERED, params![member.0]).await?;
            }
        }
        match &self.session {
            Some(hash) => sessions::end_others(tx, member, hash, self.now).await?,
            None => sessions::end_all(tx, member, Cause::Elsewhere, self.now).await?,
        }
        let delete_at = tx.one(&FIND, params![member.0], |row| row.int(0)).await?;
        Ok(ScheduledDeletion { delete_at })
    }
}

/// Transaction that cancels a deletion unless it has begun.
pub(super) struct CancelDeletion {
    pub(super) member: Id,
}

impl kith_db::Write for CancelDeletion {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        // Locks the member like a concurrent deletion request does.
        members::lock_member(tx, self.member).await?;
        tx.exec(&CANCEL, params![self.member.0]).await?;
        if is_scheduled(tx, self.member).await? {
            return Err(already_started());
        }
        Ok(())
    }
}

/// Checks whether another active admin without a requested deletion exists. The caller locks the admins.
pub(crate) async fn has_other_admins(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    for other in members::load_other_admins(tx, member).await? {
        if !is_scheduled(tx, other).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Cancels a member's own request unless deletion has begun. Keeps a request of the operator.
pub async fn cancel_unless_started(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&CANCEL_UNORDERED, params![member.0]).await.map(drop)
}

/// Pauses a member's own request during a suspension, unless deletion has begun. Keeps a request of the
/// operator.
pub(crate) async fn pause(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&PAUSE, params![member.0, NEVER]).await.map(drop)
}

/// Resumes a paused request with a new grace period. Fails with 409 if deletion has begun, so that the member stays
/// hidden.
pub(crate) async fn resume(tx: &mut Tx, member: Id, now: Millis) -> Result<()> {
    tx.exec(&RESUME, params![member.0, now + GRACE_PERIOD]).await?;
    // The caller has locked the member's row, so a deletion that begins later hides the member again.
    let started = tx.opt(&STARTED, params![member.0], |_| Ok(())).await?;
    started.map_or(Ok(()), |()| Err(in_progress_error()))
}

/// Transaction that claims an account whose deletion is due and not leased.
pub(super) struct ClaimDeletion {
    pub(super) now: Millis,
    /// Restricts the claim to this member.
    pub(super) only: Option<Id>,
}

impl kith_db::Write for ClaimDeletion {
    type Out = Option<Id>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<Id>> {
        let read = |row: &Row<'_>| Ok(Id(row.int(0)?));
        let until = self.now + LEASE;
        match self.only {
            None => tx.opt(&CLAIM, params![self.now, until], read).await,
            Some(member) => {
                let parameters = params![self.now, until, member.0];
                tx.opt(&CLAIM_ONE, parameters, read).await
            }
        }
    }
}
