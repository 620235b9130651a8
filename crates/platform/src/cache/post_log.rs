//! Bounded log of recently created and deleted posts, from which cached feeds catch up without a query.

use kith_db::RowChange;
use parking_lot::{Mutex, RwLock};
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum events in the log, 1 MB. A cached list that is further behind is loaded again.
const MAX_EVENTS: usize = 20_000;
/// Maximum tombstones of deleted posts, 1 MB.
const MAX_TOMBSTONES: usize = 20_000;

/// Creation or deletion of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostEvent {
    /// The id of the post.
    pub id: i64,
    /// The author, or the member who reposted.
    pub author: i64,
    /// The post that a reply answers.
    pub reply_to: Option<i64>,
    /// The post that a repost refers to.
    pub repost_of: Option<i64>,
    /// Whether this is the deletion.
    pub is_gone: bool,
}

/// Offset in the log; grows by one with each event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogOffset(u64);

/// Events since an offset, and the offset after them.
pub type EventsSince = (Vec<PostEvent>, LogOffset);

#[derive(Debug, Default)]
pub(super) struct PostEventLog {
    events: RwLock<VecDeque<PostEvent>>,
    tombstones: Mutex<Tombstones>,
    /// Offset after the last event. Written while `events` is locked, read without the lock.
    end: AtomicU64,
}

/// Ids of deleted posts. Another node's deletion may arrive before the post's own creation.
#[derive(Debug, Default)]
struct Tombstones {
    posts: HashSet<i64>,
    /// In the order of deletion.
    order: VecDeque<i64>,
}

impl Tombstones {
    fn add(&mut self, post: i64) {
        if self.posts.insert(post) {
            self.order.push_back(post);
        }
        if self.order.len() > MAX_TOMBSTONES
            && let Some(oldest) = self.order.pop_front()
        {
            self.posts.remove(&oldest);
        }
    }
}

impl PostEventLog {
    pub(super) fn end_offset(&self) -> LogOffset {
        LogOffset(self.end.load(Ordering::Acquire))
    }

    /// Appends a commit's events atomically. Ignores the creation of a deleted post, unless the same commit deleted it.
    pub(super) fn append<'a>(&self, changes: impl Iterator<Item = &'a RowChange>) {
        let mut changes = changes.peekable();
        if changes.peek().is_none() {
            return;
        }
        let mut tombstones = self.tombstones.lock();
        let mut events = self.events.write();
        let mut count = 0;
        let mut deleted = HashSet::new();
        for change in changes {
            let [author, id, reply_to, repost_of] = change.row;
            if let (Some(author), Some(id)) = (author, id) {
                if change.is_gone {
                    deleted.insert(id);
                } else if !deleted.remove(&id) && tombstones.posts.contains(&id) {
                    continue;
                }
                events.push_back(PostEvent {
                    id,
                    author,
                    reply_to,
                    repost_of,
                    is_gone: change.is_gone,
                });
                count += 1;
            }
        }
        for post in deleted {
            tombstones.add(post);
        }
        let surplus = events.len().saturating_sub(MAX_EVENTS);
        events.drain(..surplus);
        self.end.fetch_add(count, Ordering::AcqRel);
    }

    /// Empties the log and skips an offset, so that every cached list is loaded again.
    pub(super) fn truncate(&self) {
        let mut events = self.events.write();
        events.clear();
        self.end.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn events_since(
        &self,
        since: LogOffset,
        is_wanted: impl Fn(i64) -> bool,
    ) -> Option<EventsSince> {
        if since == self.end_offset() {
            return Some((Vec::new(), since));
        }
        let events = self.events.read();
        let end = self.end_offset();
        let missed = usize::try_from(end.0 - since.0).ok()?;
        let first = events.len().checked_sub(missed)?;
        let wanted = events.range(first..).filter(|event| is_wanted(event.author));
        Some((wanted.copied().collect(), end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(id: i64, is_gone: bool) -> RowChange {
        RowChange { topic: 0, is_gone, row: [Some(id % 2), Some(id), None, None] }
    }

    #[test]
    fn a_list_gets_missed_events_in_order() {
        let log = PostEventLog::default();
        let start = log.end_offset();
        log.append([change(1, false), change(2, false), change(3, false)].iter());
        log.append([change(1, true)].iter());
        let (events, end) = log.events_since(start, |author| author == 1).unwrap();
        let events = events.iter().map(|post| (post.id, post.is_gone));
        assert_eq!(events.collect::<Vec<_>>(), [(1, false), (3, false), (1, true)]);
        assert_eq!(log.events_since(end, |_| true), Some((Vec::new(), end)));
    }

    /// On PostgreSQL the commits of two nodes arrive in any order.
    #[test]
    fn a_deleted_post_does_not_come_back() {
        let log = PostEventLog::default();
        let start = log.end_offset();
        log.append([change(1, true)].iter());
        log.append([change(1, false), change(2, false)].iter());
        let events_since = |since| {
            let (events, _) = log.events_since(since, |_| true).unwrap();
            let events = events.iter().map(|post| (post.id, post.is_gone));
            events.collect::<Vec<_>>()
        };
        assert_eq!(events_since(start), [(1, true), (2, false)]);
        // One commit deletes and creates the post.
        let changed = log.end_offset();
        log.append([change(2, true), change(2, false)].iter());
        log.append([change(2, false)].iter());
        assert_eq!(events_since(changed), [(2, true), (2, false), (2, false)]);
        log.truncate();
        let truncated = log.end_offset();
        log.append([change(1, false)].iter());
        assert_eq!(events_since(truncated), []);
    }

    #[test]
    fn a_list_too_far_behind_gets_no_events() {
        let log = PostEventLog::default();
        let start = log.end_offset();
        let many = (0..).take(MAX_EVENTS).map(|id| change(id, false));
        log.append(many.collect::<Vec<_>>().iter());
        assert!(log.events_since(start, |_| true).is_some());
        let middle = log.end_offset();
        log.append([change(1, false)].iter());
        assert_eq!(log.events_since(start, |_| true), None);
        assert!(log.events_since(middle, |_| true).is_some());
        log.truncate();
        assert_eq!(log.events_since(middle, |_| true), None);
    }
}
