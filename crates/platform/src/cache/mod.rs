//! Versioned in-process cache of what requests read from the database.
//!
//! Each dependency of a cached value (a post, a member, a list of follows) has a [`VersionSlot`] with a version
//! counter. A request sums the counters of its slots before it queries; the cached value is valid while the sum is
//! unchanged. The change feed raises the counters after a commit and before the response, so a value that was read
//! before the commit is never served after it. Colliding slots only cost an extra query.

mod post_log;
mod versioned_cache;

pub use post_log::{EventsSince, LogOffset, PostEvent};
pub use versioned_cache::{CacheValue, VersionedCache};

use kith_db::{ChangeEvent, Db, FeedFreshness, Result, RowChange, WatchSpec};
use post_log::PostEventLog;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::broadcast;

/// Commits that a receiver of [`CacheVersions::changes`] may be behind.
const MAX_UNSEEN_COMMITS: usize = 1_024;
/// Number of version counters: enough that collisions are rare, 512 KB.
const SLOTS: usize = 1 << 16;

/// Kind of dependency of a cached value. Tag and row id select a version counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum CacheTag {
    /// A session, by session id.
    Session,
    /// A member's names, picture and suspension, by member id.
    Member,
    /// The set of suspended members and their names; its only id is 0.
    Suspended,
    /// A member's blocks and mutes in both directions, by member id.
    BlocksAndMutes,
    /// The members that a member follows, by follower id.
    Follows,
    /// The part of a post that is equal for all viewers, by post id.
    Post,
    /// A member's likes, reposts and poll votes, by member id.
    Interactions,
    /// An author's list of posts, by author id. Its changes also enter the post event log.
    AuthorPosts,
    /// The holder of a username, by [`kith_db::hash_key`] of the username.
    Username,
    /// The followers of a member, by followee id.
    Followers,
    /// A member's notifications, by member id.
    Notifications,
    /// The For You ranking that all viewers share; its only id is 0.
    Ranking,
    /// The replies to a post, by post id.
    Replies,
    /// The network's settings; the only id is 0.
    Settings,
}

impl CacheTag {
    /// Watches all inserts, updates and deletions of a table; `columns` names the ids of a changed row.
    #[must_use]
    pub const fn watch(self, table: &'static str, columns: &'static [&'static str]) -> WatchSpec {
        WatchSpec { topic: self as u8, table, columns, update_of: &[], when: "" }
    }
}

/// Index of a version counter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct VersionSlot(u16);

impl VersionSlot {
    /// Returns the counter of a tag and an id.
    #[must_use]
    pub const fn new(tag: CacheTag, id: i64) -> Self {
        Self::for_tag(tag as u8, id)
    }

    const fn for_tag(tag: u8, id: i64) -> Self {
        // Nearly every value depends on this slot: if a post shared it, a like of that post would invalidate all
        // feeds.
        if tag == CacheTag::Suspended as u8 {
            return Self(0);
        }
        let mixed = kith_db::fibonacci_hash(id.cast_unsigned() ^ ((tag as u64 + 1) << 56));
        let [high, next, ..] = mixed.to_be_bytes();
        Self(1 + u16::from_be_bytes([high, next]) % u16::MAX)
    }
}

/// Sum of version counters, read before the query. Counters only grow, so equal sums mean that none has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheVersion(u64);

impl CacheVersion {
    /// Adds the version of further slots, which may have been read later.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

/// Version counters and the post event log of this process, kept current by the change feed.
#[derive(Debug)]
pub struct CacheVersions {
    counters: Box<[AtomicU64]>,
    post_log: PostEventLog,
    /// Freshness of the change feed; unset until the subscription exists.
    freshness: OnceLock<FeedFreshness>,
    changes: broadcast::Sender<Changes>,
}

/// Rows that one commit changed, after the cached values that depend on them are invalid; `None` if any row may have
/// changed.
pub type Changes = Option<Arc<[RowChange]>>;

impl CacheVersions {
    /// Creates version counters that changes of the watched rows raise. Fails if the database cannot be watched.
    pub async fn subscribe(db: &Db, watches: &'static [WatchSpec]) -> Result<Arc<Self>> {
        let versions = Arc::new(Self::new());
        let listener = Arc::clone(&versions);
        let on_change = Box::new(move |event: ChangeEvent<'_>| listener.on_change(&event));
        let freshness = db.subscribe(watches, on_change).await?;
        versions.freshness.get_or_init(|| freshness);
        Ok(versions)
    }

    fn new() -> Self {
        Self {
            counters: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(),
            post_log: PostEventLog::default(),
            freshness: OnceLock::new(),
            changes: broadcast::Sender::new(MAX_UNSEEN_COMMITS),
        }
    }

    /// Returns a receiver of the changes committed from now on, by this process and others.
    #[must_use]
    pub fn changes(&self) -> broadcast::Receiver<Changes> {
        self.changes.subscribe()
    }

    /// Checks whether the change feed is at most a second behind the writes of other processes, so that cached values
    /// are valid.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.freshness.get().is_some_and(FeedFreshness::is_current)
    }

    /// Age of the last poll of the change feed; `None` on SQLite, where no other process writes.
    #[must_use]
    pub fn lag(&self) -> Option<Duration> {
        self.freshness.get().and_then(FeedFreshness::lag)
    }

    /// Returns the current version of slots. Callers read it before they query.
    #[must_use]
    pub fn current_version(&self, slots: &[VersionSlot]) -> CacheVersion {
        let counters = slots.iter().map(|slot| &self.counters[usize::from(slot.0)]);
        let sum = counters.map(|counter| counter.load(Ordering::Acquire));
        CacheVersion(sum.fold(0, u64::wrapping_add))
    }

