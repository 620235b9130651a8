//! The model's rules for deleting, and for the threads that it leaves holes in.

use crate::model::{Kind, Model, NO_POST, NOT_YOURS, Refusal};

impl Model {
    /// Deletes one's own post: what it said and what was told of it is gone. A repost is taken back.
    pub(crate) fn delete(&mut self, who: usize, target: Option<usize>) -> Result<(), Refusal> {
        let target = target.ok_or(NO_POST)?;
        let is_mine = self.posts[target].author == who;
        if self.original(Some(target)).is_err() {
            // Deleting again is nothing new; but of a repost that is gone nothing is left.
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

    /// Whether a post is shown in a thread: it lives, or a living reply answers it directly.
    fn stands(&self, post: usize) -> bool {
        !self.posts[post].is_gone || !self.replies(post).is_empty()
    }

    /// The post whose thread is shown: a tombstone's own, a repost's original's.
    pub(crate) fn thread_of(&self, reader: usize, post: usize) -> Result<usize, Refusal> {
        let shown = match self.original(Some(post)) {
            Err(_) if self.stands(post) && !self.is_repost(post) => Ok(post),
            found => found,
        };
        let apart = |post: usize| self.is_apart(reader, self.posts[post].author);
        shown.and_then(|shown| {
            if apart(post) || apart(shown) {
                Err(NO_POST)
            } else {
                Ok(shown)
            }
        })
    }

    /// Replies to a post that stand, oldest first.
    fn standing_replies(&self, post: usize) -> Vec<usize> {
        let answers = |reply: &usize| self.posts[*reply].kind == Kind::Reply(post);
        (0..self.posts.len())
            .filter(answers)
            .filter(|reply| self.stands(*reply))
            .collect()
    }

    /// What stands below a post: its author's own replies, then the others, each with the replies to
    /// it. Of somebody whom the reader does not see, only what others answered.
    pub(crate) fn thread(&self, reader: usize, post: usize) -> Vec<usize> {
        let author = self.posts[post].author;
        let direct = self.standing_replies(post);
        let (own, others): (Vec<usize>, Vec<usize>) = direct
            .into_iter()
            .partition(|reply| self.posts[*reply].author == author);
        let mut listed = Vec::new();
        for reply in own.into_iter().chain(others) {
            listed.push(reply);
            listed.extend(self.standing_replies(reply));
        }
        let is_seen = |reply: usize| !self.is_apart(reader, self.posts[reply].author);
        let answers = |post| {
            listed
                .iter()
                .any(|reply| is_seen(*reply) && self.posts[*reply].kind == Kind::Reply(post))
        };
        let stays = |reply: &usize| is_seen(*reply) || answers(*reply);
        listed.iter().copied().filter(stays).collect()
    }

    /// What a conversation began with, when it is above the 20 nearest and its reader may open it.
    pub(crate) fn root_above(&self, reader: usize, post: usize) -> Option<usize> {
        let mut root = post;
        let mut above = 0;
        while let Kind::Reply(parent) = self.posts[root].kind {
            root = parent;
            above += 1;
        }
        let root = Some(root).filter(|_| above > 20)?;
        self.thread_of(reader, root).ok()
    }

    /// What a post answers, and what that answers, and so on: the 20 nearest, oldest first.
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
