//! The model's lists: every rule is a filter over everything there is.

use crate::model::{Kind, Model, Post};

/// The filters of a profile's list.
pub(crate) const FILTERS: [&str; 5] = ["all", "posts", "replies", "media", "likes"];

impl Model {
    /// Living posts that `keep` keeps, newest first.
    fn newest(&self, keep: impl Fn(&Post) -> bool) -> Vec<usize> {
        let kept = |post: &usize| !self.posts[*post].is_gone && keep(&self.posts[*post]);
        (0..self.posts.len()).rev().filter(kept).collect()
    }

    /// Posts and reposts of those I follow and my own; a reply only when it answers me, somebody I
    /// follow, or its own author.
    pub(crate) fn friends_feed(&self, reader: usize) -> Vec<usize> {
        let near = |member: usize| member == reader || self.follows(reader, member);
        self.newest(|post| {
            let answers_one_of_us = match post.kind {
                Kind::Reply(parent) => {
                    let answered = self.posts[parent].author;
                    near(answered) || answered == post.author
                }
                Kind::Post | Kind::Repost(_) => true,
            };
            near(post.author) && answers_one_of_us
        })
    }

    /// One of the lists on a profile.
    pub(crate) fn profile(&self, member: usize, filter: &str) -> Vec<usize> {
        let is_reply = |post: &Post| matches!(post.kind, Kind::Reply(_));
        match filter {
            "all" => self.newest(|post| post.author == member),
            "posts" => self.newest(|post| post.author == member && !is_reply(post)),
            "replies" => self.newest(|post| post.author == member && is_reply(post)),
            "likes" => {
                let mine = self.likes.iter().rev().filter(|(who, _)| *who == member);
                mine.map(|(_, post)| *post)
                    .filter(|post| !self.posts[*post].is_gone)
                    .collect()
            }
            // There are no images yet.
            _ => Vec::new(),
        }
    }

    /// Replies to a post, oldest first.
    pub(crate) fn replies(&self, post: usize) -> Vec<usize> {
        let mut replies = self.newest(|reply| reply.kind == Kind::Reply(post));
        replies.reverse();
        replies
    }

    /// What stands below a post: its author's own replies, then the others, each with the replies to it.
    pub(crate) fn thread(&self, post: usize) -> Vec<usize> {
        let author = self.posts[post].author;
        let direct = self.replies(post);
        let (own, others): (Vec<usize>, Vec<usize>) = direct
            .into_iter()
            .partition(|reply| self.posts[*reply].author == author);
        let mut listed = Vec::new();
        for reply in own.into_iter().chain(others) {
            listed.push(reply);
            listed.extend(self.replies(reply));
        }
        listed
    }

    /// What a member was told, newest first.
    pub(crate) fn notifications_of(&self, member: usize) -> Vec<usize> {
        let mine = |row: &usize| self.notifications[*row].to == member;
        (0..self.notifications.len()).rev().filter(mine).collect()
    }

    /// Living reposts of a post.
    pub(crate) fn repost_count(&self, post: usize) -> usize {
        self.newest(|repost| repost.kind == Kind::Repost(post))
            .len()
    }

    /// A member's posts and replies, without reposts.
    pub(crate) fn post_count(&self, member: usize) -> usize {
        self.newest(|post| post.author == member && !matches!(post.kind, Kind::Repost(_)))
            .len()
    }
}
