//! The table of exports.

use crate::features::members;
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::ids::Id;
use kith_db::{Db, Reader, Row, Sql, Tx, params, sql};

/// How long a finished file is kept, and how long a row.
pub(crate) const KEPT: Millis = 7 * DAY;
/// How long a worker has an export to itself without a sign of life.
pub(crate) const LEASE: Millis = 2 * MINUTE;
/// Workers that may begin one export: then something is wrong with it.
const ATTEMPTS: i64 = 3;
/// What the places of all exports in the storage begin with.
const FOLDER: &str = "exports/";
/// Exports of a member in a day.
const A_DAY: i64 = 3;

const UNDER_WAY: Sql = sql!("select count(*) from exports where member_id = $1 and state = 0");
const LATELY: Sql = sql!("select count(*) from exports where member_id = $1 and id >= $2");
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
const STEP: Sql = sql!(
    "update exports set percent = $4, lease_until = $5
     where member_id = $1 and id = $2 and attempts = $3 and state = 0"
);
const END: Sql = sql!(
    "update exports set state = $4, percent = 100, byte_size = $5, expires_at = $6
     where member_id = $1 and id = $2 and attempts = $3 and state = 0"
);
// At most some twenty: three a day for a week.
const OLDER: Sql =
    sql!("select id from exports where member_id = $1 and id < $2 and state = 1 order by id");
const EXPIRE: Sql =
    sql!("update exports set expires_at = $3 where member_id = $1 and id = $2 and expires_at > $3");
const LET_GO: Sql = sql!(
    "update exports set lease_until = $4 where member_id = $1 and id = $2 and attempts = $3 and state = 0"
);
const EXPIRED: Sql = sql!(
    "select member_id, id, attempts from exports where expires_at <= $1 order by expires_at, id limit 100"
);
const OF_MEMBER: Sql =
    sql!("select member_id, id, attempts from exports where member_id = $1 order by id limit 100");
// The files of those before it are gone.
const KEPT_FILE: Sql = sql!(
    "select member_id, id, attempts from exports
     where member_id = $1 and state = 1 order by id desc limit 1"
);
const DELETE: Sql = sql!("delete from exports where member_id = $1 and id = $2");

#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) id: Id,
    /// 0 under way, 1 ready, 2 failed.
    pub(crate) state: i64,
    pub(crate) lease_until: Millis,
    pub(crate) percent: i64,
    pub(crate) byte_size: Option<i64>,
    pub(crate) expires_at: Millis,
    /// Which worker made it, or is at it.
    pub(crate) attempt: i64,
}

/// An export that one worker has to itself, or had.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    pub(crate) member: Id,
    pub(crate) id: Id,
    /// Which worker it is, counted from 1.
    pub(crate) attempt: i64,
}

impl Claim {
    fn read(row: &Row<'_>) -> kith_db::Result<Self> {
        Ok(Self {
            member: Id(row.int(0)?),
            id: Id(row.int(1)?),
            attempt: row.int(2)?,
        })
    }

    /// Where its file is kept: each worker's has a place of its own.
    pub(crate) fn key(self) -> String {
        let Self {
            member,
            id,
            attempt,
        } = self;
        format!("{FOLDER}{:016x}/{:016x}-{attempt}.zip", member.0, id.0)
    }

    /// This worker's claim and those before it.
    pub(crate) fn all(self) -> impl Iterator<Item = Self> {
        (1..=self.attempt).map(move |attempt| Self { attempt, ..self })
    }

    /// Whether a further worker should not even try.
    pub(crate) const fn is_hopeless(self) -> bool {
        self.attempt > ATTEMPTS
    }
}

