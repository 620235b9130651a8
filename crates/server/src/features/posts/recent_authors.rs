//! Counts the members who posted recently, for the weekly digest.

use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Reader, Result, Sql, params, sql};

/// Members that are looked up at the same time.
const CONCURRENT: usize = 20;

/// Finds a post that is neither a reply nor a repost.
const FIND_POST: Sql = sql!(
    "select id from author_posts where author_id = $1 and id >= $2 and kind = 0 order by id limit 1"
);

/// Counts the members of `authors` who started a conversation since a time. Stops at `max`.
pub async fn count_recent_authors(
    db: &Reader<'_>,
    authors: &[i64],
    since: Millis,
    max: usize,
) -> Result<usize> {
    let has_posted = |author: &i64| {
        let author = *author;
        async move { db.opt(&FIND_POST, params![author, Id::first_at(since)], |_| Ok(())).await }
    };
    let mut count = 0;
    for chunk in authors.chunks(CONCURRENT) {
        count += try_join_all(chunk.iter().map(has_posted)).await?.into_iter().flatten().count();
        if count >= max {
            return Ok(max);
        }
    }
    Ok(count)
}
