//! Who leaves, and when.

use crate::features::members;
use crate::features::sessions::{self, Cause};
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::ids::Id;
use crate::platform::jobs::{Job, enqueue};
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// Time to think about it.
pub(super) const REPRIEVE: Millis = 7 * DAY;
/// How long a worker has an account to itself without a sign of life.
pub(super) const LEASE: Millis = 2 * MINUTE;
/// The end of a lease that nobody has: no worker takes the account.
const NEVER: Millis = Millis::MAX;

const INSERT: Sql = sql!(
    "insert into deletions (member_id, delete_at, started_at, lease_until, ordered)
     values ($1, $2, $3, 0, $4) on conflict (member_id) do nothing"
);
const HASTEN: Sql = sql!(
    "update deletions set delete_at = $2, started_at = coalesce(started_at, $3)
     where member_id = $1 and delete_at > $2"
);
const HOLD_BACK: Sql = sql!(
    "update deletions set lease_until = $2
     where member_id = $1 and started_at is null and ordered = 0"
);
const LET_ON: Sql = sql!(
    "update deletions set lease_until = 0, delete_at = case when delete_at < $2 then $2 else delete_at end
     where member_id = $1 and started_at is null and ordered = 0"
);
const BEGUN: Sql =
    sql!("select member_id from deletions where member_id = $1 and started_at is not null");
const FREE: Sql = sql!(
    "update deletions set lease_until = 0, delete_at = $2, started_at = $3
     where member_id = $1 and lease_until = $4"
);
const ORDER: Sql = sql!("update deletions set ordered = 1 where member_id = $1");
const FIND: Sql = sql!("select delete_at from deletions where member_id = $1");
const KEEP: Sql = sql!("delete from deletions where member_id = $1 and started_at is null");
const KEEP_UNORDERED: Sql =
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
const DONE: Sql = sql!("delete from deletions where member_id = $1");

