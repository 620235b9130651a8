//! Deletes the notifications about a post that is deleted.

use crate::features::notifications::NotificationKind;
use crate::platform::ids::Id;
use kith_db::{Db, Sql, SqlIn, Tx, params, sql, sql_in};

/// The notification of a reply or mention has the post's own id.
const DELETE_FOR_RECIPIENT: Sql =
    sql!("delete from notifications where member_id = $1 and id = $2");
const DELETE_OF_POST: Sql =
    sql!("delete from notifications where member_id = $1 and kind = $2 and post_id = $3");
/// Maximum like or repost notifications deleted in the transaction that deletes their post. Further ones are
/// deleted in batches of this size before it.
const POST_BATCH: u32 = 500;
const LIST_OF_POST: Sql = sql!(
    "select id from notifications where member_id = $1 and kind = $2 and post_id = $3
     order by actor_id limit $4"
);
const EXCEEDS_BATCH: Sql = sql!(
    "select id from notifications where member_id = $1 and kind = $2 and post_id = $3
     order by actor_id limit 1 offset $4"
);
static DELETE_BY_ID: SqlIn =
    sql_in!("delete from notifications where member_id = $1 and id in ($ids) returning id");

/// Deletes most like and repost notifications of a post before its author deletes it, in batches: one
/// transaction over a million likes would block all other writes. No effect when `author` is not the author.
pub async fn delete_for_post_in_steps(db: &Db, post: Id, author: Id) -> kith_db::Result<()> {
    for kind in [NotificationKind::Like, NotificationKind::Repost] {
        let bound = params![author.0, kind as i64, post.0, POST_BATCH];
        while db.opt(&EXCEEDS_BATCH, bound, |_| Ok(())).await?.is_some() {
            db.write(DeletePostNotifications { post, author, kind }).await?;
        }
    }
    Ok(())
}

struct DeletePostNotifications {
    post: Id,
    author: Id,
    kind: NotificationKind,
}

impl kith_db::Write for DeletePostNotifications {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![self.author.0, self.kind as i64, self.post.0, POST_BATCH];
        let ids = tx.all(&LIST_OF_POST, bound, |row| row.int(0)).await?;
        let author = params![self.author.0];
        tx.all_in(&DELETE_BY_ID, author, &ids, |_| Ok(())).await?;
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
        tx.exec(&DELETE_FOR_RECIPIENT, params![member.0, post.0]).await?;
    }
    for kind in [NotificationKind::Like, NotificationKind::Repost] {
        tx.exec(&DELETE_OF_POST, params![author.0, kind as i64, post.0]).await?;
    }
    Ok(())
}