    /// Invalidates every cached value.
    pub fn invalidate_all(&self) {
        // First, so that no list applies events to a value that is no longer valid.
        self.post_log.truncate();
        for counter in &self.counters {
            counter.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Returns the end of the post event log. Callers read it before they query.
    #[must_use]
    pub fn post_log_offset(&self) -> LogOffset {
        self.post_log.end_offset()
    }

    /// Returns creations and deletions of posts since an offset, in order and filtered by author, with the new
    /// offset; `None` if the log has been truncated past the offset.
    #[must_use]
    pub fn post_events(
        &self,
        since: LogOffset,
        is_wanted: impl Fn(i64) -> bool,
    ) -> Option<EventsSince> {
        self.post_log.events_since(since, is_wanted)
    }

    fn on_change(&self, event: &ChangeEvent<'_>) {
        match event {
            ChangeEvent::Changed(changes) => {
                let is_author_post =
                    |change: &&RowChange| change.topic == CacheTag::AuthorPosts as u8;
                self.post_log.append(changes.iter().filter(is_author_post));
                for change in *changes {
                    let id = change.row[0].unwrap_or(0);
                    let slot = VersionSlot::for_tag(change.topic, id);
                    self.counters[usize::from(slot.0)].fetch_add(1, Ordering::AcqRel);
                }
            }
            ChangeEvent::Unknown => self.invalidate_all(),
        }
        if self.changes.receiver_count() > 0 {
            let changes = match event {
                ChangeEvent::Changed(changes) => Some(Arc::from(*changes)),
                ChangeEvent::Unknown => None,
            };
            // Fails only if the last receiver was just dropped.
            drop(self.changes.send(changes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_change_feed() -> Arc<CacheVersions> {
        let versions = CacheVersions::new();
        versions.freshness.get_or_init(FeedFreshness::default);
        Arc::new(versions)
    }

    fn change(tag: CacheTag, id: i64) -> RowChange {
        RowChange { topic: tag as u8, is_gone: false, row: [Some(id), None, None, None] }
    }

    #[derive(Debug, PartialEq, Eq)]
    struct Row(i64, [VersionSlot; 2]);

    impl CacheValue for Row {
        fn slots(&self) -> &[VersionSlot] {
            &self.1
        }

        fn bytes(&self) -> usize {
            size_of::<Self>()
        }
    }

    const ROW_SLOTS: [VersionSlot; 2] =
        [VersionSlot::new(CacheTag::Post, 1), VersionSlot::new(CacheTag::Member, 2)];

    /// A value that was read before a commit is not served after it, even if it is inserted later.
    /// proves: memory-equal
    #[test]
    fn a_value_read_before_a_commit_is_not_served() {
        let versions = with_change_feed();
        let cache = VersionedCache::new(&versions, "rows", 10, 10_000);
        let version = versions.current_version(&ROW_SLOTS);
        // A request queries and is delayed; another one commits and responds meanwhile.
        let old = Arc::new(Row(1, ROW_SLOTS));
        versions.on_change(&ChangeEvent::Changed(&[change(CacheTag::Member, 2)]));
        cache.put(1, version, &old);
        assert_eq!(cache.get(&1), None);

        let version = versions.current_version(&ROW_SLOTS);
        let new = Arc::new(Row(2, ROW_SLOTS));
        cache.put(1, version, &new);
        assert_eq!(cache.get(&1), Some(Arc::clone(&new)));
        versions.on_change(&ChangeEvent::Changed(&[change(CacheTag::Follows, 9)]));
        assert_eq!(cache.get(&1), Some(Arc::clone(&new)), "something else changed");
        versions.on_change(&ChangeEvent::Changed(&[change(CacheTag::Post, 1)]));
        assert_eq!(cache.get(&1), None);

        cache.put(1, versions.current_version(&ROW_SLOTS), &new);
        versions.on_change(&ChangeEvent::Unknown);
        assert_eq!(cache.get(&1), None);
    }

    /// A sum of versions read at different times changes with each of its parts.
    #[test]
    fn versions_of_parts_add_up() {
        let versions = with_change_feed();
        let [post, member] = ROW_SLOTS;
        let first = versions.current_version(&[post]);
        let whole = first.and(versions.current_version(&[member]));
        assert_eq!(whole, versions.current_version(&ROW_SLOTS));
        versions.on_change(&ChangeEvent::Changed(&[change(CacheTag::Post, 1)]));
        let whole = first.and(versions.current_version(&[member]));
        assert_ne!(whole, versions.current_version(&ROW_SLOTS));
    }

    /// Post events are appended before the counters rise, so a reader of the new version finds them.
    #[test]
    fn a_new_post_is_logged_with_its_author() {
        let versions = with_change_feed();
        let start = versions.post_log_offset();
        let mut post = change(CacheTag::AuthorPosts, 2);
        post.row[1] = Some(7);
        versions.on_change(&ChangeEvent::Changed(&[post, change(CacheTag::Post, 7)]));
        let (events, _) = versions.post_events(start, |author| author == 2).unwrap();
        assert_eq!(events.iter().map(|post| post.id).collect::<Vec<_>>(), [7]);
        versions.invalidate_all();
        assert_eq!(versions.post_events(start, |_| true), None);
    }

    #[test]
    fn nothing_is_cached_without_a_change_feed() {
        let versions = Arc::new(CacheVersions::new());
        let cache = VersionedCache::new(&versions, "rows", 10, 10_000);
        let row = Arc::new(Row(1, ROW_SLOTS));
        cache.put(1, versions.current_version(&ROW_SLOTS), &row);
        assert_eq!(cache.get(&1), None);
    }
}
