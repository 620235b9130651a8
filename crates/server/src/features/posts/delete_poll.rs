//! Deletes a poll's choices and votes.

use kith_db::{Sql, Tx, params, sql};

/// Votes deleted together with the post. A worker deletes the rest, so that the request does not wait.
const MAX_INLINE_VOTES: u32 = 20;
const DELETE_VOTES: Sql = sql!(
    "delete from poll_votes where post_id = $1 and member_id in (select member_id from poll_votes
       where post_id = $1 order by member_id limit $2)"
);
const FLAG_LEFT_VOTES: Sql = sql!("update posts set has_votes_left = 1 where id = $1");
const FIND_LEFT_VOTES: Sql =
    sql!("select id from posts where has_votes_left is not null order by id limit 1");
const UNFLAG_LEFT_VOTES: Sql = sql!("update posts set has_votes_left = null where id = $1");
const DELETE_CHOICES: Sql = sql!("delete from poll_choices where post_id = $1");

/// Deletes the choices and the first votes of a deleted poll, and flags it if a worker must delete the rest.
pub(super) async fn delete_poll(tx: &mut Tx, post: i64) -> kith_db::Result<()> {
    tx.exec(&DELETE_CHOICES, params![post]).await?;
    let bound = params![post, MAX_INLINE_VOTES];
    if tx.exec(&DELETE_VOTES, bound).await? == u64::from(MAX_INLINE_VOTES) {
        tx.exec(&FLAG_LEFT_VOTES, params![post]).await?;
    }
    Ok(())
}

/// Deletes at most `limit` votes of one deleted poll. Returns the count, or `limit` when another poll may have votes
/// left.
pub async fn purge_votes(tx: &mut Tx, limit: u32) -> kith_db::Result<u64> {
    let Some(post) = tx.opt(&FIND_LEFT_VOTES, &[], |row| row.int(0)).await? else {
        return Ok(0);
    };
    let count = tx.exec(&DELETE_VOTES, params![post, limit]).await?;
    if count < u64::from(limit) {
        tx.exec(&UNFLAG_LEFT_VOTES, params![post]).await?;
        // Another deleted poll may have votes left.
        return Ok(u64::from(limit));
    }
    Ok(count)
}
