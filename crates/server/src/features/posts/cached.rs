//! Values of the post caches. Their methods are in the modules that load them.

use crate::features::relationships::follows::Neighborhood;
use crate::platform::cache::{CacheValue, LogOffset, VersionSlot};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use foldhash::HashMap;
use parking_lot::Mutex;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::sync::{Arc, Weak};

/// Rows above which the newest segment drops its oldest.
pub(super) const MAX_NEWEST_ROWS: usize = 128;
/// Rows read for the older segment: the look-ups per author dominate the cost, and most clients that load
/// an older page load the next one too.
pub(super) const OLDER_ROWS: usize = 256;
/// Rows above which the older segment drops its oldest.
pub(super) const MAX_OLDER_ROWS: usize = OLDER_ROWS + OLDER_ROWS / 4;

/// A post as every viewer sees it.
#[derive(Debug)]
pub struct CachedPost {
    pub(super) id: i64,
    pub(super) author: i64,
    /// The author's display name; `None` for an author who cannot be shown.
    pub(super) author_name: Option<String>,
    /// The post it replies to, and that post's author.
    pub(super) reply_to: Option<(i64, i64)>,
    /// The serialised [`ReplyTo`](super::dto::ReplyTo); `None` when its author cannot be shown.
    pub(super) reply_to_json: Option<Box<RawValue>>,
    pub(super) repost_of: Option<i64>,
    pub(super) is_deleted: bool,
    pub(super) reply_count: i64,
    pub(super) repost_count: i64,
    pub(super) like_count: i64,
    /// A poll's options, and the votes for each.
    pub(super) poll: Option<(Vec<String>, Vec<i64>)>,
    /// The [`SharedPost`](super::dto::SharedPost), an object without its closing brace.
    pub(super) json: Vec<u8>,
    pub(super) slots: Vec<VersionSlot>,
}

impl CacheValue for CachedPost {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let name = self.author_name.as_ref().map_or(0, String::capacity);
        let reply_to_json = self.reply_to_json.as_ref().map_or(0, |json| json.get().len());
        let poll = self
            .poll
            .as_ref()
            .map_or(0, |(options, _)| options.iter().map(|option| option.capacity() + 40).sum());
        let texts = self.json.capacity() + name + reply_to_json + poll;
        size_of::<Self>() + texts + self.slots.len() * 2
    }
}

/// Cached newest rows of an author timeline.
#[derive(Debug)]
pub struct CachedAuthorPage {
    /// Newest first: (post, reposted post).
    pub(super) rows: Vec<(i64, Option<i64>)>,
    pub(super) slots: [VersionSlot; 1],
}

impl CacheValue for CachedAuthorPage {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.rows.capacity() * size_of::<(i64, Option<i64>)>()
    }
}

/// A post of the global ranking.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankedPost {
    pub(super) rank: Millis,
    pub(super) id: Id,
    pub(super) author: i64,
    /// Whether the post has at least `for_you_rank::POPULAR_PARTICIPANTS` participants.
    pub(super) is_popular: bool,
}

/// Cached personalised block of a viewer.
#[derive(Debug)]
pub struct PersonalizedBlock {
    /// Visible posts in display order.
    pub(super) posts: Vec<RankedPost>,
    /// Authors in the block who follow the viewer without being followed back.
    pub(super) fans: HashSet<i64>,
    /// Whether the network has more posts.
    pub(super) is_full: bool,
    /// The viewer's neighborhood when the block was built. Weak, so that only its own cache keeps it alive.
    pub(super) neighborhood: Weak<Neighborhood>,
    pub(super) slots: [VersionSlot; 4],
}

impl CacheValue for PersonalizedBlock {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let posts = self.posts.capacity() * size_of::<RankedPost>();
        // The allocation of a dropped neighborhood stays until the last weak reference to it is dropped.
        size_of::<Self>() + posts + self.fans.capacity() * 10 + size_of::<Neighborhood>()
    }
}

/// The viewer and the visible members that the viewer follows: a sorted list, which takes less memory than a hash
/// table, because each open stream of live updates keeps one.
#[derive(Debug)]
pub struct FeedAuthors(Box<[i64]>);

