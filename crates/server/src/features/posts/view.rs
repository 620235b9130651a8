//! Serialises posts for one viewer: the cached JSON of each, plus viewer-dependent fields.

use crate::features::posts::cache::PostSet;
use crate::features::posts::cached::CachedPost;
use crate::features::posts::dto::{ListFields, ViewerState};
use crate::features::posts::poll_results;
use crate::features::relationships::HiddenMembers;
use crate::platform::ids::Id;
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::LazyLock;

/// Treatment of deleted posts and of posts by hidden authors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tombstones {
    /// Leaves them out.
    Omitted,
    /// Shows them as tombstones without content.
    Shown,
}

/// Serialises loaded posts for one viewer.
#[derive(Clone, Copy)]
pub(super) struct Viewer<'a> {
    pub(super) id: Id,
    pub(super) hidden: &'a HiddenMembers,
    pub(super) posts: &'a PostSet,
}

impl<'a> Viewer<'a> {
    /// Serialises the posts of a page as a JSON array, in order and without invisible ones.
    pub(super) fn to_json_array(self, ids: &[i64]) -> Vec<u8> {
        let mut out = Vec::with_capacity(2 + ids.len() * 900);
        let found = ids.iter().filter_map(|id| self.find(*id, Tombstones::Omitted));
        self.write_all(&mut out, found.map(|post| (post, ListFields::default())));
        out
    }

    /// Serialises a single post, if it is visible.
    pub(super) fn to_raw_json(self, id: i64) -> Option<Box<RawValue>> {
        let post = self.find(id, Tombstones::Omitted)?;
        let mut out = Vec::new();
        self.write(&mut out, &post, &ListFields::default());
        serde_json::from_slice(&out).ok()
    }

    /// Writes posts as a JSON array, each with its list-specific fields.
    pub(super) fn write_all<'b>(
        self,
        out: &mut Vec<u8>,
        posts: impl Iterator<Item = (VisiblePost<'b>, ListFields)>,
    ) {
        out.push(b'[');
        for (number, (post, fields)) in posts.enumerate() {
            if number > 0 {
                out.push(b',');
            }
            self.write(out, &post, &fields);
        }
        out.push(b']');
    }

    /// Finds a post, if it is visible or has a tombstone.
    pub(super) fn find(self, id: i64, tombstones: Tombstones) -> Option<VisiblePost<'a>> {
        let post = self.posts.posts.get(&id)?;
        let is_hidden = self.hidden.is_hidden_everywhere(post.author);
        if tombstones == Tombstones::Omitted && (post.is_deleted || is_hidden) {
            return None;
        }
        if !is_hidden && post.author_name.is_none() {
            return None;
        }
        let original = match post.repost_of {
            None => None,
            // A repost of an invisible post is invisible.
            Some(original) => Some(self.find_original(original)?),
        };
        Some(VisiblePost { post, original, is_hidden })
    }

    fn find_original(self, id: i64) -> Option<&'a CachedPost> {
        let post = self.posts.posts.get(&id)?;
        let is_visible = !post.is_deleted && !self.hidden.is_hidden_everywhere(post.author);
        (is_visible && post.author_name.is_some()).then_some(post)
    }

    /// Writes a post as JSON.
    pub(super) fn write(self, out: &mut Vec<u8>, visible: &VisiblePost<'_>, fields: &ListFields) {
        let post = visible.post;
        let parent = post.reply_to.filter(|(_, author)| !self.hidden.is_hidden_everywhere(*author));
        let mut state = ViewerState {
            reply_to: parent.and(post.reply_to_json.as_deref()),
            is_hidden: visible.is_hidden,
            ..ViewerState::default()
        };
        if visible.is_hidden {
            write_json(out, &post.tombstone());
            out.pop();
        } else {
            out.extend_from_slice(&post.json);
            let interactions = self.posts.interactions.get(&post.id).copied().unwrap_or_default();
            state.is_liked = interactions.is_liked;
            state.is_reposted = interactions.is_reposted;
            state.is_muted = self.hidden.relationship(post.author).is_muted();
            if let Some((options, votes)) = &post.poll {
                state.add_poll(options, votes, interactions.choice, self.id);
            }
        }
        out.extend_from_slice(br#","repostOf":"#);
        match visible.original.filter(|_| !visible.is_hidden) {
            Some(post) => {
                let original = VisiblePost { post, original: None, is_hidden: false };
                self.write(out, &original, &ListFields::default());
            }
            None => out.extend_from_slice(b"null"),
        }
        if state.is_default() {
            out.extend_from_slice(&DEFAULT_STATE);
        } else {
            append_fields(out, &state);
        }
        if let ListFields { reason: None, reposters: None } = fields {
            out.extend_from_slice(&DEFAULT_LIST_FIELDS);
        } else {
            append_fields(out, fields);
        }
        out.push(b'}');
    }
}

/// The viewer-dependent fields of a post with which the viewer has not interacted, as most are.
static DEFAULT_STATE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut json = Vec::new();
    append_fields(&mut json, &ViewerState::default());
    json
});
/// The list's fields of a post in a list that sets none.
static DEFAULT_LIST_FIELDS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut json = Vec::new();
    append_fields(&mut json, &ListFields::default());
    json
});

/// A post to show to the viewer.
#[derive(Clone, Copy)]
pub(super) struct VisiblePost<'a> {
    pub(super) post: &'a CachedPost,
    /// The reposted post.
    pub(super) original: Option<&'a CachedPost>,
    /// Whether to show only a tombstone.
    pub(super) is_hidden: bool,
}

/// Approximate bytes of a tombstone.
const HIDDEN_BYTES: usize = 600;
/// Approximate bytes of the viewer-dependent fields, without the poll and the parent.
const STATE_BYTES: usize = 350;
/// Approximate bytes of a listed voter.
const VOTER_BYTES: usize = 14;

impl VisiblePost<'_> {
    /// Estimates the bytes of the serialised post.
    pub(super) fn bytes(&self) -> usize {
        if self.is_hidden {
            return HIDDEN_BYTES;
        }
        let options = self.post.poll.iter().flat_map(|(options, votes)| options.iter().zip(votes));
        // Each option appears twice: with its voters and with its count.
        let option_bytes = options.map(|(option, votes)| {
            2 * option.len() + VOTER_BYTES * poll_results::count_listed(*votes)
        });
        let reply_to_json = self.post.reply_to_json.as_ref();
        let reply_to_json = reply_to_json.map_or(0, |json| json.get().len());
        self.post.json.len() + STATE_BYTES + reply_to_json + option_bytes.sum::<usize>()
    }
}

/// Appends the fields of a struct to the JSON object that `out` ends with, without closing it.
fn append_fields(out: &mut Vec<u8>, fields: &impl Serialize) {
    let brace = out.len();
    write_json(out, fields);
    out[brace] = b',';
    out.pop();
}

/// Writes a value as JSON.
pub(super) fn write_json(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(out, value)
        .unwrap_or_else(|_| unreachable!("plain values are JSON, and a Vec takes all bytes"));
}
