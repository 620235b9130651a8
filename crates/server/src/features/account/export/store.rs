//! Table `exports`: jobs and finished files.

use crate::features::members;
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::ids::Id;
use kith_db::{Db, Reader, Row, Sql, Tx, params, sql};

/// Retention of a finished file and of its row.
pub(crate) const RETENTION: Millis = 7 * DAY;
/// Lease of a worker on an export, unless renewed.
pub(crate) const LEASE: Millis = 2 * MINUTE;
/// Attempts before an export is marked as failed.
const MAX_ATTEMPTS: i64 = 3;
/// Key prefix of exports in the storage.
const KEY_PREFIX: &str = "exports/";
/// Exports per member and day.
const MAX_PER_DAY: i64 = 3;

const IN_PROGRESS: Sql = sql!("select count(*) from exports where member_id = $1 and state = 0");
const COUNT_SINCE: Sql = sql!("select count(*) from exports where member_id = $1 and id >= $2");
const INSERT: Sql = sql!(
    "insert into exports (member_id, id, state, lease_until, attempts, percent, expires_at)
     values ($1, $2, 0, 0, 0, 0, $3)"
);
const NEWEST: Sql = sql!(
    "select id, state, lease_until, percent, byte_size, expires_at, attempts from exports
     where member_id = $1 order by id desc limit 1"
);
const CLAIM: Sql = sql!(
    "update exports set lease_until = $2, attempts = attempts + 1, percent = 0
     where (member_id, id) in (select member_id, id from exports
       where state = 0 and lease_until <= $1 order by lease_until, id limit 1)
       and state = 0 and lease_until <= $1
     returning member_id, id, attempts"
);
const SET_PROGRESS: Sql = sql!(
    "update exports set percent = $4, lease_until = $5
     where member_id = $1 and id = $2 and attempts = $3 and state = 0"
);
const FINISH: Sql = sql!(
    "update exports set state = $4, percent = 100, byte_size = $5, expires_at = $6
     where member_id = $1 and id = $2 and attempts = $3 and state = 0"
);
// At most 21 rows: three per day for a week.
const OLDER: Sql =
    sql!("select id from exports where member_id = $1 and id < $2 and state = 1 order by id");
const EXPIRE: Sql =
    sql!("update exports set expires_at = $3 where member_id = $1 and id = $2 and expires_at > $3");
const RELEASE: Sql = sql!(
    "update exports set lease_until = $4 where member_id = $1 and id = $2 and attempts = $3 and state = 0"
);
const EXPIRED: Sql = sql!(
    "select member_id, id, attempts from exports where expires_at <= $1 order by expires_at, id limit 100"
);
const LIST_BY_MEMBER: Sql =
    sql!("select member_id, id, attempts from exports where member_id = $1 order by id limit 100");
// Only the newest finished export has a file.
const FIND_STORED: Sql = sql!(
    "select member_id, id, attempts from exports
     where member_id = $1 and state = 1 order by id desc limit 1"
);
const DELETE: Sql = sql!("delete from exports where member_id = $1 and id = $2");

/// Row of the table `exports`.
#[derive(Debug, Clone)]
pub(crate) struct ExportRow {
    pub(crate) id: Id,
    /// 0 in progress, 1 ready, 2 failed.
    pub(crate) state: i64,
    pub(crate) lease_until: Millis,
    pub(crate) percent: i64,
    pub(crate) byte_size: Option<i64>,
    pub(crate) expires_at: Millis,
    /// Attempt of the current or last worker, from 1.
    pub(crate) attempt: i64,
}

/// A worker's current or former lease on an export.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExportLease {
    pub(crate) member: Id,
    pub(crate) id: Id,
    /// Attempt, from 1.
    pub(crate) attempt: i64,
}

impl ExportLease {
    fn read(row: &Row<'_>) -> kith_db::Result<Self> {
        Ok(Self { member: Id(row.int(0)?), id: Id(row.int(1)?), attempt: row.int(2)? })
    }

    /// Returns the storage key; each attempt has its own.
    pub(crate) fn storage_key(self) -> String {
        let Self { member, id, attempt } = self;
        format!("{KEY_PREFIX}{:016x}/{:016x}-{attempt}.zip", member.0, id.0)
    }

    /// Iterates over the leases of all attempts up to this one.
    pub(crate) fn all_attempts(self) -> impl Iterator<Item = Self> {
        (1..=self.attempt).map(move |attempt| Self { attempt, ..self })
    }

    /// Checks whether all attempts are used up.
    pub(crate) const fn is_exhausted(self) -> bool {
        self.attempt > MAX_ATTEMPTS
    }
}