impl FeedAuthors {
    pub(super) fn new(mut ids: Vec<i64>) -> Self {
        ids.sort_unstable();
        Self(ids.into())
    }

    /// Returns whether the feed shows a member's posts.
    #[must_use]
    pub fn contains(&self, member: i64) -> bool {
        self.0.binary_search(&member).is_ok()
    }

    /// Returns the members' ids, in ascending order.
    #[must_use]
    pub fn ids(&self) -> &[i64] {
        &self.0
    }
}

/// Cached Friends feed of a viewer.
#[derive(Debug)]
pub struct CachedHomeTimeline {
    pub(super) authors: Arc<FeedAuthors>,
    pub(super) newest: Mutex<Option<TimelineSegment>>,
    pub(super) older: Mutex<Option<TimelineSegment>>,
    pub(super) slots: [VersionSlot; 3],
}

/// A row of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimelineEntry {
    pub(super) id: i64,
    /// The reposted post; 0 when the row is not a repost.
    pub(super) repost_of: i64,
}

/// Rows of a feed between two ids, including reposts of deleted posts.
#[derive(Debug)]
pub(super) struct TimelineSegment {
    /// Newest first.
    pub(super) rows: Vec<TimelineEntry>,
    /// Lowest id from which the segment is complete; 0 when it reaches the end of the feed.
    pub(super) floor: i64,
    /// Exclusive upper id.
    pub(super) ceiling: i64,
    /// Rows above which the segment is truncated.
    pub(super) max_rows: usize,
    /// Rows kept when the segment is truncated.
    pub(super) truncated_rows: usize,
    /// Offset in the post event log up to which events are applied.
    pub(super) log_offset: LogOffset,
}

impl CacheValue for CachedHomeTimeline {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // Counted at the maximum size of both segments, since they grow after insertion.
        let rows = (MAX_NEWEST_ROWS + MAX_OLDER_ROWS) * size_of::<TimelineEntry>();
        size_of::<Self>() + size_of_val(self.authors.ids()) + rows
    }
}

/// Row of `reposts`: post, member, repost.
pub(super) type RepostRow = (i64, i64, i64);

/// Cached reposts of a post.
#[derive(Debug)]
pub struct CachedReposts {
    pub(super) rows: Vec<RepostRow>,
    /// The post's slot: a repost changes the post's counter and so invalidates it.
    pub(super) slots: [VersionSlot; 1],
}

impl CacheValue for CachedReposts {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.rows.capacity() * size_of::<RepostRow>()
    }
}

/// Cached ids of the ancestors and replies of a post.
#[derive(Debug)]
pub struct ThreadIds {
    /// The nearest ancestors, oldest first.
    pub(super) ancestors: Vec<i64>,
    /// The root of the thread, when it is above `ancestors`.
    pub(super) root: Option<i64>,
    /// Direct replies, the post author's own first, then oldest first; each followed by its replies.
    pub(super) replies: Vec<i64>,
    pub(super) slots: Vec<VersionSlot>,
}

impl CacheValue for ThreadIds {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let ids = self.ancestors.capacity() + self.replies.capacity();
        size_of::<Self>()
            + ids * size_of::<i64>()
            + self.slots.capacity() * size_of::<VersionSlot>()
    }
}

/// Cached posts per viewer: some pages, or the longest thread.
pub(super) const MAX_INTERACTION_POSTS: usize = 448;
/// Bytes of a hash table for [`MAX_INTERACTION_POSTS`]: 512 buckets of 33 bytes.
const INTERACTIONS_BYTES: usize = 512 * 33;

/// A viewer's interactions with one post.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Interactions {
    pub(super) is_liked: bool,
    pub(super) is_reposted: bool,
    /// Index of the option voted for.
    pub(super) choice: Option<i64>,
}

/// Cached interactions of a viewer with recently seen posts. Any interaction of the viewer invalidates it.
#[derive(Debug)]
pub struct CachedInteractions {
    pub(super) by_post: Mutex<HashMap<i64, Interactions>>,
    pub(super) slots: [VersionSlot; 1],
}

impl CacheValue for CachedInteractions {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // Counted at its maximum size, since it grows after insertion.
        size_of::<Self>() + INTERACTIONS_BYTES
    }
}
