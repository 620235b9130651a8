//! The model's rules for posts, replies and reposts.

use crate::actions::Which;
use crate::calendar::{DAY, MINUTE, Millis};
use crate::model::{INVALID, Key, Kind, Mention, Model, Poll, Post, Refusal};

/// What a member is about to post.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The text's words; those that start with @ may be names.
    pub(crate) words: Vec<String>,
    /// Whether and what it answers.
    pub(crate) parent: Option<Which>,
    /// The post that this is, if there is one.
    pub(crate) reply_to: Option<usize>,
    /// A poll's options, and its length in minutes when it is not a day.
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
    /// Posts or replies. The same key within a day answers the first post.
    pub(crate) fn write(&mut self, who: usize, draft: &Draft) -> Result<usize, Refusal> {
        let poll = poll(draft, self.now)?;
        let content = draft.content();
        if content.is_empty() || content.chars().count() > 500 {
            return Err(INVALID);
        }
        if let Some(first) = self.remembered(who, draft) {
            return Ok(first);
        }
        let parent = draft
            .parent
            .map(|_| self.original(draft.reply_to))
            .transpose()?;
        let mentions = self.mentions(&draft.words);
        let mentioned = mentions
            .iter()
            .map(|mention| mention.member)
            .collect::<Vec<_>>();
        let kind = parent.map_or(Kind::Post, Kind::Reply);
        let post = self.add(who, content, mentions, kind, poll);
        if let Some(text) = draft.key.clone() {
            self.keys.push(Key {
                member: who,
                text,
                post,
                made: self.now,
            });
        }
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

    /// The post that a key made within a day.
    fn remembered(&self, who: usize, draft: &Draft) -> Option<usize> {
        let key = draft.key.as_ref()?;
        let mine = |row: &&Key| row.member == who && row.text == *key && self.now < row.made + DAY;
        self.keys.iter().rev().find(mine).map(|row| row.post)
    }

    /// The members among the words.
    fn mentions(&self, words: &[String]) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut start = 0;
        for word in words {
            let length = word.encode_utf16().count();
            if let Some(name) = word.strip_prefix('@')
                && let Some(member) = self.named(name)
            {
                let (name, end) = (name.to_owned(), start + length);
                found.push(Mention {
                    member,
                    name,
                    start,
                    end,
                });
            }
            start += length + 1;
        }
        found
    }

    /// Reposts; the same post again answers the first repost.
    pub(crate) fn repost(
        &mut self,
        who: usize,
        target: Option<usize>,
        content: &str,
    ) -> Result<usize, Refusal> {
        let original = self.original(target)?;
        if let Some(first) = self.repost_by(who, original) {
            return Ok(first);
        }
        let post = self.add(
            who,
            content.to_owned(),
            Vec::new(),
            Kind::Repost(original),
            None,
        );
        self.notify(self.posts[original].author, "repost", who, Some(original));
        Ok(post)
    }

    /// Takes one's own repost back, if there is one; answers the original.
    pub(crate) fn undo_repost(
        &mut self,
        who: usize,
        target: Option<usize>,
    ) -> Result<usize, Refusal> {
        let original = self.original(target)?;
        if let Some(repost) = self.repost_by(who, original) {
            self.posts[repost].is_gone = true;
        }
        Ok(original)
    }

    /// A member's living repost of a post.
    pub(crate) fn repost_by(&self, who: usize, original: usize) -> Option<usize> {
        let is_it = |post: &Post| {
            !post.is_gone && post.author == who && post.kind == Kind::Repost(original)
        };
        self.posts.iter().position(is_it)
    }

    fn add(
        &mut self,
        author: usize,
        content: String,
        mentions: Vec<Mention>,
        kind: Kind,
        poll: Option<Poll>,
    ) -> usize {
        let (id, at, is_gone) = (String::new(), self.now, false);
        self.posts.push(Post {
            id,
            author,
            at,
            content,
            mentions,
            kind,
            poll,
            is_gone,
        });
        self.posts.len() - 1
    }
}

/// 2 to 4 options, 5 minutes to 7 days.
fn poll(draft: &Draft, now: Millis) -> Result<Option<Poll>, Refusal> {
    let Some((options, minutes)) = &draft.poll else {
        return Ok(None);
    };
    let minutes = minutes.unwrap_or(1_440);
    if options.len() < 2 || options.len() > 4 || !(5..=10_080).contains(&minutes) {
        return Err(INVALID);
    }
    Ok(Some(Poll {
        options: options.clone(),
        ends: now + minutes * MINUTE,
    }))
}
