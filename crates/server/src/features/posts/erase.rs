//! Erases the posts and interactions of a deleted account, in batches. Threads keep tombstones of the posts.

use crate::features::posts::delete::DeletePost;
use crate::features::posts::removed;
use crate::features::posts::reposts;
use crate::features::posts::score;
use crate::http::error::Result;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Row, Sql, Tx, Write as _, params, sql};

/// Posts per transaction: each deletes about 20 rows and up to 20 votes.
const POSTS_PER_BATCH: u32 = 10;
/// Likes, votes or keys per transaction.
const ROWS_PER_BATCH: u32 = 100;

const WRITTEN: Sql =
    sql!("select id, kind from author_posts where author_id = $1 order by id desc limit $2");
const LIKED: Sql =
    sql!("select post_id, id from member_likes where member_id = $1 order by id limit $2");
const DELETE_LIKE: Sql = sql!("delete from likes where post_id = $1 and member_id = $2");
const DELETE_MEMBER_LIKE: Sql = sql!("delete from member_likes where member_id = $1 and id = $2");
const COUNT_LIKE: Sql = sql!("update posts set like_count = like_count - 1 where id = $1");
const VOTED: Sql =
    sql!("select post_id, choice from poll_votes where member_id = $1 order by post_id limit $2");
const LOCK: Sql = sql!("update posts set poll_expires_at = poll_expires_at where id = $1");
const DELETE_VOTE: Sql = sql!("delete from poll_votes where post_id = $1 and member_id = $2");
const COUNT_VOTE: Sql =
    sql!("update poll_choices set votes = votes - 1 where post_id = $1 and choice = $2");
const DELETE_KEYS: Sql = sql!(
    "delete from idempotency_keys where member_id = $1 and key in (select key from idempotency_keys
       where member_id = $1 order by key limit $2)"
);

/// Deletes up to [`POSTS_PER_BATCH`] of a member's posts, replies and reposts, newest first, and as many removed posts.
/// Returns the count.
pub async fn erase_posts(tx: &mut Tx, member: Id, now: Millis) -> Result<u64> {
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.int(1)? == 2));
    let written = tx.all(&WRITTEN, params![member.0, POSTS_PER_BATCH], read).await?;
    for &(post, is_repost) in &written {
        if is_repost {
            reposts::erase_repost(tx, post, member).await?;
        } else {
            DeletePost { member, post, now }.run(tx).await?;
        }
    }
    let removed = removed::erase_removed(tx, member, POSTS_PER_BATCH, now).await?;
    Ok(written.len() as u64 + removed)
}

/// Deletes up to [`ROWS_PER_BATCH`] of a member's likes, and returns the count.
pub async fn erase_likes(tx: &mut Tx, member: Id) -> Result<u64> {
    let bound = params![member.0, ROWS_PER_BATCH];
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.int(1)?));
    let liked = tx.all(&LIKED, bound, read).await?;
    for &(post, like) in &liked {
        if tx.exec(&DELETE_LIKE, params![post.0, member.0]).await? > 0 {
            tx.exec(&COUNT_LIKE, params![post.0]).await?;
            score::remove_participant(tx, post, member).await?;
        }
        tx.exec(&DELETE_MEMBER_LIKE, params![member.0, like]).await?;
    }
    Ok(liked.len() as u64)
}

/// Deletes up to [`ROWS_PER_BATCH`] of a member's votes, also in ended polls, and returns the count.
pub async fn erase_votes(tx: &mut Tx, member: Id) -> Result<u64> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
    let voted = tx.all(&VOTED, params![member.0, ROWS_PER_BATCH], read).await?;
    for &(post, choice) in &voted {
        tx.exec(&LOCK, params![post]).await?;
        if tx.exec(&DELETE_VOTE, params![post, member.0]).await? > 0 {
            tx.exec(&COUNT_VOTE, params![post, choice]).await?;
        }
    }
    Ok(voted.len() as u64)
}

/// Deletes up to [`ROWS_PER_BATCH`] of a member's idempotency keys, and returns the count.
pub async fn erase_idempotency_keys(tx: &mut Tx, member: Id) -> Result<u64> {
    Ok(tx.exec(&DELETE_KEYS, params![member.0, ROWS_PER_BATCH]).await?)
}
