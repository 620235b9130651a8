//! Reads rows of posts.

use kith_db::{Reader, Result, Row, SqlIn, Tx, sql_in};
use std::collections::HashMap;

static POSTS: SqlIn = sql_in!(
    "select id, author_id, content, reply_to_id, reply_to_author_id, repost_of_id, mentions, images,
       poll_options, poll_expires_at, like_count, repost_count, reply_count, hashtags, deleted_at
     from posts where id in ($ids)"
);
static CHOICES: SqlIn =
    sql_in!("select post_id, choice, votes from poll_choices where post_id in ($ids)");
static CONTENTS: SqlIn =
    sql_in!("select id, content from posts where id in ($ids) and deleted_at is null");

/// Loads the texts of posts by id, without deleted ones.
pub async fn load_contents(db: &Reader<'_>, ids: &[i64]) -> Result<HashMap<i64, String>> {
    let rows = db.all_in(&CONTENTS, &[], ids, |row| Ok((row.int(0)?, row.text(1)?))).await?;
    Ok(rows.into_iter().collect())
}

/// A row of `posts`.
#[derive(Debug, Default)]
pub(super) struct PostRow {
    pub(super) id: i64,
    pub(super) author: i64,
    pub(super) content: String,
    /// The post that it replies to, with its author.
    pub(super) reply_to: Option<(i64, i64)>,
    pub(super) repost_of: Option<i64>,
    pub(super) mentions: Option<String>,
    pub(super) images: Option<String>,
    pub(super) options: Option<String>,
    pub(super) expires_at: Option<i64>,
    /// Counts of likes, reposts and replies.
    pub(super) counts: [i64; 3],
    pub(super) hashtags: Option<String>,
    pub(super) is_deleted: bool,
}

impl PostRow {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.int(0)?,
            author: row.int(1)?,
            content: row.text(2)?,
            reply_to: row.opt_int(3)?.zip(row.opt_int(4)?),
            repost_of: row.opt_int(5)?,
            mentions: row.opt_text(6)?,
            images: row.opt_text(7)?,
            options: row.opt_text(8)?,
            expires_at: row.opt_int(9)?,
            counts: [row.int(10)?, row.int(11)?, row.int(12)?],
            hashtags: row.opt_text(13)?,
            is_deleted: row.opt_int(14)?.is_some(),
        })
    }
}

/// Loads rows of posts by id, without missing ones, in no particular order.
pub(super) async fn load_rows(db: &Reader<'_>, ids: &[i64]) -> Result<Vec<PostRow>> {
    db.all_in(&POSTS, &[], ids, PostRow::read).await
}

/// Loads a post's row in a transaction.
pub(super) async fn load_row_in(tx: &Tx, id: i64) -> Result<Option<PostRow>> {
    Ok(tx.all_in(&POSTS, &[], &[id], PostRow::read).await?.pop())
}

/// Loads the vote counts of polls, by (post, choice).
pub(super) async fn load_votes(db: &Reader<'_>, polls: &[i64]) -> Result<HashMap<(i64, i64), i64>> {
    let read = |row: &Row<'_>| Ok(((row.int(0)?, row.int(1)?), row.int(2)?));
    let rows = db.all_in(&CHOICES, &[], polls, read).await?;
    Ok(rows.into_iter().collect())
}

/// Parses a list stored as JSON; null and invalid JSON are empty lists.
pub(super) fn parse_list<T: serde::de::DeserializeOwned>(json: Option<&str>) -> Vec<T> {
    json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::watched_columns::unwatched_columns;
    use crate::platform::cache::CacheTag;

    /// A cached column that is not watched would never be invalidated.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_read_is_watched() {
        for (query, table) in [(&POSTS, "posts"), (&CONTENTS, "posts"), (&CHOICES, "poll_choices")]
        {
            let text = query.all_sizes().next().map(|sql| sql.postgres).unwrap();
            assert_eq!(
                unwatched_columns(crate::features::posts::WATCHES, text, CacheTag::Post, table),
                [""; 0],
                "{text}"
            );
        }
    }

    /// `unwatched_columns` reports a column that no watch covers.
    #[test]
    fn an_unwatched_column_is_reported() {
        let text = "select id, content, people_count from posts where id in ($1) and rank > 1";
        assert_eq!(
            unwatched_columns(crate::features::posts::WATCHES, text, CacheTag::Post, "posts"),
            ["people_count", "rank"]
        );
    }
}
