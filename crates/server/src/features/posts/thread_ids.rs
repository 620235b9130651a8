//! Ids of the posts in a thread, cached until a new or deleted reply changes them.

use crate::features::posts::PostsState;
use crate::features::posts::cached::ThreadIds;
use crate::features::relationships::HiddenMembers;
use crate::http::pagination;
use crate::platform::cache::{CacheTag, CacheVersion, VersionSlot};
use futures_util::future::try_join_all;
use futures_util::try_join;
use kith_db::{Reader, Result, Row, Sql, params, sql};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum direct replies of a thread. Nested replies use the rest of twice this number.
const MAX_DIRECT: usize = 200;
/// Direct replies per author while others have replies, so that one author cannot flood a thread.
const MAX_PER_AUTHOR: usize = 20;
/// Direct replies scanned to find other authors.
const MAX_SCANNED: usize = 5_000;
/// Rows per scan batch.
const SCAN_BATCH: usize = 1_000;

/// Maximum ancestors shown.
const MAX_ANCESTORS: usize = 20;

const PARENT: Sql = sql!("select reply_to_id, root_id from posts where id = $1");
const REPLIES: Sql =
    sql!("select id, author_id from replies where post_id = $1 and id > $2 order by id limit $3");
/// The oldest 50 replies of one reply, so that a flood below it is not read. One query per reply: with an
/// `in` list both database engines would read all rows.
const NESTED: Sql =
    sql!("select id, author_id from replies where post_id = $1 order by id limit 50");

impl ThreadIds {
    /// Loads the thread of a post (post, author, parent), from the cache where possible.
    pub(super) async fn load(
        state: &PostsState,
        db: &Reader<'_>,
        (post, author, parent): (i64, i64, Option<i64>),
    ) -> Result<Arc<Self>> {
        if let Some(thread) = state.threads.get(&post) {
            return Ok(thread);
        }
        let ((ancestors, root, ancestor_deps), (replies, reply_deps)) =
            try_join!(load_ancestors(state, db, parent), load_replies(state, db, post, author))?;
        let mut slots = [ancestor_deps.slots, reply_deps.slots].concat();
        slots.shrink_to_fit();
        let thread = Arc::new(Self { ancestors, root, replies, slots });
        state.threads.put(post, ancestor_deps.version.and(reply_deps.version), &thread);
        Ok(thread)
    }
}

/// Collected cache dependencies, each added before the query that it covers.
#[derive(Debug, Clone)]
struct CacheDeps {
    slots: Vec<VersionSlot>,
    version: CacheVersion,
}

impl CacheDeps {
    fn new(state: &PostsState) -> Self {
        Self { slots: Vec::new(), version: state.versions.current_version(&[]) }
    }

    fn add(&mut self, state: &PostsState, tag: CacheTag, id: i64) {
        let slot = VersionSlot::new(tag, id);
        self.version = self.version.and(state.versions.current_version(&[slot]));
        self.slots.push(slot);
    }
}

/// Loads the ancestors of a reply, oldest first, and the root of the thread when it is above them.
async fn load_ancestors(
    state: &PostsState,
    db: &Reader<'_>,
    parent: Option<i64>,
) -> Result<(Vec<i64>, Option<i64>, CacheDeps)> {
    let mut deps = CacheDeps::new(state);
    let mut ids = Vec::new();
    let (mut next, mut root) = (parent, None);
    while let Some(id) = next.filter(|_| ids.len() < MAX_ANCESTORS) {
        ids.push(id);
        deps.add(state, CacheTag::Post, id);
        let read = |row: &Row<'_>| Ok((row.opt_int(0)?, row.opt_int(1)?));
        let found = db.opt(&PARENT, params![id], read).await?;
        (next, root) = found.unwrap_or_default();
    }
    ids.reverse();
    ids.shrink_to_fit();
    Ok((ids, root.filter(|_| next.is_some()), deps))
}

/// Loads the direct replies to show as (reply, author), oldest first, and the suspended members.
async fn load_direct_replies(
    state: &PostsState,
    db: &Reader<'_>,
    post: i64,
) -> Result<(Vec<(i64, i64)>, HiddenMembers)> {
    let read = |after: i64, batch: usize| async move {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        db.all(&REPLIES, params![post, after, batch], read).await
    };
    let mut batch = MAX_DIRECT;
    let (mut rows, hidden) = try_join!(
        read(0, batch),
        HiddenMembers::load_cached_suspended(&state.relationships.visibility, db)
    )?;
    let (mut found, mut scanned) = (ReplySelection::default(), 0);
    loop {
        let after = pagination::next_cursor(&rows, batch, |(id, _)| *id);
        scanned += rows.len();
        found.extend(rows, &hidden);
        let Some(after) =
            after.filter(|_| found.selected.len() < MAX_DIRECT && scanned < MAX_SCANNED)
        else {
            return Ok((found.into_rows(), hidden));
        };
        batch = SCAN_BATCH;
        // On SQLite the scan never awaits anything else, so it yields between batches.
        tokio::task::yield_now().await;
        rows = read(after, batch).await?;
    }
}