/// Loads the newest export of a member.
pub(crate) async fn find_newest(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<ExportRow>> {
    db.opt(&NEWEST, params![member.0], |row| {
        Ok(ExportRow {
            id: Id(row.int(0)?),
            state: row.int(1)?,
            lease_until: row.int(2)?,
            percent: row.int(3)?,
            byte_size: row.opt_int(4)?,
            expires_at: row.int(5)?,
            attempt: row.int(6)?,
        })
    })
    .await
}

/// Loads at most 100 expired exports, of all members.
pub(crate) async fn load_expired(
    db: &Reader<'_>,
    now: Millis,
) -> kith_db::Result<Vec<ExportLease>> {
    db.all(&EXPIRED, params![now], ExportLease::read).await
}

/// Loads exports of a member, at most 100.
pub(crate) async fn load_by_member(
    db: &Reader<'_>,
    member: Id,
) -> kith_db::Result<Vec<ExportLease>> {
    db.all(&LIST_BY_MEMBER, params![member.0], ExportLease::read).await
}

/// Finds the member's newest finished export, whose file is stored.
pub(crate) async fn find_stored(
    db: &Reader<'_>,
    member: Id,
) -> kith_db::Result<Option<ExportLease>> {
    db.opt(&FIND_STORED, params![member.0], ExportLease::read).await
}

/// Checks inside a transaction whether a member has any export.
pub(crate) async fn has_any(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    let found = tx.opt(&LIST_BY_MEMBER, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Transaction that enqueues an export within the member's quota.
pub(crate) struct RequestExport {
    pub(crate) member: Id,
    pub(crate) id: Id,
    pub(crate) now: Millis,
}

pub(crate) fn already_running() -> ApiError {
    let message = "An export is under way. Please wait until it is ready.";
    ApiError::conflict("export_under_way", message)
}

pub(crate) fn quota_exceeded() -> ApiError {
    let message = "You have asked for 3 exports within a day. Please try again tomorrow.";
    ApiError::conflict("exports_used_up", message)
}

impl kith_db::Write for RequestExport {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        // Locks the member, so that concurrent requests cannot exceed the quota.
        members::lock_active(tx, self.member).await?;
        let member = self.member.0;
        let waiting = tx.one(&IN_PROGRESS, params![member], |row| row.int(0)).await?;
        if waiting > 0 {
            return Err(already_running());
        }
        let since = params![member, Id::first_at(self.now - DAY)];
        if tx.one(&COUNT_SINCE, since, |row| row.int(0)).await? >= MAX_PER_DAY {
            return Err(quota_exceeded());
        }
        let parameters = params![member, self.id.0, self.now + RETENTION];
        tx.exec(&INSERT, parameters).await?;
        Ok(())
    }
}

/// Transaction that claims an export without a valid lease.
pub(crate) struct ClaimExport {
    pub(crate) now: Millis,
}

impl kith_db::Write for ClaimExport {
    type Out = Option<ExportLease>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<ExportLease>> {
        let parameters = params![self.now, self.now + LEASE];
        tx.opt(&CLAIM, parameters, ExportLease::read).await
    }
}

/// Transaction that updates an export; returns whether the worker still has the lease.
pub(crate) struct UpdateExport {
    pub(crate) lease: ExportLease,
    pub(crate) now: Millis,
    pub(crate) update: ExportUpdate,
}

/// Change of a claimed export.
pub(crate) enum ExportUpdate {
    /// Sets the progress in percent and renews the lease.
    Progress(i64),
    /// Marks the export as ready; the size of its file in bytes.
    Ready(u64),
    /// Releases the lease for a retry.
    Retry,
    Failed,
}

impl kith_db::Write for UpdateExport {
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<bool> {
        let ExportLease { member, id, attempt } = self.lease;
        let (member, id, now) = (member.0, id.0, self.now);
        let changed = match self.update {
            ExportUpdate::Progress(percent) => {
                let parameters = params![member, id, attempt, percent, now + LEASE];
                tx.exec(&SET_PROGRESS, parameters).await?
            }
            ExportUpdate::Ready(size) => {
                let size = i64::try_from(size).unwrap_or(i64::MAX);
                let parameters = params![member, id, attempt, 1, Some(size), now + RETENTION];
                // Expires older exports, whose rows count against the quota for a day.
                for old in tx.all(&OLDER, params![member, id], |row| row.int(0)).await? {
                    let until = now.max(Id(old).time() + DAY);
                    tx.exec(&EXPIRE, params![member, old, until]).await?;
                }
                tx.exec(&FINISH, parameters).await?
            }
            ExportUpdate::Retry => {
                // Delays the retry, because the cause may persist.
                let parameters = params![member, id, attempt, now + LEASE / 4];
                tx.exec(&RELEASE, parameters).await?
            }
            ExportUpdate::Failed => {
                let parameters = params![member, id, attempt, 2, None::<i64>, now + RETENTION];
                tx.exec(&FINISH, parameters).await?
            }
        };
        Ok(changed == 1)
    }
}

/// Deletes the row of an export after its file.
pub(crate) async fn delete(db: &Db, lease: ExportLease) -> kith_db::Result<()> {
    let parameters = params![lease.member.0, lease.id.0];
    db.exec(&DELETE, parameters).await.map(drop)
}

/// Checks whether a storage key belongs to an export.
pub(crate) fn is_export_key(key: &str) -> bool {
    key.starts_with(KEY_PREFIX)
}
