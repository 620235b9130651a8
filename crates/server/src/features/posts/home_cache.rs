//! Cache of each viewer's Friends feed: its authors and two segments, the newest rows and older rows around
//! the last page read. A segment is read from the database once, then applies the log of created and deleted
//! posts (`CacheVersions::post_events`) on each read. So writing a post costs nothing per follower, and a page
//! costs only the events since the last one. Changed follows, blocks, mutes or suspensions invalidate the entry.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::cached::{
    CachedHomeTimeline, FeedAuthors, MAX_NEWEST_ROWS, MAX_OLDER_ROWS, OLDER_ROWS, TimelineEntry,
    TimelineSegment,
};
use crate::features::posts::home_query::{self, TimelineRow};
use crate::features::posts::reposters::FeedReposts;
use crate::features::posts::respond::ViewerQuery;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows;
use crate::http::extract::Page;
use crate::platform::cache::{CacheTag, PostEvent, VersionSlot};
use crate::platform::ids::Id;
use kith_db::{Reader, Result};
use parking_lot::Mutex;
use std::sync::Arc;

/// Rows read for the newest segment: a few pages.
const NEWEST_ROWS: usize = 64;
/// Rows below which a segment is read again.
const MIN_ROWS: usize = 48;

impl CachedHomeTimeline {
    /// Returns whether the feed shows a row: replies only to one of its authors, which include the viewer.
    pub(super) fn shows(&self, row: &TimelineRow) -> bool {
        row.reply_to.is_none_or(|author| self.authors.contains(author))
    }

    /// Returns the cached rows of a segment below an id and whether they reach the end of the feed. None when
    /// the segment does not cover the id or must be read again.
    fn rows_below(
        &self,
        state: &PostsState,
        segment: &Mutex<Option<TimelineSegment>>,
        before: i64,
    ) -> Option<RowsBelow> {
        let mut guard = segment.lock();
        let segment = guard.as_mut().filter(|segment| before <= segment.ceiling)?;
        let is_author = |author: i64| self.authors.contains(author);
        let Some((events, log_offset)) = state.versions.post_events(segment.log_offset, is_author)
        else {
            *guard = None;
            return None;
        };
        for event in events {
            segment.apply(&event, |row| self.shows(row));
        }
        segment.log_offset = log_offset;
        if segment.floor > 0 && segment.rows.len() < MIN_ROWS {
            *guard = None;
            return None;
        }
        let first = segment.rows.partition_point(|row| row.id >= before);
        Some((segment.rows[first..].to_vec(), segment.floor == 0))
    }
}

/// Rows below an id, and whether they reach the end of the feed.
type RowsBelow = (Vec<TimelineEntry>, bool);

impl TimelineSegment {
    /// Applies the creation or deletion of a post by one of the feed's authors.
    fn apply(&mut self, event: &PostEvent, shows: impl Fn(&TimelineRow) -> bool) {
        let row = TimelineRow {
            id: event.id,
            author: event.author,
            reply_to: event.reply_to,
            repost_of: event.repost_of,
        };
        let index = self.rows.partition_point(|other| other.id > row.id);
        let is_present = self.rows.get(index).is_some_and(|other| other.id == row.id);
        if event.is_gone {
            if is_present {
                self.rows.remove(index);
            }
        } else if !is_present && (self.floor..self.ceiling).contains(&row.id) && shows(&row) {
            self.rows.insert(index, TimelineEntry::from(&row));
            if self.rows.len() > self.max_rows {
                self.rows.truncate(self.truncated_rows);
                self.floor = self.rows.last().map_or(0, |row| row.id);
            }
        }
    }
}

impl TimelineEntry {
    fn original(self) -> Option<i64> {
        Some(self.repost_of).filter(|post| *post != 0)
    }

    /// Returns the post that the row shows: the original if the row is a repost, otherwise its own post.
    fn post(self) -> i64 {
        self.original().unwrap_or(self.id)
    }
}

impl From<&TimelineRow> for TimelineEntry {
    fn from(row: &TimelineRow) -> Self {
        Self { id: row.id, repost_of: row.repost_of.unwrap_or(0) }
    }
}

/// Loads a viewer's cached feed, whose segments are read on demand, and the members hidden from the viewer.
pub(super) async fn load_timeline(
    state: &PostsState,
    db: &Reader<'_>,
    viewer: Id,
) -> Result<(Arc<CachedHomeTimeline>, HiddenMembers)> {
    // Hidden members are not stored per feed: the list of suspended members is shared by all viewers.
    if let Some(timeline) = state.home_timelines.get(&viewer.0) {
        return Ok((
            timeline,
            HiddenMembers::load_cached(&state.relationships.visibility, db, viewer).await?,
        ));
    }
    let slots = [
        VersionSlot::new(CacheTag::Follows, viewer.0),
        VersionSlot::new(CacheTag::BlocksAndMutes, viewer.0),
        VersionSlot::new(CacheTag::Suspended, 0),
    ];
    let version = state.versions.current_version(&slots);
    let (followees, hidden) = futures_util::try_join!(
        follows::load_followees(db, viewer),
        HiddenMembers::load_cached(&state.relationships.visibility, db, viewer)
    )?;
    let mut authors = followees;
    authors.retain(|author| !hidden.hides_from_lists(*author));
    authors.push(viewer.0);
    let timeline = Arc::new(CachedHomeTimeline {
        authors: Arc::new(FeedAuthors::new(authors)),
        newest: Mutex::new(None),
        older: Mutex::new(None),
        slots,
    });
    state.home_timelines.put(viewer.0, version, &timeline);
    Ok((timeline, hidden))
}

