//! The model's lists: each is a filter over all rows.

use crate::model::{Kind, Model, Post};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The filters of a profile's list.
pub(crate) const FILTERS: [&str; 5] = ["all", "posts", "replies", "media", "likes"];

impl Model {
    /// Posts that match `keep`, newest first, without deleted posts and reposts of them.
    pub(crate) fn newest(&self, keep: impl Fn(&Post) -> bool) -> Vec<usize> {
        let kept = |post: &usize| self.original(Some(*post)).is_ok() && keep(&self.posts[*post]);
        (0..self.posts.len()).rev().filter(kept).collect()
    }

    /// Whether the Friends feed has a member's posts.
    fn is_near(&self, viewer: usize, member: usize) -> bool {
        member == viewer || self.follows(viewer, member) && !self.hides(viewer, member)
    }

    /// Posts and reposts of the viewer and followed members; replies only to the viewer, followed members or their
    /// own author. Each post once, at its newest repost.
    pub(crate) fn friends_feed(&self, viewer: usize) -> Vec<usize> {
        let near = |member: usize| self.is_near(viewer, member);
        let mut shown = HashSet::new();
        let mut list = self.newest(|post| {
            let answers_one_of_us = match post.kind {
                Kind::Reply(parent) => {
                    let answered = self.posts[parent].author;
                    near(answered) || answered == post.author
                }
                Kind::Post | Kind::Repost(_) => true,
            };
            let is_seen = self.is_by_others(post, |author| self.hides(viewer, author));
            near(post.author) && answers_one_of_us && is_seen
        });
        list.retain(|post| match self.posts[*post].kind {
            Kind::Repost(original) => shown.insert(original),
            Kind::Post | Kind::Reply(_) => shown.insert(*post),
        });
        list
    }

    /// The members of the Friends feed who reposted the original of this repost, if several did.
    pub(crate) fn show_reposters(&self, viewer: usize, post: usize) -> Value {
        let same = |other: &Post| {
            let kind = self.posts[post].kind;
            matches!(kind, Kind::Repost(_)) && other.kind == kind
        };
        let reposts = self.newest(|other| same(other) && self.is_near(viewer, other.author));
        let members = reposts.iter().map(|repost| self.posts[*repost].author);
        let members = members.map(|member| self.show_ref(member));
        if reposts.len() < 2 {
            return Value::Null;
        }
        json!({"members": members.take(2).collect::<Vec<_>>(), "count": reposts.len()})
    }

    /// One of the lists on a profile, as the viewer sees it.
    pub(crate) fn profile(&self, viewer: usize, member: usize, filter: &str) -> Vec<usize> {
        let apart = |member: usize| self.is_block_between(viewer, member);
        let mut list = self.whole_profile(member, filter);
        list.retain(|post| !apart(member) && self.is_by_others(&self.posts[*post], apart));
        list
    }

    fn whole_profile(&self, member: usize, filter: &str) -> Vec<usize> {
        let is_reply = |post: &Post| matches!(post.kind, Kind::Reply(_));
        match filter {
            "all" => self.newest(|post| post.author == member),
            "posts" => self.newest(|post| post.author == member && !is_reply(post)),
            "replies" => self.newest(|post| post.author == member && is_reply(post)),
            "likes" => {
                let mine = self.likes.iter().rev().filter(|(who, _)| *who == member);
                mine.map(|(_, post)| *post).filter(|post| !self.posts[*post].is_gone).collect()
            }
            // The model has no images.
            _ => Vec::new(),
        }
    }

    /// Replies to a post that are not deleted, oldest first.
    pub(crate) fn replies(&self, post: usize) -> Vec<usize> {
        let mut replies = self.newest(|reply| reply.kind == Kind::Reply(post));
        replies.reverse();
        replies
    }

    /// A member's notifications, newest first.
    pub(crate) fn notifications_of(&self, member: usize) -> Vec<usize> {
        let mine = |row: &usize| {
            let row = &self.notifications[*row];
            row.to == member && !self.hides(member, row.actor)
        };
        (0..self.notifications.len()).rev().filter(mine).collect()
    }

    /// Number of reposts that are not undone, including those of a deleted post.
    pub(crate) fn repost_count(&self, post: usize) -> usize {
        let counts = |repost: &&Post| !repost.is_gone && repost.kind == Kind::Repost(post);
        self.posts.iter().filter(counts).count()
    }

    /// A member's followers, newest first.
    pub(crate) fn followers(&self, member: usize) -> Vec<usize> {
        let edges = self.follows.iter().rev().filter(|edge| edge.1 == member);
        edges.map(|edge| edge.0).collect()
    }

    /// Members followed by a member, newest first.
    pub(crate) fn following(&self, member: usize) -> Vec<usize> {
        let edges = self.follows.iter().rev().filter(|edge| edge.0 == member);
        edges.map(|edge| edge.1).collect()
    }

    /// Number of a member's posts and replies, without reposts.
    pub(crate) fn post_count(&self, member: usize) -> usize {
        self.newest(|post| post.author == member && !matches!(post.kind, Kind::Repost(_))).len()
    }
}
