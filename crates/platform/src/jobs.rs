//! Mail job queue. A job stores row ids; the mail is rendered when the job runs.

use crate::clock::{MINUTE, Millis};
use crate::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Reader, Sql, SqlIn, Tx, params, sql, sql_in};
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::Range;

/// Partitions per priority, to reduce contention between nodes. Jobs are spread by their creation time.
const PARTITIONS: i64 = 4;
/// Capacity of the user-initiated queue, split evenly over its partitions.
const MAX_QUEUED: i64 = 10_000;
/// Lifetime of a claim, after which another worker may claim the job.
const CLAIM_TTL: Millis = MINUTE;

const INSERT: Sql = sql!(
    "insert into jobs (part, id, kind, payload, run_at, attempts) values ($1, $2, $3, $4, $5, 0)"
);
const DUE: Sql = sql!(
    "select id, kind, payload, attempts, run_at from jobs where part = $1 and run_at <= $2
     order by run_at limit 20 offset $3"
);
// Stops counting at 100, so that the column cannot overflow and fail every claim.
const CLAIM_ONE: Sql = sql!(
    "update jobs set run_at = $4, attempts = case when attempts < 100 then attempts + 1 else attempts end
     where part = $1 and id = $2 and run_at <= $3"
);
static COUNT: SqlIn = sql_in!("select count(*) from jobs where part in ($ids)");
// Finds a row only in a full queue, by an index scan that stops at the capacity.
const FIND_AT_CAPACITY: Sql =
    sql!("select id from jobs where part = $1 order by id limit 1 offset $2");
const DELAY: Sql = sql!("update jobs set run_at = $3 where part = $1 and id = $2");
const DELETE: Sql = sql!("delete from jobs where part = $1 and id = $2");
// Skips jobs that another node has claimed meanwhile.
static DELETE_ALL: SqlIn =
    sql_in!("delete from jobs where part = $1 and run_at <= $2 and id in ($ids) returning id");
static DELAY_ALL: SqlIn = sql_in!(
    "update jobs set run_at = $3 where part = $1 and run_at <= $2 and id in ($ids) returning id"
);

/// Stored job kinds.
const LOGIN: &str = "login_mail";
const INVITE: &str = "invite_mail";
const NEW_EMAIL: &str = "new_address_mail";
const CURRENT_EMAIL: &str = "old_address_mail";
const DELETION: &str = "leaving_mail";
const DIGEST: &str = "digest_mail";
const ANNOUNCEMENT: &str = "announcement_mail";
const NOTICE: &str = "notice_mail";

/// Priority of mail. Each has its own partitions, so that none blocks another; only `UserInitiated` is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuePriority {
    /// Mail that a member or visitor requested and waits for.
    UserInitiated,
    /// Waitlist invites and notices of sanctions, sent in large batches.
    Bulk,
    /// Weekly digests and announcements, which no recipient waits for.
    Digest,
}

impl QueuePriority {
    /// All priorities, highest first.
    pub const ALL: [Self; 3] = [Self::UserInitiated, Self::Bulk, Self::Digest];

    fn for_kind(kind: &str) -> Self {
        match kind {
            INVITE | NOTICE => Self::Bulk,
            DIGEST | ANNOUNCEMENT => Self::Digest,
            _ => Self::UserInitiated,
        }
    }

    const fn partitions(self) -> Range<i64> {
        match self {
            Self::UserInitiated => 0..PARTITIONS,
            Self::Bulk => PARTITIONS..2 * PARTITIONS,
            Self::Digest => 2 * PARTITIONS..3 * PARTITIONS,
        }
    }
}

/// Counts the mails in the queue.
pub async fn count_waiting(db: &Reader<'_>) -> kith_db::Result<i64> {
    let partitions = QueuePriority::ALL.into_iter().flat_map(QueuePriority::partitions);
    let counts = db.all_in(&COUNT, &[], &partitions.collect::<Vec<_>>(), |row| row.int(0)).await?;
    Ok(counts.into_iter().sum())
}

/// A queued job.
#[derive(Debug, Clone)]
pub struct Job {
    /// Id of the job.
    pub id: Id,
    kind: &'static str,
    payload: String,
    run_at: Millis,
}

