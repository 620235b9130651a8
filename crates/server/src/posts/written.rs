//! Posts as one reader sees them, written from what everybody sees.

use crate::ids::Id;
use crate::posts::deeds::Deed;
use crate::posts::hydrate;
use crate::posts::known::{Cuts, Gathered, Known};
use crate::posts::tally::{self, Poll};
use crate::reason::Reason;
use crate::safety::Unseen;

/// What becomes of deleted posts, and of those by members whom the reader does not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deleted {
    /// They are left out.
    Hidden,
    /// They are shown as tombstones, without what they said.
    Shown,
}

/// A reader's view of posts.
pub(super) struct View<'a> {
    pub(super) reader: Id,
    pub(super) unseen: &'a Unseen,
    pub(super) gathered: &'a Gathered,
}

impl View<'_> {
    /// The posts of a page as a JSON array, in the page's order. What is gone is left out.
    pub(super) fn list(&self, ids: &[i64]) -> Vec<u8> {
        let mut out = Vec::with_capacity(2 + ids.len() * 900);
        let shown = ids.iter().filter_map(|id| self.find(*id, Deleted::Hidden));
        self.write_all(&mut out, shown.map(|shown| (shown, None)));
        out
    }

    /// Posts as a JSON array, each with why it is shown.
    pub(super) fn write_all<'b>(
        &self,
        out: &mut Vec<u8>,
        posts: impl Iterator<Item = (Shown<'b>, Option<Reason>)>,
    ) {
        out.push(b'[');
        for (number, (shown, reason)) in posts.enumerate() {
            if number > 0 {
                out.push(b',');
            }
            self.write(out, &shown, reason.as_ref());
        }
        out.push(b']');
    }

    /// A post, if there is anything of it to show.
    pub(super) fn find(&self, id: i64, deleted: Deleted) -> Option<Shown<'_>> {
        let post = self.gathered.posts.get(&id)?;
        let is_hidden = self.unseen.is_apart(post.author);
        if deleted == Deleted::Hidden && (post.is_deleted || is_hidden) {
            return None;
        }
        if !is_hidden && post.author_name.is_none() {
            return None;
        }
        let original = match post.repost_of {
            None => None,
            // A repost of something that is gone shows nothing.
            Some(original) => Some(self.original(original)?),
        };
        Some(Shown {
            post,
            original,
            is_hidden,
        })
    }

    fn original(&self, id: i64) -> Option<&Known> {
        let post = self.gathered.posts.get(&id)?;
        let is_there = !post.is_deleted && !self.unseen.is_apart(post.author);
        (is_there && post.author_name.is_some()).then_some(post)
    }

    pub(super) fn write(&self, out: &mut Vec<u8>, shown: &Shown<'_>, reason: Option<&Reason>) {
        let Shown {
            post,
            original,
            is_hidden,
        } = *shown;
        if is_hidden {
            self.write_hidden(out, post);
            return;
        }
        let json = post.json.as_bytes();
        let deed = self.gathered.deeds.get(&post.id).copied();
        let deed = deed.unwrap_or_default();
        let mut at = 0;
        if let Some((options, votes)) = &post.poll {
            out.extend_from_slice(&json[..post.cuts.votes.start]);
            let poll = Poll::of(options, votes, deed.choice, self.reader);
            members(out, &poll);
            at = post.cuts.votes.end;
        }
        if self.answers_unseen(post) {
            out.extend_from_slice(&json[at..post.cuts.reply_to.start]);
            out.extend_from_slice(b"null");
            at = post.cuts.reply_to.end;
        }
        if let Some(original) = original {
            out.extend_from_slice(&json[at..post.cuts.repost_of.start]);
            let original = Shown {
                post: original,
                original: None,
                is_hidden: false,
            };
            self.write(out, &original, None);
            at = post.cuts.repost_of.end;
        }
        out.extend_from_slice(&json[at..post.cuts.tail]);
        let is_muted = self.unseen.ties(post.author).is_muted();
        tail(out, post, deed, is_muted, reason);
    }

    /// Whether the post answers one whose author is not seen.
    fn answers_unseen(&self, post: &Known) -> bool {
        post.reply_to
            .is_some_and(|(_, author)| self.unseen.is_apart(author))
    }

    /// What is left of a post that is not for this reader.
    fn write_hidden(&self, out: &mut Vec<u8>, post: &Known) {
        let reply_to = post.reply_to.map(|(id, _)| id);
        let left = hydrate::hidden(post.id, reply_to, post.repost_of, post.reply_count);
        let left = json(&left);
        match Cuts::of(&left).filter(|_| !self.answers_unseen(post)) {
            Some(cuts) => {
                out.extend_from_slice(&left.as_bytes()[..cuts.reply_to.start]);
                out.extend_from_slice(&post.json.as_bytes()[post.cuts.reply_to.clone()]);
                out.extend_from_slice(&left.as_bytes()[cuts.reply_to.end..]);
            }
            None => out.extend_from_slice(left.as_bytes()),
        }
    }
}

/// A post that is shown.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    pub(super) post: &'a Known,
    /// What it reposts.
    pub(super) original: Option<&'a Known>,
    /// Whether only its place is shown.
    pub(super) is_hidden: bool,
}

/// Bytes of what is left of a post that is not for its reader, about.
const HIDDEN: usize = 600;
/// Bytes of a voter of a poll, about.
const VOTER: usize = 14;

impl Shown<'_> {
    /// How many bytes it is written in, about.
    pub(super) fn bytes(&self) -> usize {
        if self.is_hidden {
            return HIDDEN;
        }
        let polls = self
            .post
            .poll
            .iter()
            .flat_map(|(options, votes)| options.iter().zip(votes));
        // Each is named with its votes and with its count.
        let polls = polls.map(|(option, votes)| 2 * option.len() + VOTER * tally::listed(*votes));
        self.post.json.len() + polls.sum::<usize>()
    }
}

/// What stands at the end of a post, from the reader's deeds on.
fn tail(out: &mut Vec<u8>, post: &Known, deed: Deed, is_muted: bool, reason: Option<&Reason>) {
    for (name, value) in [
        (r#""isLiked":"#, deed.is_liked),
        (r#","isReposted":"#, deed.is_reposted),
        (r#","isDeleted":"#, post.is_deleted),
        (r#","isHidden":"#, false),
        (r#","isMuted":"#, is_muted),
    ] {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(if value { b"true" } else { b"false" });
    }
    out.extend_from_slice(br#","reason":"#);
    match reason {
        None => out.extend_from_slice(b"null"),
        Some(reason) => out.extend_from_slice(json(reason).as_bytes()),
    }
    out.push(b'}');
}

/// The members of an object, without its braces.
fn members(out: &mut Vec<u8>, object: &impl serde::Serialize) {
    let text = json(object);
    out.extend_from_slice(&text.as_bytes()[1..text.len() - 1]);
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| unreachable!("plain values are JSON"))
}