/// When a member's account will be deleted, if it will.
pub(super) async fn find(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<Millis>> {
    db.opt(&FIND, params![member.0], |row| row.int(0)).await
}

async fn is_leaving(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    let found = tx.opt(&FIND, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Tells that the work on an account goes on; false when it is done.
pub(super) async fn renew(tx: &mut Tx, member: Id, until: Millis) -> kith_db::Result<bool> {
    Ok(tx.exec(&RENEW, params![member.0, until]).await? > 0)
}

pub(super) async fn done(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&DONE, params![member.0]).await.map(drop)
}

pub(super) fn another_name() -> ApiError {
    let message = "Type your own username to delete your account.";
    ApiError::invalid("username", message)
}

pub(super) fn too_late() -> ApiError {
    let message = "Your account is being deleted. It cannot be kept any more.";
    ApiError::conflict("deletion_begun", message)
}

/// Somebody else's account is being deleted.
pub(crate) fn going() -> ApiError {
    let message = "This account is being deleted. Nobody can let them in again.";
    ApiError::conflict("deletion_begun", message)
}

pub(super) fn last_admin() -> ApiError {
    let message = "You are the only admin. Make somebody else an admin first.";
    ApiError::conflict("last_admin", message)
}

/// Asks for the deletion of an account.
#[derive(Debug)]
pub struct Leave {
    /// Whose.
    pub member: Id,
    /// What the member typed as their username; an operator need not.
    pub username: Option<String>,
    /// The session that asked and goes on; the others end.
    pub session: Option<String>,
    /// When it is to be deleted; now or before, nobody can take it back.
    pub delete_at: Millis,
    /// The id of the mail about it.
    pub job: Id,
    /// The time now.
    pub now: Millis,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// When the account will be deleted: asked for again, it stays as it was, unless it is sooner.
    pub delete_at: Millis,
}

impl kith_db::Write for Leave {
    type Out = Asked;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Asked> {
        let member = self.member;
        if let Some((_, true)) = members::load_name_and_role(tx, member).await? {
            members::lock_admins(tx, member).await?;
        }
        if let Some(hash) = &self.session {
            // The member may have been suspended, or this session ended, while the call waited for its turn.
            members::lock_active(tx, member).await?;
            let started = sessions::started_at(tx, hash).await?;
            started.ok_or_else(ApiError::unauthorized)?;
        }
        let found = members::load_name_and_role(tx, member).await?;
        let (name, is_admin) = found.ok_or_else(members::user_not_found)?;
        if self.username.as_ref().is_some_and(|typed| *typed != name) {
            return Err(another_name());
        }
        if is_admin && !has_other_admins(tx, member).await? {
            return Err(last_admin());
        }
        let started_at = (self.delete_at <= self.now).then_some(self.now);
        let is_ordered = self.username.is_none();
        let bound = params![member.0, self.delete_at, started_at, i64::from(is_ordered)];
        let is_new = tx.exec(&INSERT, bound).await? > 0;
        if is_new {
            enqueue(tx, &Job::leaving_mail(self.job, member, self.now)).await?;
        } else {
            let bound = params![member.0, self.delete_at, started_at];
            tx.exec(&HASTEN, bound).await?;
            if is_ordered {
                let bound = params![member.0, self.delete_at, started_at, NEVER];
                tx.exec(&FREE, bound).await?;
                tx.exec(&ORDER, params![member.0]).await?;
            }
        }
        match &self.session {
            Some(hash) => sessions::end_others(tx, member, hash, self.now).await?,
            None => sessions::end_all(tx, member, Cause::Elsewhere, self.now).await?,
        }
        let delete_at = tx.one(&FIND, params![member.0], |row| row.int(0)).await?;
        Ok(Asked { delete_at })
    }
}

/// Takes it back, unless the work has begun.
pub(super) struct Keep {
    pub(super) member: Id,
}

impl kith_db::Write for Keep {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        // Who asks at the same moment holds it, too.
        members::lock(tx, self.member).await?;
        tx.exec(&KEEP, params![self.member.0]).await?;
        if is_leaving(tx, self.member).await? {
            return Err(too_late());
        }
        Ok(())
    }
}

/// Whether somebody else runs the network: an admin who is here and does not leave. The caller holds the admins.
pub(crate) async fn has_other_admins(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    for other in members::load_other_admins(tx, member).await? {
        if !is_leaving(tx, other).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Takes back that a member asked to leave, unless the work has begun. What an operator asked for goes on.
pub async fn think_better(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&KEEP_UNORDERED, params![member.0]).await.map(drop)
}

/// Delays a member's own deletion while they are suspended, unless it has begun. An operator's order goes on.
pub(crate) async fn hold_back(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&HOLD_BACK, params![member.0, NEVER])
        .await
        .map(drop)
}

/// Ends the delay with a new time to reconsider. Once the work has begun the member stays hidden.
pub(crate) async fn let_on(tx: &mut Tx, member: Id, now: Millis) -> Result<()> {
    tx.exec(&LET_ON, params![member.0, now + REPRIEVE]).await?;
    // The caller has changed the member's row: what begins now hides them after that.
    let begun = tx.opt(&BEGUN, params![member.0], |_| Ok(())).await?;
    begun.map_or(Ok(()), |()| Err(going()))
}

/// Takes an account whose time has come and that nobody works on.
pub(super) struct Take {
    pub(super) now: Millis,
    /// This one and no other.
    pub(super) only: Option<Id>,
}

impl kith_db::Write for Take {
    type Out = Option<Id>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<Id>> {
        let read = |row: &Row<'_>| Ok(Id(row.int(0)?));
        let until = self.now + LEASE;
        match self.only {
            None => tx.opt(&CLAIM, params![self.now, until], read).await,
            Some(member) => {
                let bound = params![self.now, until, member.0];
                tx.opt(&CLAIM_ONE, bound, read).await
            }
        }
    }
}
