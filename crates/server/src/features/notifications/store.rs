//! Notification rows, written in the transaction of the action that causes them.

use crate::features::relationships::{self, HiddenMembers};
use crate::http::pagination::MAX_SCAN;
use crate::platform::ids::Id;
use kith_db::{Db, Row, Sql, SqlIn, Tx, params, sql, sql_in};

/// Kind of action that a notification reports, stored as its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// The actor follows the member.
    Follow = 0,
    /// The actor likes the member's post.
    Like = 1,
    /// The actor replies to the member's post.
    Reply = 2,
    /// The actor reposts the member's post.
    Repost = 3,
    /// The actor mentions the member in a post.
    Mention = 4,
}

const INSERT: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id) values ($1, $2, $3, $4, $5)
     on conflict (member_id, kind, actor_id, post_id) do nothing"
);
/// The notification of a reply or mention has the post's own id.
const DELETE: Sql = sql!("delete from notifications where member_id = $1 and id = $2");
const DELETE_OWN: Sql =
    sql!("delete from notifications where member_id = $1 and kind = $2 and post_id = $3");
const DELETE_UNREAD: Sql =
    sql!("delete from notifications where member_id = $1 and actor_id = $2 and read_at is null");
/// Notifications deleted together with their post. Of a post with more, some are deleted beforehand.
const MANY: u32 = 500;
const OWN: Sql = sql!(
    "select id from notifications where member_id = $1 and kind = $2 and post_id = $3
     order by actor_id limit $4"
);
const IS_MANY: Sql = sql!(
    "select id from notifications where member_id = $1 and kind = $2 and post_id = $3
     order by actor_id limit 1 offset $4"
);
static DELETE_SOME: SqlIn =
    sql_in!("delete from notifications where member_id = $1 and id in ($ids) returning id");
/// Maximum unread count. Clients show more as "many", and every page load counts.
const COUNTED: i64 = 1_000;
/// Maximum batches of [`COUNTED`] rows per count, since all actors may be hidden.
const STEPS: usize = MAX_SCAN / 1_000;
/// Counts unread rows per actor, in index order from an actor on.
const UNREAD: Sql = sql!(
    "select actor_id, count(*) from (select actor_id from notifications
       where member_id = $1 and read_at is null and actor_id >= $2 order by actor_id limit 1000) as unread
     group by actor_id"
);

/// Notifies `member` of an action of `actor`; `post` is [`Id::NONE`] for a follow. Skips a member's own
/// actions, repeated actions, and actions of muted or blocked members.
pub async fn notify(
    tx: &Tx,
    id: Id,
    kind: ActionKind,
    member: Id,
    actor: Id,
    post: Id,
) -> kith_db::Result<()> {
    let should_notify = should_notify(tx, member, actor).await?;
    insert(tx, should_notify, (id, kind), member, actor, post).await
}

/// Whether to notify `member` of actions of `actor`. Separate from [`insert`] so that it can run
/// concurrently with other queries.
pub async fn should_notify(tx: &Tx, member: Id, actor: Id) -> kith_db::Result<bool> {
    Ok(member != actor && !relationships::suppresses_notifications(tx, member, actor).await?)
}

/// Inserts a notification if [`should_notify`] returned true.
pub async fn insert(
    tx: &Tx,
    should_notify: bool,
    (id, kind): (Id, ActionKind),
    member: Id,
    actor: Id,
    post: Id,
) -> kith_db::Result<()> {
    if !should_notify {
        return Ok(());
    }
    tx.exec(&INSERT, params![member.0, id.0, kind as i64, actor.0, post.0]).await.map(drop)
}

/// Counts a member's unread notifications up to [`COUNTED`], without those by hidden actors.
pub async fn count_unread(
    db: &kith_db::Reader<'_>,
    member: Id,
    unseen: &HiddenMembers,
) -> kith_db::Result<i64> {
    // `before` counts the notifications of actors below `from`.
    let (mut before, mut from, mut steps) = (0, Id::NONE.0, 0);
    loop {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let counts = db.all(&UNREAD, params![member.0, from], read).await?;
        steps += 1;
        let seen = counts.iter().filter(|(actor, _)| !unseen.hides_from_lists(*actor));
        let found = before + seen.map(|(_, count)| count).sum::<i64>();
        let is_last = counts.iter().map(|(_, count)| count).sum::<i64>() < COUNTED;
        let last = counts.into_iter().max().filter(|_| !is_last);
        let Some((last, count)) = last.filter(|_| found < COUNTED && steps < STEPS) else {
            return Ok(found.min(COUNTED));
        };
        // The last actor may have more rows: skip a hidden one, recount any other.
        (before, from) =
            if unseen.hides_from_lists(last) { (found, last + 1) } else { (found - count, last) };
    }
}

/// Deletes a member's unread notifications of another member's actions.
pub async fn delete_unread(tx: &mut Tx, member: Id, actor: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE_UNREAD, params![member.0, actor.0]).await.map(drop)
}

/// Deletes most like and repost notifications of a post before its author deletes it, in batches: one
/// transaction over a million likes would block all other writes. No effect when `author` is not the author.
pub async fn delete_for_post_in_steps(db: &Db, post: Id, author: Id) -> kith_db::Result<()> {
    for kind in [ActionKind::Like, ActionKind::Repost] {
        let bound = params![author.0, kind as i64, post.0, MANY];
        while db.opt(&IS_MANY, bound, |_| Ok(())).await?.is_some() {
            db.write(DeleteSome { post, author, kind }).await?;
        }
    }
    Ok(())
}

struct DeleteSome {
    post: Id,
    author: Id,
    kind: ActionKind,
}

impl kith_db::Write for DeleteSome {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![self.author.0, self.kind as i64, self.post.0, MANY];
        let ids = tx.all(&OWN, bound, |row| row.int(0)).await?;
        let author = params![self.author.0];
        tx.all_in(&DELETE_SOME, author, &ids, |_| Ok(())).await?;
        Ok(())
    }
}

/// Deletes a post's notifications: the recipients' reply and mention, and the author's likes and reposts.
pub async fn delete_for_post(
    tx: &mut Tx,
    post: Id,
    author: Id,
    recipients: &[Id],
) -> kith_db::Result<()> {
    for member in recipients {
        tx.exec(&DELETE, params![member.0, post.0]).await?;
    }
    for kind in [ActionKind::Like, ActionKind::Repost] {
        tx.exec(&DELETE_OWN, params![author.0, kind as i64, post.0]).await?;
    }
    Ok(())
}