impl Job {
    /// Returns the partition of the job.
    fn partition(&self) -> i64 {
        // Uses the time, not the low bits of the id: the sequence restarts each millisecond, so most ids end in zeros.
        QueuePriority::for_kind(self.kind).partitions().start + self.id.time() % PARTITIONS
    }

    /// Creates the job for the mail with a login link.
    #[must_use]
    pub fn login_mail(id: Id, link: Id, now: Millis) -> Self {
        Self { id, kind: LOGIN, payload: link.0.to_string(), run_at: now }
    }

    /// Creates the job for the mail with an invite code. Email and code identify the rows.
    #[must_use]
    pub fn invite_mail(id: Id, email: &str, code: &str, now: Millis) -> Self {
        Self { id, kind: INVITE, payload: format!("{code} {email}"), run_at: now }
    }

    /// Creates the job for the mail to the new or current email of an email change.
    #[must_use]
    pub fn email_change_mail(id: Id, member: Id, change: Id, is_new: bool, now: Millis) -> Self {
        Self {
            id,
            kind: if is_new { NEW_EMAIL } else { CURRENT_EMAIL },
            payload: format!("{} {}", member.0, change.0),
            run_at: now,
        }
    }

    /// Creates the job for the mail that announces an account deletion.
    #[must_use]
    pub fn deletion_mail(id: Id, member: Id, now: Millis) -> Self {
        Self { id, kind: DELETION, payload: member.0.to_string(), run_at: now }
    }

    /// Creates the job for the mail with a version of the announcement to a member.
    #[must_use]
    pub fn announcement_mail(id: Id, member: Id, version: i64, now: Millis) -> Self {
        let payload = format!("{} {version}", member.0);
        Self { id, kind: ANNOUNCEMENT, payload, run_at: now }
    }

    /// Creates the job for the mail with a notice of a sanction, or with the answer to its objection.
    #[must_use]
    pub fn notice_mail(id: Id, member: Id, notice: Id, now: Millis) -> Self {
        let payload = format!("{} {}", member.0, notice.0);
        Self { id, kind: NOTICE, payload, run_at: now }
    }

    /// Creates the job for the weekly digest of a member.
    #[must_use]
    pub fn digest_mail(id: Id, member: Id, now: Millis) -> Self {
        Self { id, kind: DIGEST, payload: member.0.to_string(), run_at: now }
    }
}

/// A job that is due.
#[derive(Debug, Clone)]
pub struct DueJob {
    /// Partition.
    pub part: i64,
    /// Id of the row.
    pub id: i64,
    /// Mail that the job sends.
    pub mail: MailJob,
    /// Number of earlier attempts.
    pub attempts: i64,
}

/// Mail that a job sends, with the ids of its rows.
#[derive(Debug, Clone)]
pub enum MailJob {
    /// Login link; the id of its row.
    Login(Id),
    /// Invite sent to an email.
    Invite {
        /// Invite code.
        code: String,
        /// Recipient.
        email: String,
    },
    /// Mail to the current or new email of an email change.
    EmailChange {
        /// Id of the member.
        member: Id,
        /// Id of the email change.
        change: Id,
        /// Whether the mail goes to the new email.
        is_new: bool,
    },
    /// Announcement of an account deletion; the id of the member.
    Deletion(Id),
    /// Weekly digest; the id of the member.
    Digest(Id),
    /// Announcement to a member.
    Announcement {
        /// Id of the member.
        member: Id,
        /// Version of the announcement.
        version: i64,
    },
    /// Notice of a sanction, or the answer to its objection.
    Notice {
        /// Id of the member.
        member: Id,
        /// Id of the notice.
        notice: Id,
    },
}

impl MailJob {
    fn parse(kind: &str, payload: &str) -> Self {
        let (first, second) = payload.split_once(' ').unwrap_or((payload, ""));
        match kind {
            INVITE => Self::Invite { code: first.to_owned(), email: second.to_owned() },
            NEW_EMAIL | CURRENT_EMAIL => Self::EmailChange {
                member: Id::parse(first),
                change: Id::parse(second),
                is_new: kind == NEW_EMAIL,
            },
            DELETION => Self::Deletion(Id::parse(payload)),
            DIGEST => Self::Digest(Id::parse(payload)),
            ANNOUNCEMENT => Self::Announcement {
                member: Id::parse(first),
                version: second.parse().unwrap_or_default(),
            },
            NOTICE => Self::Notice { member: Id::parse(first), notice: Id::parse(second) },
            _ => Self::Login(Id::parse(payload)),
        }
    }
}