/// Selects replies with a limit per author. Replies above the limit, then tombstones, fill remaining room.
#[derive(Debug, Default)]
struct ReplySelection {
    selected: Vec<(i64, i64)>,
    over_limit: Vec<(i64, i64)>,
    /// Replies by suspended authors, shown as tombstones when they have replies.
    tombstones: Vec<(i64, i64)>,
    count_by_author: HashMap<i64, usize>,
}

impl ReplySelection {
    fn extend(&mut self, rows: Vec<(i64, i64)>, hidden: &HiddenMembers) {
        for row in rows {
            if hidden.hides_from_lists(row.1) {
                if self.tombstones.len() < MAX_DIRECT {
                    self.tombstones.push(row);
                }
                continue;
            }
            let count = self.count_by_author.entry(row.1).or_default();
            *count += 1;
            if *count <= MAX_PER_AUTHOR {
                self.selected.push(row);
            } else if self.over_limit.len() < MAX_DIRECT {
                self.over_limit.push(row);
            }
        }
    }

    fn into_rows(mut self) -> Vec<(i64, i64)> {
        self.selected.truncate(MAX_DIRECT);
        for others in [self.over_limit, self.tombstones] {
            let room = MAX_DIRECT - self.selected.len();
            self.selected.extend(others.into_iter().take(room));
        }
        self.selected.sort_unstable();
        self.selected
    }
}

/// Loads the ids of the replies in display order, the post author's own first and each followed by its
/// replies, and the cache dependencies.
async fn load_replies(
    state: &PostsState,
    db: &Reader<'_>,
    post: i64,
    author: i64,
) -> Result<(Vec<i64>, CacheDeps)> {
    let mut deps = CacheDeps::new(state);
    deps.add(state, CacheTag::Replies, post);
    deps.add(state, CacheTag::Suspended, 0);
    let (mut direct, hidden) = load_direct_replies(state, db, post).await?;
    // A stable sort: each part stays oldest first.
    direct.sort_by_key(|(_, by)| *by != author);
    for (parent, _) in &direct {
        deps.add(state, CacheTag::Replies, *parent);
    }
    // Pipelined into one round trip on PostgreSQL.
    let nested = direct.iter().map(|(parent, _)| async move {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        db.all(&NESTED, params![*parent], read).await
    });
    let mut nested = try_join_all(nested).await?;
    for replies in &mut nested {
        // Third-level replies are not shown, so tombstones of nested replies would have nothing below them.
        replies.retain(|(_, author)| !hidden.hides_from_lists(*author));
    }
    // Nested replies share the remaining room equally.
    let counts = nested.iter().map(Vec::len).collect::<Vec<_>>();
    let limit = fair_limit(&counts, 2 * MAX_DIRECT - direct.len());
    let mut ids = Vec::new();
    for ((parent, _), replies) in direct.into_iter().zip(nested) {
        ids.push(parent);
        ids.extend(replies.into_iter().take(limit).map(|(id, _)| id));
    }
    ids.shrink_to_fit();
    Ok((ids, deps))
}

/// Returns the largest limit per list with which lists of these lengths fit into `room`.
fn fair_limit(counts: &[usize], room: usize) -> usize {
    let longest = counts.iter().copied().max().unwrap_or(0);
    let total = |limit: usize| counts.iter().map(|&count| count.min(limit)).sum::<usize>();
    (0..=longest).rev().find(|&limit| total(limit) <= room).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::watched_columns::unwatched_columns;

    #[test]
    fn the_limit_fills_the_room_that_short_lists_leave() {
        for (counts, room, limit) in [
            (&[][..], 10, 0),
            (&[3, 2], 10, 3),
            (&[50, 50, 50, 50, 1], 200, 49),
            (&[50, 1, 1], 12, 10),
            (&[1; 20], 10, 0),
        ] {
            assert_eq!(fair_limit(counts, room), limit, "{counts:?}");
        }
    }

    /// Every cached column is watched, so that its changes invalidate the cache.
    /// proves: memory-equal
    #[test]
    fn every_cached_column_is_watched() {
        for (text, tag, table) in [
            (PARENT.postgres, CacheTag::Post, "posts"),
            (REPLIES.postgres, CacheTag::Replies, "replies"),
            (NESTED.postgres, CacheTag::Replies, "replies"),
        ] {
            assert_eq!(
                unwatched_columns(crate::features::posts::WATCHES, text, tag, table),
                [""; 0],
                "{text}"
            );
        }
    }
}