pub(crate) async fn newest(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<Stored>> {
    db.opt(&NEWEST, params![member.0], |row| {
        Ok(Stored {
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

/// Exports whose time is over.
pub(crate) async fn expired(db: &Reader<'_>, now: Millis) -> kith_db::Result<Vec<Claim>> {
    db.all(&EXPIRED, params![now], Claim::read).await
}

pub(crate) async fn of_member(db: &Reader<'_>, member: Id) -> kith_db::Result<Vec<Claim>> {
    db.all(&OF_MEMBER, params![member.0], Claim::read).await
}

/// The export of a member whose file is kept.
pub(crate) async fn kept(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<Claim>> {
    db.opt(&KEPT_FILE, params![member.0], Claim::read).await
}

/// Whether a member has any, inside a transaction.
pub(crate) async fn has_any(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    let found = tx.opt(&OF_MEMBER, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

pub(crate) struct Ask {
    pub(crate) member: Id,
    pub(crate) id: Id,
    pub(crate) now: Millis,
}

pub(crate) fn under_way() -> ApiError {
    let message = "An export is under way. Please wait until it is ready.";
    ApiError::conflict("export_under_way", message)
}

pub(crate) fn used_up() -> ApiError {
    let message = "You have asked for 3 exports within a day. Please try again tomorrow.";
    ApiError::conflict("exports_used_up", message)
}

impl kith_db::Write for Ask {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        // Two at once are counted one after the other.
        members::lock_active(tx, self.member).await?;
        let member = self.member.0;
        let waiting = tx
            .one(&UNDER_WAY, params![member], |row| row.int(0))
            .await?;
        if waiting > 0 {
            return Err(under_way());
        }
        let since = params![member, Id::first_at(self.now - DAY)];
        if tx.one(&LATELY, since, |row| row.int(0)).await? >= A_DAY {
            return Err(used_up());
        }
        let bound = params![member, self.id.0, self.now + KEPT];
        tx.exec(&INSERT, bound).await?;
        Ok(())
    }
}

/// Takes one that nobody makes.
pub(crate) struct Take {
    pub(crate) now: Millis,
}

impl kith_db::Write for Take {
    type Out = Option<Claim>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<Claim>> {
        let bound = params![self.now, self.now + LEASE];
        tx.opt(&CLAIM, bound, Claim::read).await
    }
}

/// What a worker says of its export; answers whether it still is its own.
pub(crate) struct Note {
    pub(crate) claim: Claim,
    pub(crate) now: Millis,
    pub(crate) what: What,
}

pub(crate) enum What {
    At(i64),
    Ready(u64),
    /// It can be tried again at once.
    Later,
    Failed,
}

impl kith_db::Write for Note {
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<bool> {
        let Claim {
            member,
            id,
            attempt,
        } = self.claim;
        let (member, id, now) = (member.0, id.0, self.now);
        let changed = match self.what {
            What::At(percent) => {
                let bound = params![member, id, attempt, percent, now + LEASE];
                tx.exec(&STEP, bound).await?
            }
            What::Ready(size) => {
                let size = i64::try_from(size).unwrap_or(i64::MAX);
                let bound = params![member, id, attempt, 1, Some(size), now + KEPT];
                // A newer file takes the place of the older ones, which count for a day.
                for old in tx
                    .all(&OLDER, params![member, id], |row| row.int(0))
                    .await?
                {
                    let until = now.max(Id(old).time() + DAY);
                    tx.exec(&EXPIRE, params![member, old, until]).await?;
                }
                tx.exec(&END, bound).await?
            }
            What::Later => {
                // Not at once: what broke it may still be broken.
                let bound = params![member, id, attempt, now + LEASE / 4];
                tx.exec(&LET_GO, bound).await?
            }
            What::Failed => {
                let bound = params![member, id, attempt, 2, None::<i64>, now + KEPT];
                tx.exec(&END, bound).await?
            }
        };
        Ok(changed == 1)
    }
}

/// Deletes a row whose file is gone.
pub(crate) async fn delete(db: &Db, claim: Claim) -> kith_db::Result<()> {
    let bound = params![claim.member.0, claim.id.0];
    db.exec(&DELETE, bound).await.map(drop)
}

/// Whether something in the storage is an export.
pub(crate) fn is_at(key: &str) -> bool {
    key.starts_with(FOLDER)
}
