//! The model's rules for deletion and for threads with deleted posts.

use crate::model::{Kind, Model, NO_POST, NOT_YOURS, Rejection};

impl Model {
    /// Deletes an own post, its content and its notifications. A repost is undone.
    pub(crate) fn delete(&mut self, who: usize, target: Option<usize>) -> Result<(), Rejection> {
        let target = target.ok_or(NO_POST)?;
        let is_mine = self.posts[target].author == who;
        if self.original(Some(target)).is_err() {
            // Deleting a post again succeeds, but a deleted repost is not found.
            let again = is_mine && !self.is_repost(target);
            return if again { Ok(()) } else { Err(NO_POST) };
        }
        if !is_mine {
            self.seen(who, Some(target))?;
            return Err(NOT_YOURS);
        }
        let post = &mut self.posts[target];
        post.is_gone = true;
        post.content.clear();
        post.mentions.clear();
        post.hashtags.clear();
        post.poll = None;
        self.notifications.retain(|row| row.post != Some(target));
        Ok(())
    }

    fn is_repost(&self, post: usize) -> bool {
        matches!(self.posts[post].kind, Kind::Repost(_))
    }

    /// Whether a thread lists a post: it is not deleted, or has a direct reply that is not.
    fn is_listed(&self, post: usize) -> bool {
        !self.posts[post].is_gone || !self.replies(post).is_empty()
    }

    /// The post whose thread is shown: the post itself, even as a tombstone, or a repost's original.
    pub(crate) fn thread_of(&self, viewer: usize, post: usize) -> Result<usize, Rejection> {
        let shown = match self.original(Some(post)) {
            Err(_) if self.is_listed(post) && !self.is_repost(post) => Ok(post),
            found => found,
        };
        let apart = |post: usize| self.is_block_between(viewer, self.posts[post].author);
        shown.and_then(|shown| if apart(post) || apart(shown) { Err(NO_POST) } else { Ok(shown) })
    }

    /// Listed replies to a post, oldest first.
    fn listed_replies(&self, post: usize) -> Vec<usize> {
        let answers = |reply: &usize| self.posts[*reply].kind == Kind::Reply(post);
        (0..self.posts.len()).filter(answers).filter(|reply| self.is_listed(*reply)).collect()
    }

    /// The replies below a post: the author's own, then the others, each with its replies. Hidden authors' replies are
    /// gaps, and only appear if another reply answers them.
    pub(crate) fn thread(&self, viewer: usize, post: usize) -> Vec<usize> {
        let author = self.posts[post].author;
        let direct = self.listed_replies(post);
        let (own, others): (Vec<usize>, Vec<usize>) =
            direct.into_iter().partition(|reply| self.posts[*reply].author == author);
        let mut listed = Vec::new();
        for reply in own.into_iter().chain(others) {
            listed.push(reply);
            listed.extend(self.listed_replies(reply));
        }
        let is_seen = |reply: usize| !self.is_block_between(viewer, self.posts[reply].author);
        let answers = |post| {
            listed
                .iter()
                .any(|reply| is_seen(*reply) && self.posts[*reply].kind == Kind::Reply(post))
        };
        let stays = |reply: &usize| is_seen(*reply) || answers(*reply);
        listed.iter().copied().filter(stays).collect()
    }

    /// The first post of the conversation, if more than 20 ancestors are above and the viewer may open it.
    pub(crate) fn root_above(&self, viewer: usize, post: usize) -> Option<usize> {
        let mut root = post;
        let mut above = 0;
        while let Kind::Reply(parent) = self.posts[root].kind {
            root = parent;
            above += 1;
        }
        let root = Some(root).filter(|_| above > 20)?;
        self.thread_of(viewer, root).ok()
    }

    /// The 20 nearest ancestors of a post, oldest first.
    pub(crate) fn ancestors(&self, post: usize) -> Vec<usize> {
        let mut above = Vec::new();
        let mut last = post;
        while let Kind::Reply(parent) = self.posts[last].kind {
            above.push(parent);
            last = parent;
        }
        above.truncate(20);
        above.reverse();
        above
    }
}
