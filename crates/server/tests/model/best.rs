//! The model's rules for the For You feed.

use crate::calendar::{HOUR, Millis};
use crate::model::{Kind, Model};
use crate::near::{reason, reason_with};
use serde_json::Value;
use std::cmp::Reverse;

/// Posts that are ordered together.
pub(crate) const BLOCK: usize = 200;

impl Model {
    /// Number of members, without the author, who like, repost or answer a post.
    fn people(&self, post: usize) -> usize {
        let took_part = |member: &usize| {
            let answers = |reply: usize| self.posts[reply].author == *member;
            *member != self.posts[post].author
                && (self.likes.contains(&(*member, post))
                    || self.repost_by(*member, post).is_some()
                    || self.replies(post).into_iter().any(answers))
        };
        (0..self.members.len()).filter(took_part).count()
    }

    /// The post's time plus 6 hours for each doubling of the members: 1, 3, 7 and so on.
    fn rank(&self, post: usize) -> Millis {
        let people = self.people(post);
        let mut hours = 0;
        let mut doubled = 1;
        while people >= doubled {
            hours += 6;
            doubled = 2 * doubled + 1;
        }
        self.posts[post].at + hours * HOUR
    }

    /// Top-level posts, best first, in the order that all viewers share.
    fn ranked(&self) -> Vec<usize> {
        let mut posts = self.newest(|post| post.kind == Kind::Post);
        // The sort is stable: of equal ranks the newer stays first.
        posts.sort_by_cached_key(|post| Reverse(self.rank(*post)));
        posts
    }

    /// Authors of the first block's posts with at least three members, best first.
    pub(crate) fn popular_authors(&self) -> Vec<usize> {
        let best = self.ranked().into_iter().take(BLOCK);
        let popular = best.filter(|post| self.people(*post) >= 3);
        popular.map(|post| self.posts[post].author).collect()
    }

    /// All members' posts for one viewer: ranked ones first, then the others, newest first.
    pub(crate) fn for_you(&self, viewer: usize) -> Vec<usize> {
        let mut rest = self.ranked();
        let best = rest.drain(..BLOCK.min(rest.len())).collect::<Vec<_>>();
        rest.retain(|post| !self.hides(viewer, self.posts[*post].author));
        // A higher index is a newer post.
        rest.sort_unstable_by_key(|post| Reverse(*post));
        let mut all = self.arranged(viewer, &best);
        all.extend(rest);
        all
    }

    /// Moves posts of close members up in a block, and allows no author three in a row.
    fn arranged(&self, viewer: usize, block: &[usize]) -> Vec<usize> {
        let is_seen = |post: &&usize| !self.hides(viewer, self.posts[**post].author);
        let score = |post: &usize| {
            let author = self.posts[*post].author;
            let hours = if self.follows_in_circle(viewer, author) {
                6
            } else if self.follows(author, viewer) || !self.between(viewer, author).is_empty() {
                3
            } else {
                0
            };
            (self.rank(*post) + hours * HOUR, *post)
        };
        let mut waiting = block.iter().filter(is_seen).copied().collect::<Vec<_>>();
        waiting.sort_by_cached_key(|post| Reverse(score(post)));
        let mut shown: Vec<usize> = Vec::new();
        while !waiting.is_empty() {
            let author = |post: usize| self.posts[post].author;
            let is_third = |post: usize| {
                shown.len() >= 2
                    && author(shown[shown.len() - 1]) == author(post)
                    && author(shown[shown.len() - 2]) == author(post)
            };
            let next = waiting.iter().position(|post| !is_third(*post));
            let next = waiting.remove(next.unwrap_or(0));
            shown.push(next);
        }
        shown
    }

    /// The reason why a post is shown.
    pub(crate) fn why_for_you(&self, viewer: usize, post: usize) -> Value {
        let author = self.posts[post].author;
        let name = &self.members[author].display_name;
        if author == viewer {
            return reason("own", "Your own post");
        }
        if self.follows_in_circle(viewer, author) {
            return reason_with("following", &format!("You follow {name}"), name);
        }
        let between = self.between(viewer, author);
        if let Some(friend) = self.named_between(viewer, &between) {
            let friend = &self.members[friend].display_name;
            let message = format!("Followed by {friend}, who you follow");
            return reason_with("followed_by", &message, friend);
        }
        if self.follows(author, viewer) {
            return reason_with("follows_you", &format!("{name} follows you"), name);
        }
        if self.people(post) >= 3 {
            return reason("popular", "Popular on this network");
        }
        reason("new", "New on this network")
    }
}
