//! Which posts carry which tag.

use crate::platform::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Result, Sql, Tx, params, sql};

/// The same tag twice in one post is one row.
const INSERT: Sql = sql!(
    "insert into tag_posts (tag, id, author_id) values ($1, $2, $3) on conflict (tag, id) do nothing"
);
const DELETE: Sql = sql!("delete from tag_posts where tag = $1 and id = $2");

/// Lists a new post below its tags.
pub async fn add(tx: &Tx, post: Id, author: Id, tags: impl Iterator<Item = &str>) -> Result<()> {
    let insert = |tag| async move { tx.exec(&INSERT, params![tag, post.0, author.0]).await };
    try_join_all(tags.map(insert)).await?;
    Ok(())
}

/// Takes a deleted post out of its tags' lists.
pub async fn remove(tx: &mut Tx, post: Id, tags: impl Iterator<Item = &str>) -> Result<()> {
    for tag in tags {
        tx.exec(&DELETE, params![tag, post.0]).await?;
    }
    Ok(())
}
