//! The model's rules for posts, replies and reposts.

use crate::actions::Which;
use crate::calendar::{DAY, MINUTE, Millis};
use crate::model::{INVALID, Key, Kind, Model, NO_POST, Poll, Post, Rejection};
use crate::perform::is_nonsense;
use crate::words::hashtags;

/// The content of a new post.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The text's words; those with @ may be mentions.
    pub(crate) words: Vec<String>,
    /// The selected parent of a reply.
    pub(crate) parent: Option<Which>,
    /// Index of the parent, if it exists.
    pub(crate) reply_to: Option<usize>,
    /// A poll's options, and its duration in minutes unless it is the default of a day.
    pub(crate) poll: Option<(Vec<String>, Option<i64>)>,
    /// The `Idempotency-Key`.
    pub(crate) key: Option<String>,
}

impl Draft {
    /// The whole text.
    pub(crate) fn content(&self) -> String {
        self.words.join(" ")
    }
}

impl Model {
    /// Creates a post or reply. A key used within a day returns the first post, unless it is deleted.
    pub(crate) fn write(&mut self, who: usize, draft: &Draft) -> Result<usize, Rejection> {
        check_bounds(draft)?;
        let no_id = |which| is_nonsense(draft.reply_to, which);
        if draft.parent.is_some_and(no_id) {
            return Err(NO_POST);
        }
        let poll = poll(draft, self.now)?;
        let content = draft.content();
        if content.is_empty() || content.chars().count() > 500 {
            return Err(INVALID);
        }
        if let Some(first) = self.post_of_key(who, draft.key.as_deref()) {
            return self.seen(who, Some(first)).map(|_| first);
        }
        let parent = draft.parent.map(|_| self.reached(who, draft.reply_to)).transpose()?;
        let mentions = self.mentions(&draft.words);
        let mentioned = mentions.iter().map(|mention| mention.member).collect::<Vec<_>>();
        let kind = parent.map_or(Kind::Post, Kind::Reply);
        let post = self.add(who, content, kind);
        self.posts[post].mentions = mentions;
        self.posts[post].hashtags = hashtags(&draft.words);
        self.posts[post].poll = poll;
        self.store_key(who, draft.key.as_deref(), post);
        let answered = parent.map(|parent| self.posts[parent].author);
        if let Some(author) = answered {
            self.notify(author, "reply", who, Some(post));
        }
        for member in mentioned {
            if answered != Some(member) {
                self.notify(member, "mention", who, Some(post));
            }
        }
        Ok(post)
    }

    /// Stores the post of a key for a day.
    fn store_key(&mut self, member: usize, key: Option<&str>, post: usize) {
        let made = self.now;
        self.keys.extend(key.map(|key| Key { member, text: key.to_owned(), post, made }));
    }

    /// The post of a key used within a day.
    fn post_of_key(&self, who: usize, key: Option<&str>) -> Option<usize> {
        let key = key?;
        let mine = |row: &&Key| row.member == who && row.text == key && self.now < row.made + DAY;
        self.keys.iter().rev().find(mine).map(|row| row.post)
    }

    /// Reposts; a second repost returns the first.
    pub(crate) fn repost(
        &mut self,
        who: usize,
        target: Option<usize>,
        content: &str,
        key: Option<&str>,
    ) -> Result<usize, Rejection> {
        if let Some(first) = self.post_of_key(who, key) {
            return self.seen(who, Some(first)).map(|_| first);
        }
        let original = self.reached(who, target)?;
        if let Some(first) = self.repost_by(who, original) {
            self.store_key(who, key, first);
            return Ok(first);
        }
        let post = self.add(who, content.to_owned(), Kind::Repost(original));
        self.store_key(who, key, post);
        self.notify(self.posts[original].author, "repost", who, Some(original));
        Ok(post)
    }

    /// Undoes a repost, if there is one; returns the original.
    pub(crate) fn undo_repost(
        &mut self,
        who: usize,
        target: Option<usize>,
    ) -> Result<usize, Rejection> {
        let original = self.seen(who, target)?;
        if let Some(repost) = self.repost_by(who, original) {
            self.posts[repost].is_gone = true;
        }
        Ok(original)
    }

    /// A member's repost of a post that is not undone.
    pub(crate) fn repost_by(&self, who: usize, original: usize) -> Option<usize> {
        let is_it = |post: &Post| {
            !post.is_gone && post.author == who && post.kind == Kind::Repost(original)
        };
        self.posts.iter().position(is_it)
    }

    fn add(&mut self, author: usize, content: String, kind: Kind) -> usize {
        let (id, at, is_gone) = (String::new(), self.now, false);
        self.posts.push(Post {
            id,
            author,
            at,
            content,
            mentions: Vec::new(),
            hashtags: Vec::new(),
            kind,
            poll: None,
            is_gone,
        });
        self.posts.len() - 1
    }
}

/// Checks limits that apply before any other rule: at most 4 poll options, and a duration of 5 minutes to 7 days.
fn check_bounds(draft: &Draft) -> Result<(), Rejection> {
    match &draft.poll {
        Some((options, _)) if options.len() > 4 => Err(INVALID),
        Some((_, Some(minutes))) if !(5..=10_080).contains(minutes) => Err(INVALID),
        _ => Ok(()),
    }
}

/// Checks that a poll has at least 2 options; the default duration is a day.
fn poll(draft: &Draft, now: Millis) -> Result<Option<Poll>, Rejection> {
    let Some((options, minutes)) = &draft.poll else {
        return Ok(None);
    };
    let minutes = minutes.unwrap_or(1_440);
    if options.len() < 2 {
        return Err(INVALID);
    }
    Ok(Some(Poll { options: options.clone(), ends: now + minutes * MINUTE }))
}
