//! Work to be done later. A job names rows; what it sends is made when it runs.

use crate::platform::clock::{MINUTE, Millis};
use crate::platform::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Reader, Sql, SqlIn, Tx, params, sql, sql_in};
use std::collections::HashMap;
use std::ops::Range;

/// Queues of a line that nodes claim from; the time spreads the jobs over them.
const PARTS: i64 = 4;
/// How many mails may wait that anybody can cause: as many in each queue as is its part of 10,000.
const MOST: i64 = 10_000;
/// How long a worker may take before another one may try.
const CLAIM: Millis = MINUTE;

const INSERT: Sql = sql!(
    "insert into jobs (part, id, kind, payload, run_at, attempts) values ($1, $2, $3, $4, $5, 0)"
);
const DUE: Sql = sql!(
    "select id, kind, payload, attempts, run_at from jobs where part = $1 and run_at <= $2
     order by run_at limit 20 offset $3"
);
// Counted no further than anything depends on: the column has an end, behind which no claim would succeed.
const CLAIM_ONE: Sql = sql!(
    "update jobs set run_at = $4, attempts = case when attempts < 100 then attempts + 1 else attempts end
     where part = $1 and id = $2 and run_at <= $3"
);
const COUNT: Sql = sql!("select count(*) from jobs where part = $1");
// Walks the key, and only as far as something waits.
const FULL: Sql = sql!("select id from jobs where part = $1 order by id limit 1 offset $2");
const DELAY: Sql = sql!("update jobs set run_at = $3 where part = $1 and id = $2");
const DELETE: Sql = sql!("delete from jobs where part = $1 and id = $2");
// Not those that another node has claimed meanwhile.
static DELETE_ALL: SqlIn =
    sql_in!("delete from jobs where part = $1 and run_at <= $2 and id in ($ids) returning id");
static DELAY_ALL: SqlIn = sql_in!(
    "update jobs set run_at = $3 where part = $1 and run_at <= $2 and id in ($ids) returning id"
);

/// The kinds of jobs, as they are stored.
const LOGIN: &str = "login_mail";
const INVITE: &str = "invite_mail";
const NEW_ADDRESS: &str = "new_address_mail";
const OLD_ADDRESS: &str = "old_address_mail";
const LEAVING: &str = "leaving_mail";

/// The lines that mails wait in, each with its own queues, so that neither blocks the other. Only the first is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// What somebody did for themselves, and most wait for at a screen.
    Asked,
    /// Invites to people who have waited for days, many at once.
    Invites,
}

impl Line {
    /// The one that goes first comes first.
    pub(crate) const ALL: [Self; 2] = [Self::Asked, Self::Invites];

    fn of(kind: &str) -> Self {
        if kind == INVITE {
            Self::Invites
        } else {
            Self::Asked
        }
    }

    const fn parts(self) -> Range<i64> {
        match self {
            Self::Asked => 0..PARTS,
            Self::Invites => PARTS..2 * PARTS,
        }
    }
}

/// How many mails wait to be sent.
pub async fn waiting(db: &Reader<'_>) -> kith_db::Result<i64> {
    let mut count = 0;
    for part in Line::ALL.into_iter().flat_map(Line::parts) {
        count += db.one(&COUNT, params![part], |row| row.int(0)).await?;
    }
    Ok(count)
}

/// One piece of deferred work.
#[derive(Debug, Clone)]
pub struct Job {
    /// Its id.
    pub id: Id,
    kind: &'static str,
    payload: String,
    run_at: Millis,
}

impl Job {
    /// The queue it waits in.
    fn part(&self) -> i64 {
        // Not by the id's last digits: each millisecond begins them anew, so that most ids end alike.
        Line::of(self.kind).parts().start + self.id.time() % PARTS
    }

    /// The mail for a login link.
    #[must_use]
    pub fn login_mail(id: Id, link: Id, now: Millis) -> Self {
        Self {
            id,
            kind: LOGIN,
            payload: link.0.to_string(),
            run_at: now,
        }
    }

    /// The mail that tells an address of its invite code. Both name rows.
    #[must_use]
    pub fn invite_mail(id: Id, email: &str, code: &str, now: Millis) -> Self {
        Self {
            id,
            kind: INVITE,
            payload: format!("{code} {email}"),
            run_at: now,
        }
    }

    /// The mail to the new or to the old address of a change.
    #[must_use]
    pub fn address_mail(id: Id, member: Id, change: Id, is_new: bool, now: Millis) -> Self {
        Self {
            id,
            kind: if is_new { NEW_ADDRESS } else { OLD_ADDRESS },
            payload: format!("{} {}", member.0, change.0),
            run_at: now,
        }
    }

    /// The mail that tells a member when their account will be deleted.
    #[must_use]
    pub fn leaving_mail(id: Id, member: Id, now: Millis) -> Self {
        Self {
            id,
            kind: LEAVING,
            payload: member.0.to_string(),
            run_at: now,
        }
    }
}

