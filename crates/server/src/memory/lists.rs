//! The posts that came and went lately, one by one, for lists that follow.

use kith_db::Change;
use parking_lot::RwLock;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// Posts that are kept: a list that is further behind is read anew. 1 MB.
const KEPT: usize = 20_000;

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
    /// The position after the last of them. Written under the lock, read without.
    end: AtomicU64,
}

impl Lists {
    pub(super) fn position(&self) -> Position {
        Position(self.end.load(Ordering::Acquire))
    }

    /// All posts of one commit at once: nobody sees half of it.
    pub(super) fn add<'a>(&self, changes: impl Iterator<Item = &'a Change>) {
        let mut changes = changes.peekable();
        if changes.peek().is_none() {
            return;
        }
        let mut posts = self.posts.write();
        let mut count = 0;
        for change in changes {
            let [author, id, reply_to, repost_of] = change.row;
            if let (Some(author), Some(id)) = (author, id) {
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

    fn change(id: i64, is_gone: bool) -> Change {
        Change {
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
