//! Table `digests`: the members who get digests, and when the next one is due.

use crate::features::digest::WEEK;
use crate::platform::clock::{HOUR, Millis};
use crate::platform::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// Partitions, to reduce contention between nodes. Members are spread by the time of their creation.
const PARTITIONS: i64 = 4;
/// Rows of a partition that are read at a time.
const BATCH: u32 = 50;
/// Time from joining to the first digest. A member who was here in these hours only gets one after a week.
const OFFSET: Millis = 12 * HOUR;
/// Digests in a row whose permanent rejection turns digests off.
const MAX_BOUNCES: i64 = 3;

const ENABLE: Sql = sql!(
    "insert into digests (part, member_id, due_at, bounces) values ($1, $2, $3, 0)
     on conflict (part, member_id) do nothing"
);
const FIND: Sql = sql!("select sent_at from digests where part = $1 and member_id = $2");
const DISABLE: Sql = sql!("delete from digests where part = $1 and member_id = $2");
const DUE: Sql = sql!(
    "select member_id, due_at from digests where part = $1 and due_at <= $2 order by due_at limit $3"
);
const CLAIM: Sql =
    sql!("update digests set due_at = $4 where part = $1 and member_id = $2 and due_at = $3");
const RECORD_SENT: Sql =
    sql!("update digests set sent_at = $3, bounces = 0 where part = $1 and member_id = $2");
const RECORD_BOUNCE: Sql =
    sql!("update digests set bounces = bounces + 1 where part = $1 and member_id = $2");
const DISABLE_BOUNCED: Sql =
    sql!("delete from digests where part = $1 and member_id = $2 and bounces >= $3");

fn partition(member: Id) -> i64 {
    member.time() % PARTITIONS
}

/// Returns a member's next time for a digest: whole weeks after [`OFFSET`], which spreads members over the week by the
/// time at which they joined.
fn next_due(member: Id, now: Millis) -> Millis {
    now + WEEK - (now - member.time() - OFFSET).rem_euclid(WEEK)
}

/// Turns digests on. Idempotent.
pub async fn enable(tx: &Tx, member: Id, now: Millis) -> kith_db::Result<()> {
    let row = params![partition(member), member.0, next_due(member, now)];
    tx.exec(&ENABLE, row).await.map(drop)
}

/// Turns digests off, and returns the count of deleted rows. Idempotent.
pub async fn disable(tx: &Tx, member: Id) -> kith_db::Result<u64> {
    tx.exec(&DISABLE, params![partition(member), member.0]).await
}

/// Returns whether a member gets digests.
pub async fn is_enabled(db: &Reader<'_>, member: Id) -> kith_db::Result<bool> {
    Ok(find(db, member).await?.is_some())
}

/// A member's digests.
pub(super) struct DigestRow {
    /// When the last digest that was sent was queued.
    pub(super) sent_at: Option<Millis>,
}

/// Finds a member's digests; `None` if they are off.
pub(super) async fn find(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<DigestRow>> {
    let read = |row: &Row<'_>| Ok(DigestRow { sent_at: row.opt_int(0)? });
    db.opt(&FIND, params![partition(member), member.0], read).await
}

/// A member whose digest is due.
#[derive(Debug, Clone, Copy)]
pub(super) struct DueDigest {
    pub(super) member: Id,
    due_at: Millis,
}

/// Loads digests that are due, [`BATCH`] of each partition at most, in the order of their members, so that
/// transactions that claim them cannot deadlock.
pub(super) async fn load_due(db: &Reader<'_>, now: Millis) -> kith_db::Result<Vec<DueDigest>> {
    let read = |row: &Row<'_>| Ok(DueDigest { member: Id(row.int(0)?), due_at: row.int(1)? });
    let load = |part| async move { db.all(&DUE, params![part, now, BATCH], read).await };
    let mut due = try_join_all((0..PARTITIONS).map(load)).await?.concat();
    due.sort_unstable_by_key(|digest| digest.member);
    Ok(due)
}

impl DueDigest {
    /// Moves the due time to the next week. Returns false if another node was faster.
    pub(super) async fn claim(&self, tx: &Tx, now: Millis) -> kith_db::Result<bool> {
        let next = next_due(self.member, now);
        let bound = params![partition(self.member), self.member.0, self.due_at, next];
        Ok(tx.exec(&CLAIM, bound).await? == 1)
    }
}

/// Records that a digest was sent, which was queued at `queued_at`: the next one begins there.
pub async fn record_sent(tx: &Tx, member: Id, queued_at: Millis) -> kith_db::Result<()> {
    tx.exec(&RECORD_SENT, params![partition(member), member.0, queued_at]).await.map(drop)
}

/// Records that the mail server rejected a digest permanently. Turns digests off after [`MAX_BOUNCES`] in a row.
pub async fn record_bounce(tx: &Tx, member: Id) -> kith_db::Result<()> {
    let part = partition(member);
    tx.exec(&RECORD_BOUNCE, params![part, member.0]).await?;
    tx.exec(&DISABLE_BOUNCED, params![part, member.0, MAX_BOUNCES]).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::clock::EPOCH;

    /// proves: digest-weekly
    #[test]
    fn digests_are_due_weekly_at_the_time_at_which_the_member_joined() {
        let joined = EPOCH + 1_000_000;
        let (member, first) = (Id(Id::first_at(joined)), joined + OFFSET);
        for (now, weeks) in [
            (joined, 0),
            (first - 1, 0),
            (first, 1),
            (first + WEEK - 1, 1),
            (first + WEEK, 2),
            (first + 5 * WEEK / 2, 3),
        ] {
            assert_eq!(next_due(member, now), first + weeks * WEEK, "{now}");
        }
    }
}