/// Inserts a job in the transaction that causes it.
pub async fn enqueue(tx: &mut Tx, job: &Job) -> kith_db::Result<()> {
    tx.exec(&INSERT, params![job.partition(), job.id.0, job.kind, &job.payload, job.run_at])
        .await
        .map(drop)
}

/// Checks whether the partition of a user-initiated job is at capacity.
pub async fn is_queue_full(tx: &mut Tx, job: &Job) -> kith_db::Result<bool> {
    let bound = params![job.partition(), MAX_QUEUED / PARTITIONS - 1];
    Ok(tx.opt(&FIND_AT_CAPACITY, bound, |_| Ok(())).await?.is_some())
}

/// Loads due jobs of a priority, oldest first: at most 20 per partition, after skipping its count in `skip`.
pub async fn load_due(
    db: &Reader<'_>,
    priority: QueuePriority,
    now: Millis,
    skip: &HashMap<i64, i64, impl BuildHasher>,
) -> kith_db::Result<Vec<DueJob>> {
    let load_partition = |part| async move {
        let offset = skip.get(&part).copied().unwrap_or_default();
        db.all(&DUE, params![part, now, offset], |row| {
            let job = DueJob {
                part,
                id: row.int(0)?,
                mail: MailJob::parse(&row.text(1)?, &row.text(2)?),
                attempts: row.int(3)?,
            };
            Ok((row.int(4)?, job))
        })
        .await
    };
    let mut jobs = try_join_all(priority.partitions().map(load_partition)).await?.concat();
    jobs.sort_by_key(|(run_at, _)| *run_at);
    Ok(jobs.into_iter().map(|(_, job)| job).collect())
}

/// Change of a job after an attempt.
#[derive(Debug, Clone, Copy)]
pub enum JobUpdate {
    /// Claim the job; returns whether this worker holds it.
    Claim,
    /// Delay the job until a time.
    Delay(Millis),
    /// Delete the job, whose mail has this outcome.
    Done(MailOutcome),
}

/// Final outcome of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailOutcome {
    /// The mail server accepted it.
    Sent,
    /// The mail server rejected it permanently.
    Rejected,
    /// It was not sent, because it had become obsolete.
    Obsolete,
}

impl DueJob {
    /// Claims the job for a minute. Returns false if another worker was faster.
    pub async fn claim(&self, tx: &mut Tx, now: Millis) -> kith_db::Result<bool> {
        let bound = params![self.part, self.id, now, now + CLAIM_TTL];
        Ok(tx.exec(&CLAIM_ONE, bound).await? == 1)
    }

    /// Delays the job until a time.
    pub async fn delay(&self, tx: &mut Tx, until: Millis) -> kith_db::Result<()> {
        let bound = params![self.part, self.id, until];
        tx.exec(&DELAY, bound).await.map(drop)
    }

    /// Deletes the job.
    pub async fn delete(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![self.part, self.id];
        tx.exec(&DELETE, bound).await.map(drop)
    }
}

/// Applies the outcome of a sent mail to duplicate jobs that waited for it.
pub struct UpdateDuplicates {
    /// Partition and id of each job.
    pub jobs: Vec<(i64, i64)>,
    /// Time of the update.
    pub now: Millis,
    /// Outcome to apply.
    pub update: JobUpdate,
}

impl kith_db::Write for UpdateDuplicates {
    /// Number of jobs that still existed.
    type Out = usize;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<usize> {
        let mut changed = 0;
        for part in QueuePriority::UserInitiated.partitions() {
            let ids = self.jobs.iter().filter(|job| job.0 == part);
            let ids = ids.map(|job| job.1).collect::<Vec<_>>();
            let found = match self.update {
                JobUpdate::Delay(until) => {
                    let bound = params![part, self.now, until];
                    tx.all_in(&DELAY_ALL, bound, &ids, |_| Ok(())).await?
                }
                JobUpdate::Done(_) => {
                    let bound = params![part, self.now];
                    tx.all_in(&DELETE_ALL, bound, &ids, |_| Ok(())).await?
                }
                JobUpdate::Claim => continue,
            };
            changed += found.len();
        }
        Ok(changed)
    }
}