/// Loads a page of a viewer's feed.
pub(super) struct FeedPage<'a> {
    pub(super) query: ViewerQuery<'a>,
    pub(super) timeline: &'a CachedHomeTimeline,
    pub(super) hidden: &'a HiddenMembers,
    pub(super) posts: &'a mut PostSet,
    pub(super) reposts: &'a mut FeedReposts,
}

impl FeedPage<'_> {
    /// Returns the ids of rows below the page's cursor down to the end of the page, and loads their posts.
    /// `None` when the page reaches deeper than the cache.
    pub(super) async fn load_ids(&mut self, page: Page) -> Result<Option<Vec<i64>>> {
        let (query, timeline) = (self.query, self.timeline);
        let state = query.state;
        let count = page.offset.saturating_add(page.limit);
        // While cached values are not current, a segment is only worth reading for the first page.
        let is_first = page.before == i64::MAX;
        if count > NEWEST_ROWS || !(state.versions.is_current() || is_first) {
            return Ok(None);
        }
        let mut below = timeline.rows_below(state, &timeline.newest, page.before);
        if below.is_none() {
            let segment =
                load_segment(query, timeline, i64::MAX, (NEWEST_ROWS, MAX_NEWEST_ROWS)).await?;
            *timeline.newest.lock() = Some(segment);
            below = timeline.rows_below(state, &timeline.newest, page.before);
        }
        let mut found = self.select_page(below, page).await?;
        if found.is_none() {
            let below = timeline.rows_below(state, &timeline.older, page.before);
            found = self.select_page(below, page).await?;
        }
        if found.is_none() {
            let sizes = (OLDER_ROWS, MAX_OLDER_ROWS);
            let segment = load_segment(query, timeline, page.before, sizes).await?;
            *timeline.older.lock() = Some(segment);
            let below = timeline.rows_below(state, &timeline.older, page.before);
            found = self.select_page(below, page).await?;
        }
        Ok(found)
    }

    /// Returns the ids of a page from `below`, without invisible posts and posts that a newer row shows.
    /// `None` when there are too few rows.
    async fn select_page(
        &mut self,
        below: Option<RowsBelow>,
        page: Page,
    ) -> Result<Option<Vec<i64>>> {
        let Some((rows, reaches_end)) = below else {
            return Ok(None);
        };
        if let Some(first) = rows.first() {
            self.reposts.set_top(first.id);
        }
        let ViewerQuery { state, db, viewer } = self.query;
        let count = page.offset + page.limit;
        let mut ids = Vec::with_capacity(count);
        for rows in rows.chunks(count) {
            let needed = rows.iter().flat_map(|row| [Some(row.id), row.original()]);
            let needed = needed.flatten().collect::<Vec<_>>();
            self.posts.load_more(state, db, viewer, &needed).await?;
            let shown = |row: &&TimelineEntry| {
                let post = self.posts.posts.get(&row.post());
                post.filter(|post| !post.is_deleted && !self.hidden.hides_from_lists(post.author))
                    .map(|post| (**row, post.repost_count))
            };
            let rows = rows.iter().filter_map(|row| shown(&row)).collect::<Vec<_>>();
            // A repost counts itself, so that only other reposts need a query.
            let reposted =
                rows.iter().filter(|(row, count)| *count > i64::from(row.repost_of != 0));
            let reposted = reposted.map(|(row, count)| (row.post(), *count));
            self.reposts.add(state, db, &self.timeline.authors, reposted).await?;
            let rows = rows.iter().map(|(row, _)| row);
            let newest = rows.filter(|row| self.reposts.is_newest(row.id, row.original()));
            ids.extend(newest.map(|row| row.id));
            if ids.len() >= count {
                ids.truncate(count);
                break;
            }
        }
        Ok((reaches_end || ids.len() == count).then_some(ids))
    }
}

/// Reads the newest `count` rows of a feed below `ceiling` into a segment that grows up to `max_rows` rows.
async fn load_segment(
    query: ViewerQuery<'_>,
    timeline: &CachedHomeTimeline,
    ceiling: i64,
    (count, max_rows): (usize, usize),
) -> Result<TimelineSegment> {
    let ViewerQuery { state, db, .. } = query;
    let log_offset = state.versions.post_log_offset();
    let shows = |row: &TimelineRow| timeline.shows(row);
    let rows =
        home_query::load_newest(db, &state.clock, &timeline.authors, None, ceiling, count, shows);
    let (rows, scan_end) = rows.await?;
    let last = rows.last().filter(|_| rows.len() >= count);
    let floor = scan_end.or(last.map(|row| row.id));
    // A new vector: `rows` may have far more capacity.
    let mut kept = Vec::with_capacity(max_rows + 1);
    kept.extend(rows.iter().map(TimelineEntry::from));
    Ok(TimelineSegment {
        rows: kept,
        floor: floor.unwrap_or(0),
        ceiling,
        max_rows,
        truncated_rows: count,
        log_offset,
    })
}