/// A job that is due.
#[derive(Debug, Clone)]
pub(crate) struct Due {
    pub(crate) part: i64,
    pub(crate) id: i64,
    pub(crate) errand: Errand,
    /// Tries before this one.
    pub(crate) attempts: i64,
}

#[derive(Debug, Clone)]
pub(crate) enum Errand {
    Login(Id),
    Invite {
        code: String,
        email: String,
    },
    /// One of the two mails of a change of address.
    Address {
        member: Id,
        change: Id,
        is_new: bool,
    },
    Leaving(Id),
}

impl Errand {
    fn read(kind: &str, payload: &str) -> Self {
        let (first, second) = payload.split_once(' ').unwrap_or((payload, ""));
        match kind {
            INVITE => Self::Invite {
                code: first.to_owned(),
                email: second.to_owned(),
            },
            NEW_ADDRESS | OLD_ADDRESS => Self::Address {
                member: Id::parse(first),
                change: Id::parse(second),
                is_new: kind == NEW_ADDRESS,
            },
            LEAVING => Self::Leaving(Id::parse(payload)),
            _ => Self::Login(Id::parse(payload)),
        }
    }
}

/// Stores a job with the change that causes it.
pub async fn enqueue(tx: &mut Tx, job: &Job) -> kith_db::Result<()> {
    tx.exec(
        &INSERT,
        params![job.part(), job.id.0, job.kind, &job.payload, job.run_at],
    )
    .await
    .map(drop)
}

/// Whether so many mails wait that a visitor must not add this one.
pub async fn is_full(tx: &mut Tx, job: &Job) -> kith_db::Result<bool> {
    let bound = params![job.part(), MOST / PARTS - 1];
    Ok(tx.opt(&FULL, bound, |_| Ok(())).await?.is_some())
}

/// Jobs of a line that are due, longest first: at most 20 of each queue, without those first that must wait.
pub(crate) async fn due(
    db: &Reader<'_>,
    line: Line,
    now: Millis,
    waiting: &HashMap<i64, i64>,
) -> kith_db::Result<Vec<Due>> {
    let read = |part| async move {
        let passed = waiting.get(&part).copied().unwrap_or_default();
        db.all(&DUE, params![part, now, passed], |row| {
            let job = Due {
                part,
                id: row.int(0)?,
                errand: Errand::read(&row.text(1)?, &row.text(2)?),
                attempts: row.int(3)?,
            };
            Ok((row.int(4)?, job))
        })
        .await
    };
    let mut jobs = try_join_all(line.parts().map(read)).await?.concat();
    jobs.sort_by_key(|(run_at, _)| *run_at);
    Ok(jobs.into_iter().map(|(_, job)| job).collect())
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum What {
    /// Keep others away while it runs; answers whether it is ours.
    Claim,
    Delay(Millis),
    /// It is done, or hopeless.
    Done {
        sent: bool,
    },
}

impl Due {
    /// Claims the job for a minute, unless another worker was faster; returns whether it is ours.
    pub(crate) async fn claim(&self, tx: &mut Tx, now: Millis) -> kith_db::Result<bool> {
        let bound = params![self.part, self.id, now, now + CLAIM];
        Ok(tx.exec(&CLAIM_ONE, bound).await? == 1)
    }

    /// Delays the job until a time.
    pub(crate) async fn delay(&self, tx: &mut Tx, until: Millis) -> kith_db::Result<()> {
        let bound = params![self.part, self.id, until];
        tx.exec(&DELAY, bound).await.map(drop)
    }

    /// Deletes the job.
    pub(crate) async fn delete(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![self.part, self.id];
        tx.exec(&DELETE, bound).await.map(drop)
    }
}

/// The same for wishes that waited for the one that it happened to.
pub(crate) struct Likewise {
    /// The queues and ids of their jobs.
    pub(crate) jobs: Vec<(i64, i64)>,
    pub(crate) now: Millis,
    pub(crate) what: What,
}

impl kith_db::Write for Likewise {
    /// How many there still were.
    type Out = usize;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<usize> {
        let mut changed = 0;
        for part in Line::Asked.parts() {
            let ids = self.jobs.iter().filter(|job| job.0 == part);
            let ids = ids.map(|job| job.1).collect::<Vec<_>>();
            let found = match self.what {
                What::Delay(until) => {
                    let own = params![part, self.now, until];
                    tx.all_in(&DELAY_ALL, own, &ids, |_| Ok(())).await?
                }
                What::Done { .. } => {
                    let own = params![part, self.now];
                    tx.all_in(&DELETE_ALL, own, &ids, |_| Ok(())).await?
                }
                What::Claim => continue,
            };
            changed += found.len();
        }
        Ok(changed)
    }
}
