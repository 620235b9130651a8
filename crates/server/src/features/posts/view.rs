//! Posts as one viewer sees them: the cached JSON of each, and what depends on the viewer.

use crate::features::posts::cache::{CachedPost, PostSet};
use crate::features::posts::dto::{Reposters, ViewerState};
use crate::features::posts::poll_results;
use crate::features::recommendation_reason::Reason;
use crate::features::relationships::HiddenMembers;
use crate::platform::ids::Id;
use serde::Serialize;
use serde_json::value::RawValue;

/// What becomes of deleted posts, and of those by members whom the viewer does not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tombstones {
    /// They are left out.
    Omitted,
    /// They are shown as tombstones, without what they said.
    Shown,
}

/// A viewer of posts.
#[derive(Clone, Copy)]
pub(super) struct Viewer<'a> {
    pub(super) id: Id,
    pub(super) unseen: &'a HiddenMembers,
    pub(super) posts: &'a PostSet,
}

impl<'a> Viewer<'a> {
    /// The posts of a page as a JSON array, in the page's order. What is gone is left out.
    pub(super) fn list(self, ids: &[i64]) -> Vec<u8> {
        let mut out = Vec::with_capacity(2 + ids.len() * 900);
        let found = ids
            .iter()
            .filter_map(|id| self.find(*id, Tombstones::Omitted));
        self.write_all(&mut out, found.map(|post| (post, Added::default())));
        out
    }

    /// A post as JSON by itself, if there is anything of it to show.
    pub(super) fn raw(self, id: i64) -> Option<Box<RawValue>> {
        let post = self.find(id, Tombstones::Omitted)?;
        let mut out = Vec::new();
        self.write(&mut out, &post, Added::default());
        serde_json::from_slice(&out).ok()
    }

    /// Writes posts as a JSON array, each with what its list adds to it.
    pub(super) fn write_all<'b>(
        self,
        out: &mut Vec<u8>,
        posts: impl Iterator<Item = (VisiblePost<'b>, Added)>,
    ) {
        out.push(b'[');
        for (number, (post, added)) in posts.enumerate() {
            if number > 0 {
                out.push(b',');
            }
            self.write(out, &post, added);
        }
        out.push(b']');
    }

    /// A post, if there is anything of it to show.
    pub(super) fn find(self, id: i64, tombstones: Tombstones) -> Option<VisiblePost<'a>> {
        let post = self.posts.posts.get(&id)?;
        let is_hidden = self.unseen.is_hidden_everywhere(post.author);
        if tombstones == Tombstones::Omitted && (post.is_deleted || is_hidden) {
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
        Some(VisiblePost {
            post,
            original,
            is_hidden,
        })
    }

    fn original(self, id: i64) -> Option<&'a CachedPost> {
        let post = self.posts.posts.get(&id)?;
        let is_there = !post.is_deleted && !self.unseen.is_hidden_everywhere(post.author);
        (is_there && post.author_name.is_some()).then_some(post)
    }

    /// Writes a post as JSON.
    pub(super) fn write(self, out: &mut Vec<u8>, visible: &VisiblePost<'_>, added: Added) {
        let post = visible.post;
        let replied_to = post.replied_to.as_ref();
        let mut state = ViewerState {
            reply_to: replied_to
                .filter(|parent| !self.unseen.is_hidden_everywhere(parent.author.id.0)),
            is_hidden: visible.is_hidden,
            reason: added.reason,
            reposters: added.reposters,
            ..ViewerState::default()
        };
        if visible.is_hidden {
            write_json(out, &post.tombstone());
            out.pop();
        } else {
            out.extend_from_slice(&post.json);
            let deed = self.posts.deeds.get(&post.id).copied().unwrap_or_default();
            state.is_liked = deed.is_liked;
            state.is_reposted = deed.is_reposted;
            state.is_muted = self.unseen.relationship(post.author).is_muted();
            if let Some((options, votes)) = &post.poll {
                state.add_poll(options, votes, deed.choice, self.id);
            }
        }
        out.extend_from_slice(br#","repostOf":"#);
        match visible.original.filter(|_| !visible.is_hidden) {
            Some(post) => {
                let original = VisiblePost {
                    post,
                    original: None,
                    is_hidden: false,
                };
                self.write(out, &original, Added::default());
            }
            None => out.extend_from_slice(b"null"),
        }
        close_object(out, &state);
    }
}

/// What one list says of a post and no other does.
#[derive(Debug, Default)]
pub(super) struct Added {
    pub(super) reason: Option<Reason>,
    pub(super) reposters: Option<Reposters>,
}

/// A post that is shown.
#[derive(Clone, Copy)]
pub(super) struct VisiblePost<'a> {
    pub(super) post: &'a CachedPost,
    /// What it reposts.
    pub(super) original: Option<&'a CachedPost>,
    /// Whether only its place is shown.
    pub(super) is_hidden: bool,
}

/// Bytes of what is left of a post that is not for its viewer, about.
const HIDDEN: usize = 600;
/// Bytes of what depends on the viewer, about: without a poll, and without the author of what it replies to.
const STATE: usize = 350;
/// Bytes of a voter of a poll, about.
const VOTER: usize = 14;

impl VisiblePost<'_> {
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
        let polls =
            polls.map(|(option, votes)| 2 * option.len() + VOTER * poll_results::listed(*votes));
        let replied_to = self.post.replied_to.as_ref();
        let replied_to = replied_to.map_or(0, |parent| parent.author.display_name.len());
        self.post.json.len() + STATE + replied_to + polls.sum::<usize>()
    }
}

/// Adds the members of a value to the object that is open, and closes it.
fn close_object(out: &mut Vec<u8>, value: &impl Serialize) {
    let brace = out.len();
    write_json(out, value);
    out[brace] = b',';
}

/// Writes a value as JSON.
pub(super) fn write_json(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(out, value)
        .unwrap_or_else(|_| unreachable!("plain values are JSON, and a Vec takes all bytes"));
}
