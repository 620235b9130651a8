//! Notification rows, written in the transaction of the action that causes them.

use crate::features::notifications::NotificationKind;
use crate::features::push;
use crate::features::relationships::{self, HiddenMembers, follows};
use crate::platform::ids::Id;
use futures_util::try_join;
use kith_db::{Reader, Row, Sql, Tx, params, sql};

const INSERT: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id) values ($1, $2, $3, $4, $5)
     on conflict (member_id, kind, actor_id, post_id) do nothing"
);
/// Selects whose actions notify, if the member chose that; those of no one (2) in a muted conversation.
const NOTIFY_FROM: Sql = sql!(
    "select notify_from from notification_settings where member_id = $1 and kind = $2
     union all select 2 from muted_conversations where member_id = $1 and post_id = $3"
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

/// A notification of an action, unless the recipient does not want it.
#[derive(Debug, Clone, Copy)]
pub struct NewNotification {
    /// Id of the notification.
    pub id: Id,
    /// Type of the action.
    pub kind: NotificationKind,
    /// The recipient.
    pub member: Id,
    /// Member who performed the action.
    pub actor: Id,
    /// The post that the notification refers to; [`Id::NONE`] for a follow.
    pub post: Id,
    /// The post that the conversation started with; [`Id::NONE`] for a follow.
    pub conversation: Id,
}

/// Whether a member wants a notification.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    is_listed: bool,
    is_pushed: bool,
}

impl NewNotification {
    /// Inserts the notification if it is wanted. A repeated action does not notify twice.
    pub async fn notify(&self, tx: &Tx) -> kith_db::Result<()> {
        let wanted = self.check_wanted(tx).await?;
        self.insert_if(tx, wanted).await
    }

    /// Returns whether to notify: not of own actions, of actions of muted or blocked members, in muted conversations,
    /// and of actions that the member's settings exclude. Separate from [`Self::insert_if`] so that it can run
    /// concurrently with other queries.
    pub async fn check_wanted(&self, tx: &Tx) -> kith_db::Result<Wanted> {
        if self.member == self.actor {
            return Ok(Wanted { is_listed: false, is_pushed: false });
        }
        let (is_hidden, is_excluded, is_pushed) = try_join!(
            relationships::suppresses_notifications(tx, self.member, self.actor),
            self.is_excluded(tx),
            push::wants_push(tx, self.member, self.kind),
        )?;
        Ok(Wanted { is_listed: !is_hidden && !is_excluded, is_pushed })
    }

    /// Returns whether the member's settings exclude the action.
    async fn is_excluded(&self, tx: &Tx) -> kith_db::Result<bool> {
        let bound = params![self.member.0, self.kind as i64, self.conversation.0];
        let chosen = tx.all(&NOTIFY_FROM, bound, |row| row.int(0)).await?;
        match chosen.iter().max() {
            None | Some(0) => Ok(false),
            Some(1) => Ok(!follows::is_following_in(tx, self.member, self.actor).await?),
            Some(_) => Ok(true),
        }
    }

    /// Inserts the notification if it is wanted.
    pub async fn insert_if(&self, tx: &Tx, wanted: Wanted) -> kith_db::Result<()> {
        if !wanted.is_listed {
            return Ok(());
        }
        let row = params![self.member.0, self.id.0, self.kind as i64, self.actor.0, self.post.0];
        let is_new = tx.exec(&INSERT, row).await? > 0;
        if is_new && wanted.is_pushed {
            push::enqueue(tx, self.member, self.id).await?;
        }
        Ok(())
    }
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
