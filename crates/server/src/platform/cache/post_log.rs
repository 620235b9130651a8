//! The posts that came and went lately, one by one, for lists that follow.

use kith_db::RowChange;
use parking_lot::{Mutex, RwLock};
use std::collections::{HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

/// Posts that are kept: a list that is further behind is read anew. 1 MB.
const KEPT: usize = 20_000;
/// Posts that went, of which it is remembered that they did not come after that. 1 MB.
const GONE: usize = 20_000;

/// A post that came or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// The post.
    pub id: i64,
    /// Who wrote or reposted it.
    pub author: i64,
    /// Whom a reply answers.
    pub reply_to: Option<i64>,
    /// What a repost points at.
    pub repost_of: Option<i64>,
    /// Whether it went.
    pub is_gone: bool,
}

/// How far the telling is: grows by one with each post.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(u64);

/// What came and went, and where the telling is after it.
pub type Heard = (Vec<Listed>, Position);

#[derive(Debug, Default)]
pub(super) struct Lists {
    posts: RwLock<VecDeque<Listed>>,
    gone: Mutex<Gone>,
    /// The position after the last of them. Written under the lock, read without.
    end: AtomicU64,
}

/// Ids of deleted posts. Another node's deletion may arrive before the post's own creation.
#[derive(Debug, Default)]
struct Gone {
    posts: HashSet<i64>,
    /// In the order of their going.
    order: VecDeque<i64>,
}

impl Gone {
    fn add(&mut self, post: i64) {
        if self.posts.insert(post) {
            self.order.push_back(post);
        }
        if self.order.len() > GONE
            && let Some(oldest) = self.order.pop_front()
        {
            self.posts.remove(&oldest);
        }
    }
}

impl Lists {
    pub(super) fn position(&self) -> Position {
        Position(self.end.load(Ordering::Acquire))
    }

    /// Adds a commit's posts atomically. A deleted post stays deleted, unless this commit says otherwise.
    pub(super) fn add<'a>(&self, changes: impl Iterator<Item = &'a RowChange>) {
        let mut changes = changes.peekable();
        if changes.peek().is_none() {
            return;
        }
        let mut gone = self.gone.lock();
        let mut posts = self.posts.write();
        let mut count = 0;
        let mut went = HashSet::new();
        for change in changes {
            let [author, id, reply_to, repost_of] = change.row;
            if let (Some(author), Some(id)) = (author, id) {
                if change.is_gone {
                    went.insert(id);
                } else if !went.remove(&id) && gone.posts.contains(&id) {
                    continue;
                }
                posts.push_back(Listed {
                    id,
                    author,
                    reply_to,
                    repost_of,
                    is_gone: change.is_gone,
                });
                count += 1;
            }
        }
        for post in went {
            gone.add(post);
        }
        let surplus = posts.len().saturating_sub(KEPT);
        posts.drain(..surplus);
        self.end.fetch_add(count, Ordering::AcqRel);
    }

    /// Whoever followed so far has to read anew.
    pub(super) fn break_off(&self) {
        let mut posts = self.posts.write();
        posts.clear();
        self.end.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn since(&self, since: Position, wanted: impl Fn(i64) -> bool) -> Option<Heard> {
        if since == self.position() {
            return Some((Vec::new(), since));
        }
        let posts = self.posts.read();
        let end = self.position();
        let missed = usize::try_from(end.0 - since.0).ok()?;
        let first = posts.len().checked_sub(missed)?;
        let heard = posts.range(first..).filter(|post| wanted(post.author));
        Some((heard.copied().collect(), end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(id: i64, is_gone: bool) -> RowChange {
        RowChange {
            topic: 0,
            is_gone,
            row: [Some(id % 2), Some(id), None, None],
        }
    }

    #[test]
    fn a_list_hears_what_it_missed_in_order() {
        let lists = Lists::default();
        let start = lists.position();
        lists.add([change(1, false), change(2, false), change(3, false)].iter());
        lists.add([change(1, true)].iter());
        let (heard, end) = lists.since(start, |author| author == 1).unwrap();
        let heard = heard.iter().map(|post| (post.id, post.is_gone));
        assert_eq!(
            heard.collect::<Vec<_>>(),
            [(1, false), (3, false), (1, true)]
        );
        assert_eq!(lists.since(end, |_| true), Some((Vec::new(), end)));
    }

    /// On PostgreSQL two nodes' commits are told in any order.
    #[test]
    fn what_is_gone_does_not_come_back() {
        let lists = Lists::default();
        let start = lists.position();
        lists.add([change(1, true)].iter());
        lists.add([change(1, false), change(2, false)].iter());
        let told = |since| {
            let (heard, _) = lists.since(since, |_| true).unwrap();
            let heard = heard.iter().map(|post| (post.id, post.is_gone));
            heard.collect::<Vec<_>>()
        };
        assert_eq!(told(start), [(1, true), (2, false)]);
        // Told otherwise, by one commit.
        let changed = lists.position();
        lists.add([change(2, true), change(2, false)].iter());
        lists.add([change(2, false)].iter());
        assert_eq!(told(changed), [(2, true), (2, false), (2, false)]);
        lists.break_off();
        let broken = lists.position();
        lists.add([change(1, false)].iter());
        assert_eq!(told(broken), []);
    }

    #[test]
    fn a_list_too_far_behind_is_told_so() {
        let lists = Lists::default();
        let start = lists.position();
        let many = (0..).take(KEPT).map(|id| change(id, false));
        lists.add(many.collect::<Vec<_>>().iter());
        assert!(lists.since(start, |_| true).is_some());
        let middle = lists.position();
        lists.add([change(1, false)].iter());
        assert_eq!(lists.since(start, |_| true), None);
        assert!(lists.since(middle, |_| true).is_some());
        lists.break_off();
        assert_eq!(lists.since(middle, |_| true), None);
    }
}
