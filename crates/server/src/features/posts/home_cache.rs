//! Cache of each viewer's Friends feed: its authors and two segments, the newest rows and older rows around
//! the last page read. A segment is read from the database once, then applies the log of created and deleted
//! posts (`CacheVersions::listed`) on each read. So writing a post costs nothing per follower, and a page costs only
//! the events since the last one. Changed follows, blocks, mutes or suspensions invalidate the entry.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::cached::{
    CachedHomeTimeline, MAX_ROWS, OLDER_ROWS, TimelineEntry, TimelineSegment,
};
use crate::features::posts::home_query::{self, TimelineRow};
use crate::features::posts::reposters::FeedReposts;
use crate::features::posts::respond::ViewerQuery;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows;
use crate::http::extract::Page;
use crate::platform::cache::{CacheTag, PostEvent, VersionSlot};
use crate::platform::ids::Id;
use foldhash::HashSet;
use kith_db::{Reader, Result};
use parking_lot::Mutex;
use std::sync::Arc;

/// Rows read for the newest segment: a few pages.
const NEWEST_ROWS: usize = 64;
/// Rows below which a segment is read again.
const MIN_ROWS: usize = 48;

impl CachedHomeTimeline {
    /// Returns whether the feed shows a row: replies only to one of its authors, which include the viewer.
    pub(super) fn shows(&self, entry: &TimelineRow) -> bool {
        let author = entry.reply_to;
        author.is_none_or(|author| self.authors.contains(&author))
    }

    /// Returns the cached rows of a segment below an id and whether they reach the end of the feed. None when
    /// the segment does not cover the id or must be read again.
    fn rows_below(
        &self,
        state: &PostsState,
        part: &Mutex<Option<TimelineSegment>>,
        before: i64,
    ) -> Option<RowsBelow> {
        let mut guard = part.lock();
        let part = guard.as_mut().filter(|part| before <= part.ceiling)?;
        let wanted = |author: i64| self.authors.contains(&author);
        let Some((events, position)) = state.versions.post_events(part.position, wanted) else {
            *guard = None;
            return None;
        };
        for post in events {
            part.apply(&post, |entry| self.shows(entry));
        }
        part.position = position;
        if part.floor > 0 && part.rows.len() < MIN_ROWS {
            *guard = None;
            return None;
        }
        let first = part.rows.partition_point(|row| row.id >= before);
        Some((part.rows[first..].to_vec(), part.floor == 0))
    }
}

/// Rows below an id, and whether they reach the end of the feed.
type RowsBelow = (Vec<TimelineEntry>, bool);

impl TimelineSegment {
    fn apply(&mut self, post: &PostEvent, shows: impl Fn(&TimelineRow) -> bool) {
        let entry = TimelineRow {
            id: post.id,
            author: post.author,
            reply_to: post.reply_to,
            repost_of: post.repost_of,
        };
        let place = self.rows.partition_point(|row| row.id > entry.id);
        let is_there = self.rows.get(place).is_some_and(|row| row.id == entry.id);
        if post.is_gone {
            if is_there {
                self.rows.remove(place);
            }
        } else if !is_there && (self.floor..self.ceiling).contains(&entry.id) && shows(&entry) {
            self.rows.insert(place, TimelineEntry::from(&entry));
            if self.rows.len() > self.most {
                self.rows.truncate(self.stay);
                self.floor = self.rows.last().map_or(0, |row| row.id);
            }
        }
    }
}

impl TimelineEntry {
    fn original(self) -> Option<i64> {
        Some(self.repost_of).filter(|post| *post != 0)
    }

    /// The post that the row shows: of a repost, the original.
    fn post(self) -> i64 {
        self.original().unwrap_or(self.id)
    }
}

impl From<&TimelineRow> for TimelineEntry {
    fn from(entry: &TimelineRow) -> Self {
        Self { id: entry.id, repost_of: entry.repost_of.unwrap_or(0) }
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
    let stamp = state.versions.current_version(&slots);
    let (followees, unseen) = futures_util::try_join!(
        follows::load_followees(db, viewer),
        HiddenMembers::load_cached(&state.relationships.visibility, db, viewer)
    )?;
    let authors = followees.into_iter();
    let authors = authors.filter(|author| !unseen.hides_from_lists(*author));
    let mut authors = authors.collect::<HashSet<_>>();
    authors.insert(viewer.0);
    let timeline = Arc::new(CachedHomeTimeline {
        authors,
        newest: Mutex::new(None),
        older: Mutex::new(None),
        slots,
    });
    state.home_timelines.put(viewer.0, stamp, &timeline);
    Ok((timeline, unseen))
}

/// Loads a page of a viewer's feed.
pub(super) struct FeedPage<'a> {
    pub(super) query: ViewerQuery<'a>,
    pub(super) timeline: &'a CachedHomeTimeline,
    pub(super) unseen: &'a HiddenMembers,
    pub(super) posts: &'a mut PostSet,
    pub(super) reposted: &'a mut FeedReposts,
}

