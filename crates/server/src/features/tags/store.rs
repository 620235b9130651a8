//! Rows of posts per hashtag.

use crate::platform::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Result, Sql, Tx, params, sql};

/// A tag that occurs twice in a post has one row.
const INSERT: Sql = sql!(
    "insert into tag_posts (tag, id, author_id) values ($1, $2, $3) on conflict (tag, id) do nothing"
);
/// Lists the posts of a tag with their authors, newest first.
pub(super) const LIST_POSTS: Sql = sql!(
    "select id, author_id from tag_posts where tag = $1 and id < $2 order by id desc limit $3"
);
const DELETE: Sql = sql!("delete from tag_posts where tag = $1 and id = $2");

/// Adds a new post to the lists of its tags.
pub async fn add_post(
    tx: &Tx,
    post: Id,
    author: Id,
    tags: impl Iterator<Item = &str>,
) -> Result<()> {
    let insert = |tag| async move { tx.exec(&INSERT, params![tag, post.0, author.0]).await };
    try_join_all(tags.map(insert)).await?;
    Ok(())
}

/// Removes a deleted post from the lists of its tags.
pub async fn remove_post(tx: &mut Tx, post: Id, tags: impl Iterator<Item = &str>) -> Result<()> {
    for tag in tags {
        tx.exec(&DELETE, params![tag, post.0]).await?;
    }
    Ok(())
}
