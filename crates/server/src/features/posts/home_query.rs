//! Queries the posts of many authors, newest first, without anything stored per viewer.
//!
//! A query either looks up each author's posts in growing time windows, whose cost grows with the authors, or walks
//! all posts and keeps those of the authors, whose cost grows with the rarity of their posts. With many
//! authors the walk is tried first.

use crate::features::posts::PostsState;
use crate::features::posts::cached::FeedAuthors;
use crate::features::posts::reposters::FeedReposts;
use crate::features::posts::visibility;
use crate::features::relationships::HiddenMembers;
use crate::http::pagination::{MAX_SCAN, cursor_after_scan};
use crate::platform::clock::{Clock, HOUR, Millis};
use crate::platform::ids::Id;
use futures_util::future::try_join_all;
use kith_db::{Reader, Row, Sql, SqlIn, params, sql, sql_in};

/// A row of an author's timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimelineRow {
    pub(super) id: i64,
    pub(super) author: i64,
    /// Author of the post that a reply goes to.
    pub(super) reply_to: Option<i64>,
    /// The reposted post.
    pub(super) repost_of: Option<i64>,
}

/// Authors above which the walk over all posts is tried first.
const WALK_AUTHORS: usize = 1_000;
/// Posts read per step of the walk.
const WALK_ROWS: i64 = 500;
/// Steps before the walk gives way to look-ups by author.
const MAX_WALK_STEPS: usize = 20;
/// Maximum rows of one look-up.
const WINDOW_ROWS: usize = 200;
/// The first window; each next one reaches four times as far back.
const FIRST_WINDOW: Millis = 6 * HOUR;

static WINDOW: SqlIn = sql_in!(
    "select id, author_id, reply_to_author_id, repost_of_id from author_posts
     where id >= $1 and id < $2 and author_id in ($ids) order by id desc limit 200"
);
const WALK: Sql = sql!(
    "select id, author_id, reply_to_author_id, repost_of_id from posts
     where id < $1 and deleted_at is null order by id desc limit $2"
);

/// Removes reposts of posts that are deleted or by hidden authors, and all but the newest row of each post.
pub(super) struct TimelineFilter<'a> {
    pub(super) state: &'a PostsState,
    pub(super) hidden: &'a HiddenMembers,
    pub(super) reposts: &'a mut FeedReposts,
}

fn read(row: &Row<'_>) -> kith_db::Result<TimelineRow> {
    Ok(TimelineRow {
        id: row.int(0)?,
        author: row.int(1)?,
        reply_to: row.opt_int(2)?,
        repost_of: row.opt_int(3)?,
    })
}

/// Loads the newest `count` rows of `authors` below `before` that pass `keep` and the filter. When the scan
/// limit ended the search early, also returns the id to continue below.
pub(super) async fn load_newest(
    db: &Reader<'_>,
    clock: &Clock,
    authors: &FeedAuthors,
    mut filter: Option<TimelineFilter<'_>>,
    mut before: i64,
    count: usize,
    keep: impl Fn(&TimelineRow) -> bool,
) -> kith_db::Result<(Vec<TimelineRow>, Option<i64>)> {
    // Not preallocated: the client chooses `count`.
    let mut found = Vec::<TimelineRow>::new();
    let mut scanned = 0;
    let start = before;
    if authors.ids().len() > WALK_AUTHORS {
        for _ in 0..MAX_WALK_STEPS {
            let mut rows = db.all(&WALK, params![before, WALK_ROWS], read).await?;
            let Some(last) = rows.last() else {
                return Ok((found, None));
            };
            before = last.id;
            rows.retain(|row| authors.contains(row.author) && keep(row));
            found.extend(filter_rows(db, authors, filter.as_mut(), rows).await?);
            if found.len() >= count {
                found.truncate(count);
                return Ok((found, None));
            }
        }
    }
    let mut window = FIRST_WINDOW;
    while found.len() < count && before > 0 {
        // Ids can be ahead of the clock after it was set back.
        let from = Id(before).time().min(clock.now());
        let floor = Id::first_at(from - window);
        let (mut rows, complete) = scan_window(db, authors.ids(), floor, before).await?;
        scanned += rows.len();
        rows.retain(&keep);
        found.extend(filter_rows(db, authors, filter.as_mut(), rows).await?);
        found.truncate(count);
        before = complete;
        window = if complete > floor { (window / 4).max(HOUR) } else { window.saturating_mul(4) };
        if found.len() < count && scanned >= MAX_SCAN + count && before > 0 {
            let shown = found.last().map_or(start, |row| row.id);
            return Ok((found, Some(cursor_after_scan(before, shown))));
        }
        // On SQLite a deep page never awaits anything else, so it yields between rounds.
        tokio::task::yield_now().await;
    }
    Ok((found, None))
}

/// Applies the filter to rows; without a filter all remain.
async fn filter_rows(
    db: &Reader<'_>,
    authors: &FeedAuthors,
    filter: Option<&mut TimelineFilter<'_>>,
    mut rows: Vec<TimelineRow>,
) -> kith_db::Result<Vec<TimelineRow>> {
    let Some(TimelineFilter { state, hidden, reposts }) = filter else {
        return Ok(rows);
    };
    let originals = rows.iter().filter_map(|row| row.repost_of);
    let originals = originals.collect::<Vec<_>>();
    let invisible =
        visibility::find_invisible(db, &originals, |author| hidden.hides_from_lists(author))
            .await?;
    rows.retain(|row| row.repost_of.is_none_or(|post| !invisible.contains(&post)));
    if let Some(first) = rows.first() {
        reposts.set_top(first.id);
    }
    let posts = rows.iter().map(|row| row.repost_of.unwrap_or(row.id));
    let posts = posts.collect::<Vec<_>>();
    reposts.load_and_add(state, db, authors, &posts).await?;
    rows.retain(|row| reposts.is_newest(row.id, row.repost_of));
    Ok(rows)
}

/// Loads the rows of `authors` from `floor` up to `before`, newest first, and the id from which they are
/// complete: above `floor` when a look-up reached its limit.
async fn scan_window(
    db: &Reader<'_>,
    authors: &[i64],
    floor: i64,
    before: i64,
) -> kith_db::Result<(Vec<TimelineRow>, i64)> {
    let mut rows = Vec::new();
    let mut complete = floor;
    let parts = authors.chunks(50).map(|chunk| async move {
        let bound = params![floor, before];
        db.all_in(&WINDOW, bound, chunk, read).await
    });
    for part in try_join_all(parts).await? {
        if part.len() == WINDOW_ROWS {
            complete = complete.max(part.last().map_or(floor, |row| row.id));
        }
        rows.extend(part);
    }
    rows.retain(|row| row.id >= complete);
    rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.id));
    Ok((rows, complete))
}
