//! Loads the demo's texts from the files in `data/`. `{a}` and `{b}` are placeholders for the topic's words.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::LazyLock;

#[derive(Debug, Deserialize)]
pub(super) struct Topic {
    /// Hashtags, without the #.
    pub(super) tags: [String; 2],
    /// Bios of members with this topic.
    pub(super) bios: Vec<String>,
    pub(super) posts: Vec<String>,
    /// Replies to posts on this topic.
    pub(super) replies: Vec<String>,
    /// Words for `{a}`.
    pub(super) a: Vec<String>,
    /// Words for `{b}`.
    pub(super) b: Vec<String>,
    /// Polls: a question and its options.
    pub(super) polls: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Phrases {
    /// Beginnings of replies.
    pub(super) openers: Vec<String>,
    /// Replies of a thread's author in their own thread.
    pub(super) answers: Vec<String>,
    /// Optional second sentences of posts.
    pub(super) tails: Vec<String>,
    /// Posts that mention another member at `{who}`.
    pub(super) mentions: Vec<String>,
    /// The second part of bios.
    pub(super) jobs: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PhotoTexts {
    /// Prefix of the photos' file names.
    pub(super) subject: String,
    pub(super) captions: Vec<String>,
    pub(super) descriptions: Vec<String>,
}

/// All topics, in the order in which they are assigned to members.
pub(super) static ALL: LazyLock<Vec<Topic>> =
    LazyLock::new(|| read(include_str!("data/topics.json")));
pub(super) static PHRASES: LazyLock<Phrases> =
    LazyLock::new(|| read(include_str!("data/phrases.json")));
pub(super) static PHOTOS: LazyLock<Vec<PhotoTexts>> =
    LazyLock::new(|| read(include_str!("data/photos.json")));

/// Parses an embedded file of `data/`.
pub(super) fn read<T: DeserializeOwned>(json: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| unreachable!("data of the demo: {error}"))
}
