//! Queue of members to push to: one row a member, with the range of notifications that wait.

use crate::features::notifications::NotificationKind;
use crate::platform::clock::{MINUTE, Millis, SECOND};
use crate::platform::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Db, Reader, Row, Sql, Tx, params, sql};

/// Partitions, to reduce contention between nodes. Members are spread by the time of their creation.
const PARTITIONS: i64 = 4;
/// Time after a notification until it is pushed, in which an open stream can show it.
const DELAY: Millis = 3 * SECOND;
/// Minimum time between two pushes to a member; what happens meanwhile is merged.
pub(super) const MIN_INTERVAL: Millis = MINUTE;
/// Time after which another node may push to a member whose row a node has claimed.
const CLAIM_TTL: Millis = MINUTE;
/// Rows of a partition that are read at a time.
const BATCH: u32 = 20;

const WANTS: Sql = sql!(
    "select 1 from push_subscriptions where member_id = $1 and coalesce(
       (select push from notification_settings where member_id = $1 and kind = $2), $3) = 1 limit 1"
);
// A row without waiting notifications is due a minute after the last push.
const ENQUEUE: Sql = sql!(
    "insert into push_queue (part, member_id, oldest_id, newest_id, due_at) values ($1, $2, $3, $3, $4)
     on conflict (part, member_id) do update set newest_id = excluded.newest_id,
       oldest_id = coalesce(push_queue.oldest_id, excluded.oldest_id),
       due_at = case when push_queue.due_at > excluded.due_at then push_queue.due_at else excluded.due_at end"
);
const FIND_WAITING: Sql = sql!(
    "select member_id from push_queue where part = $1 and member_id = $2 and oldest_id is not null"
);
const CANCEL: Sql =
    sql!("update push_queue set oldest_id = null where part = $1 and member_id = $2");
const DUE: Sql = sql!(
    "select member_id, oldest_id, newest_id, due_at from push_queue
     where part = $1 and oldest_id is not null and due_at <= $2 order by due_at limit $3"
);
const CLAIM: Sql = sql!(
    "update push_queue set due_at = $4 where part = $1 and member_id = $2 and due_at = $3
       and oldest_id is not null"
);
// A notification that was added meanwhile waits for the next push.
const FINISH: Sql = sql!(
    "update push_queue set due_at = $4,
       oldest_id = case when newest_id > $3 then $3 + 1 end where part = $1 and member_id = $2"
);
const DELAY_UNTIL: Sql =
    sql!("update push_queue set due_at = $3 where part = $1 and member_id = $2");
const DELETE: Sql = sql!("delete from push_queue where part = $1 and member_id = $2");

/// Returns the partition of a member.
fn partition(member: Id) -> i64 {
    member.time() % PARTITIONS
}

/// Returns whether notifications of a kind are pushed to a member.
pub async fn wants_push(tx: &Tx, member: Id, kind: NotificationKind) -> kith_db::Result<bool> {
    let default = i64::from(kind.is_pushed_by_default());
    let bound = params![member.0, kind as i64, default];
    Ok(tx.opt(&WANTS, bound, |_| Ok(())).await?.is_some())
}

/// Adds a notification to the next push to a member.
pub async fn enqueue(tx: &Tx, member: Id, notification: Id) -> kith_db::Result<()> {
    let due_at = notification.time() + DELAY;
    let row = params![partition(member), member.0, notification.0, due_at];
    tx.exec(&ENQUEUE, row).await.map(drop)
}

/// Cancels the next push to a member, who sees the notifications in an open browser.
pub async fn cancel_waiting(db: &Db, member: Id) -> kith_db::Result<()> {
    let row = params![partition(member), member.0];
    if db.opt(&FIND_WAITING, row, |_| Ok(())).await?.is_some() {
        db.exec(&CANCEL, row).await?;
    }
    Ok(())
}

/// Deletes the row of a member.
pub(super) async fn delete(tx: &Tx, member: Id) -> kith_db::Result<u64> {
    tx.exec(&DELETE, params![partition(member), member.0]).await
}

/// A push that is due.
#[derive(Debug, Clone, Copy)]
pub(super) struct DuePush {
    pub(super) member: Id,
    /// The oldest notification that waits.
    pub(super) oldest: Id,
    newest: Id,
    due_at: Millis,
}

/// Loads pushes that are due, [`BATCH`] of each partition at most.
pub(super) async fn load_due(db: &Reader<'_>, now: Millis) -> kith_db::Result<Vec<DuePush>> {
    let read = |row: &Row<'_>| {
        Ok(DuePush {
            member: Id(row.int(0)?),
            oldest: Id(row.int(1)?),
            newest: Id(row.int(2)?),
            due_at: row.int(3)?,
        })
    };
    let load = |part| async move { db.all(&DUE, params![part, now, BATCH], read).await };
    Ok(try_join_all((0..PARTITIONS).map(load)).await?.concat())
}

impl DuePush {
    /// Claims the push for a minute. Returns false if another node was faster.
    pub(super) async fn claim(&self, db: &Db, now: Millis) -> kith_db::Result<bool> {
        let bound = params![partition(self.member), self.member.0, self.due_at, now + CLAIM_TTL];
        Ok(db.exec(&CLAIM, bound).await? == 1)
    }

    /// Ends the push; the next one is due in a minute at the earliest.
    pub(super) async fn finish(&self, db: &Db, now: Millis) -> kith_db::Result<()> {
        let next = now + MIN_INTERVAL;
        let bound = params![partition(self.member), self.member.0, self.newest.0, next];
        db.exec(&FINISH, bound).await.map(drop)
    }

    /// Delays the push.
    pub(super) async fn delay(&self, db: &Db, until: Millis) -> kith_db::Result<()> {
        let bound = params![partition(self.member), self.member.0, until];
        db.exec(&DELAY_UNTIL, bound).await.map(drop)
    }
}