impl FeedPage<'_> {
    /// Returns the ids of rows below the page's cursor down to the end of the page, and loads their posts.
    /// None when the page reaches deeper than the cache.
    pub(super) async fn ids(&mut self, page: Page) -> Result<Option<Vec<i64>>> {
        let (query, timeline) = (self.query, self.timeline);
        let state = query.state;
        let count = page.offset.saturating_add(page.limit);
        // While the cache is off, a segment is only worth reading for the first page.
        let is_first = page.before == i64::MAX;
        if count > NEWEST_ROWS || !(state.versions.is_current() || is_first) {
            return Ok(None);
        }
        let mut below = timeline.rows_below(state, &timeline.newest, page.before);
        if below.is_none() {
            let part = load_segment(query, timeline, i64::MAX, (NEWEST_ROWS, MAX_ROWS)).await?;
            *timeline.newest.lock() = Some(part);
            below = timeline.rows_below(state, &timeline.newest, page.before);
        }
        let mut found = self.page_of(below, page).await?;
        if found.is_none() {
            let below = timeline.rows_below(state, &timeline.older, page.before);
            found = self.page_of(below, page).await?;
        }
        if found.is_none() {
            let (before, size) = (page.before, (OLDER_ROWS, OLDER_ROWS + OLDER_ROWS / 4));
            let part = load_segment(query, timeline, before, size).await?;
            *timeline.older.lock() = Some(part);
            let below = timeline.rows_below(state, &timeline.older, page.before);
            found = self.page_of(below, page).await?;
        }
        Ok(found)
    }

    /// Returns a page of rows without invisible posts and posts that a newer row shows. None when there are
    /// too few rows.
    async fn page_of(&mut self, below: Option<RowsBelow>, page: Page) -> Result<Option<Vec<i64>>> {
        let Some((rows, is_whole)) = below else {
            return Ok(None);
        };
        if let Some(first) = rows.first() {
            self.reposted.begin_at(first.id);
        }
        let ViewerQuery { state, db, viewer } = self.query;
        let count = page.offset + page.limit;
        let mut ids = Vec::with_capacity(count);
        for rows in rows.chunks(count) {
            let wanted = rows.iter().flat_map(|row| [Some(row.id), row.original()]);
            let wanted = wanted.flatten().collect::<Vec<_>>();
            self.posts.load_more(state, db, viewer, &wanted).await?;
            let shown = |row: &&TimelineEntry| {
                let post = self.posts.posts.get(&row.post());
                post.filter(|post| !post.is_deleted && !self.unseen.hides_from_lists(post.author))
                    .map(|post| (**row, post.repost_count))
            };
            let rows = rows.iter().filter_map(|row| shown(&row)).collect::<Vec<_>>();
            // A repost counts itself, so that only other reposts need a query.
            let several = rows.iter().filter(|(row, count)| *count > i64::from(row.repost_of != 0));
            let several = several.map(|(row, count)| (row.post(), *count));
            self.reposted.add(state, db, &self.timeline.authors, several).await?;
            let rows = rows.iter().map(|(row, _)| row);
            let newest = rows.filter(|row| self.reposted.is_newest(row.id, row.original()));
            ids.extend(newest.map(|row| row.id));
            if ids.len() >= count {
                ids.truncate(count);
                break;
            }
        }
        Ok((is_whole || ids.len() == count).then_some(ids))
    }
}

/// Reads the `stay` rows of a feed below `ceiling` into a segment that holds up to `most` rows.
async fn load_segment(
    query: ViewerQuery<'_>,
    timeline: &CachedHomeTimeline,
    ceiling: i64,
    (stay, most): (usize, usize),
) -> Result<TimelineSegment> {
    let ViewerQuery { state, db, .. } = query;
    let position = state.versions.post_log_offset();
    let shows = |entry: &TimelineRow| timeline.shows(entry);
    let rows =
        home_query::load_newest(db, &state.clock, &timeline.authors, None, ceiling, stay, shows);
    let (rows, scan_end) = rows.await?;
    let last = rows.last().filter(|_| rows.len() >= stay);
    let floor = scan_end.or(last.map(|row| row.id));
    // A new vector: `rows` may have far more capacity.
    let mut kept = Vec::with_capacity(most + 1);
    kept.extend(rows.iter().map(TimelineEntry::from));
    Ok(TimelineSegment { floor: floor.unwrap_or(0), rows: kept, ceiling, most, stay, position })
}
