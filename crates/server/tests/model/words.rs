//! Texts, search terms and names of the members, and the model's rules for them.

use crate::calendar::{DAY, MINUTE, Millis};
use crate::model::{Hashtag, Mention, Model};
use serde_json::{Value, json};
use std::cmp::Reverse;

/// Beginnings of texts.
pub(crate) const WORDS: [&str; 5] = ["hello", "👋", "é", "two\nlines", "@unknown_user"];
/// Hashtags as typed.
pub(crate) const TAGS: [&str; 16] = [
    "#WebDev",
    "#webdev",
    "#AI",
    "#Ai",
    "#BuildInPublic",
    "#Design",
    "#react",
    "#rust",
    "#RUST",
    "#Rust",
    "#Café",
    "#CAFE",
    "#日本語",
    "#loud",
    "#y2026",
    "#2026",
];
/// Tags in the URL of their list, and normalized.
pub(crate) const ASKED_TAGS: [(&str, &str); 8] = [
    ("webdev", "webdev"),
    ("%23RUST", "rust"),
    ("caf%C3%A9", "cafe"),
    ("loud", "loud"),
    ("WebDev", "webdev"),
    ("%E6%97%A5%E6%9C%AC%E8%AA%9E", "日本語"),
    ("cafe", "cafe"),
    ("Y2026", "y2026"),
];
/// The pinned topics with their descriptions.
const TOPICS: [(&str, &str); 6] = [
    ("WebDev", "Technology"),
    ("UIDesign", "Design"),
    ("BuildInPublic", "Startups"),
    ("AI", "Technology"),
    ("React", "Programming"),
    ("Design", "Creative"),
];
/// Display names.
pub(crate) const SHOWN: [&str; 12] = [
    "Ada Lovelace",
    "ADA",
    "Zoë Müller-Strauß",
    "  Émile   Zola ",
    "bob",
    "Bob the Builder",
    "日本 太郎",
    "x",
    "Name 7",
    "New member",
    "The Cat_9 Ö",
    "a%b'c",
];
/// Search terms.
pub(crate) const TERMS: [&str; 26] = [
    "ada",
    "ADA",
    "a",
    "B",
    "@bob",
    "ob",
    "member",
    "Member_",
    "new M",
    "zoë",
    "MULL",
    "er-st",
    "strauss",
    "  emile  zola ",
    "Z",
    "e",
    "日本",
    "太",
    "本",
    "郎",
    "name 7",
    "%",
    "_",
    "founder",
    "no one at all",
    " @ ",
];

/// Names and tags folded for comparison: without case and accents.
pub(crate) fn folded(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.to_lowercase().chars() {
        match letter {
            'é' | 'ë' => plain.push('e'),
            'ö' => plain.push('o'),
            'ü' => plain.push('u'),
            'ß' => plain.push_str("ss"),
            other => plain.push(other),
        }
    }
    plain
}

/// Words with their positions in the text, in UTF-16 units.
fn placed(words: &[String]) -> Vec<(&str, usize, usize)> {
    let mut start = 0;
    let mut found = Vec::new();
    for word in words {
        let end = start + word.encode_utf16().count();
        found.push((word.as_str(), start, end));
        start = end + 1;
    }
    found
}

/// The hashtags among the words; numbers are not tags.
pub(crate) fn hashtags(words: &[String]) -> Vec<Hashtag> {
    let mut found = Vec::new();
    for (word, start, end) in placed(words) {
        if let Some(written) = word.strip_prefix('#')
            && written.chars().any(char::is_alphabetic)
        {
            let tag = folded(written);
            found.push(Hashtag { tag, start, end });
        }
    }
    found
}

impl Model {
    /// The members mentioned by the words.
    pub(crate) fn mentions(&self, words: &[String]) -> Vec<Mention> {
        let mut found = Vec::new();
        for (word, start, end) in placed(words) {
            if let Some(name) = word.strip_prefix('@')
                && let Some(member) = self.named(name)
            {
                let name = name.to_owned();
                found.push(Mention { member, name, start, end });
            }
        }
        found
    }

    /// Posts and replies with a tag that are not deleted, newest first.
    fn all_tagged(&self, tag: &str) -> Vec<usize> {
        self.newest(|post| post.hashtags.iter().any(|hashtag| hashtag.tag == tag))
    }

    /// Posts with a tag that the viewer's list shows.
    pub(crate) fn tagged(&self, viewer: usize, tag: &str) -> Vec<usize> {
        let mut list = self.all_tagged(tag);
        list.retain(|post| !self.hides(viewer, self.posts[*post].author));
        list
    }

    /// Trending topics, counted again after a minute.
    pub(crate) fn trending(&mut self) -> Vec<Value> {
        let lately = |(at, _): &(Millis, Vec<Value>)| self.now < at + MINUTE;
        let known = self.trends.take().filter(lately);
        let known = known.unwrap_or_else(|| (self.now, self.topics()));
        self.trends.insert(known).1.clone()
    }

    /// The pinned topics, then tags of the last 7 days: by members, then by posts, then by the newest post.
    fn topics(&self) -> Vec<Value> {
        let lately = |tag: &str| {
            let mut posts = self.all_tagged(tag);
            posts.retain(|post| self.posts[*post].at >= self.now - 7 * DAY);
            posts
        };
        let mut listed = Vec::new();
        for (name, category) in TOPICS {
            let count = lately(&folded(name)).len();
            listed.push(json!({"tag": name, "category": category, "postCount": count}));
        }
        let mut ranked = Vec::new();
        for tag in self.unpinned_tags() {
            let posts = lately(&tag);
            let mut people = posts.iter().map(|post| self.posts[*post].author).collect::<Vec<_>>();
            people.sort_unstable();
            people.dedup();
            if let Some(newest) = posts.first() {
                ranked.push((Reverse((people.len(), posts.len(), *newest)), tag));
            }
        }
        ranked.sort();
        for (Reverse((_, count, _)), tag) in ranked {
            listed.push(json!({"tag": tag, "category": null, "postCount": count}));
        }
        listed
    }

    fn unpinned_tags(&self) -> Vec<String> {
        let hashtags = self.posts.iter().flat_map(|post| &post.hashtags);
        let mut tags = hashtags.map(|hashtag| hashtag.tag.clone()).collect::<Vec<_>>();
        tags.sort();
        tags.dedup();
        tags.retain(|tag| TOPICS.iter().all(|(name, _)| folded(name) != *tag));
        tags
    }
}
