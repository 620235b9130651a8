//! Notification rows, written in the transaction of the action that causes them.

use crate::features::notifications::NotificationKind;
use crate::features::relationships::{self, HiddenMembers};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};

const INSERT: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id) values ($1, $2, $3, $4, $5)
     on conflict (member_id, kind, actor_id, post_id) do nothing"
);
const DELETE_UNREAD: Sql =
    sql!("delete from notifications where member_id = $1 and actor_id = $2 and read_at is null");
/// Maximum unread count. Clients show more as "many", and every page load counts.
const MAX_UNREAD_COUNT: i64 = 1_000;
/// Maximum batches of [`MAX_UNREAD_COUNT`] rows per count, since all actors may be hidden.
const MAX_COUNT_STEPS: usize = 5;
/// Counts unread rows per actor, in index order from an actor on.
const UNREAD: Sql = sql!(
    "select actor_id, count(*) from (select actor_id from notifications
       where member_id = $1 and read_at is null and actor_id >= $2 order by actor_id limit 1000) as unread
     group by actor_id"
);

/// Notifies `member` of an action of `actor`. `id` is the id of the notification; `post` is [`Id::NONE`] for a
/// follow. Skips a member's own actions, repeated actions, and actions of muted or blocked members.
pub async fn notify_member(
    tx: &Tx,
    id: Id,
    kind: NotificationKind,
    member: Id,
    actor: Id,
    post: Id,
) -> kith_db::Result<()> {
    let should_notify = should_notify(tx, member, actor).await?;
    insert_notification(tx, should_notify, (id, kind), member, actor, post).await
}

/// Returns whether to notify `member` of actions of `actor`. Separate from [`insert_notification`] so that it can run
/// concurrently with other queries.
pub async fn should_notify(tx: &Tx, member: Id, actor: Id) -> kith_db::Result<bool> {
    Ok(member != actor && !relationships::suppresses_notifications(tx, member, actor).await?)
}

/// Inserts a notification if [`should_notify`] returned true.
pub async fn insert_notification(
    tx: &Tx,
    should_notify: bool,
    (id, kind): (Id, NotificationKind),
    member: Id,
    actor: Id,
    post: Id,
) -> kith_db::Result<()> {
    if !should_notify {
        return Ok(());
    }
    tx.exec(&INSERT, params![member.0, id.0, kind as i64, actor.0, post.0]).await.map(drop)
}

/// Counts a member's unread notifications up to [`MAX_UNREAD_COUNT`], without those by hidden actors.
pub async fn count_unread(
    db: &Reader<'_>,
    member: Id,
    hidden: &HiddenMembers,
) -> kith_db::Result<i64> {
    // `counted` counts the notifications of actors below `from`.
    let (mut counted, mut from, mut steps) = (0, Id::NONE.0, 0);
    loop {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let counts = db.all(&UNREAD, params![member.0, from], read).await?;
        steps += 1;
        let visible = counts.iter().filter(|(actor, _)| !hidden.hides_from_lists(*actor));
        let found = counted + visible.map(|(_, count)| count).sum::<i64>();
        let is_last = counts.iter().map(|(_, count)| count).sum::<i64>() < MAX_UNREAD_COUNT;
        let last = counts.into_iter().max().filter(|_| !is_last);
        let Some((last, count)) =
            last.filter(|_| found < MAX_UNREAD_COUNT && steps < MAX_COUNT_STEPS)
        else {
            return Ok(found.min(MAX_UNREAD_COUNT));
        };
        // The last actor may have more rows: skip a hidden one, recount any other.
        (counted, from) =
            if hidden.hides_from_lists(last) { (found, last + 1) } else { (found - count, last) };
    }
}

/// Deletes a member's unread notifications of another member's actions.
pub async fn delete_unread(tx: &mut Tx, member: Id, actor: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE_UNREAD, params![member.0, actor.0]).await.map(drop)
}
