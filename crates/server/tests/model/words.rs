//! The words that members write, look for and call themselves, and the model's rules for them.

use crate::calendar::{DAY, MINUTE, Millis};
use crate::model::{Hashtag, Mention, Model};
use serde_json::{Value, json};
use std::cmp::Reverse;

/// What a text begins with.
pub(crate) const WORDS: [&str; 5] = ["hello", "👋", "é", "two\nlines", "@nobody_here"];
/// Tags as people write them.
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
/// Ways to ask for posts with a tag, as they stand in an address, and the tag as tags are compared.
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
/// The house's topics and what they are about.
const TOPICS: [(&str, &str); 6] = [
    ("WebDev", "Technology"),
    ("UIDesign", "Design"),
    ("BuildInPublic", "Startups"),
    ("AI", "Technology"),
    ("React", "Programming"),
    ("Design", "Creative"),
];
/// Names to be shown.
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
/// What members look for.
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
    "nobody at all",
    " @ ",
];

/// As names and tags are compared: without case and accents.
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

/// Words and where they stand in their text, in UTF-16 units.
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

/// The tags among words. A number is none.
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
    /// The members among words.
    pub(crate) fn mentions(&self, words: &[String]) -> Vec<Mention> {
        let mut found = Vec::new();
        for (word, start, end) in placed(words) {
            if let Some(name) = word.strip_prefix('@')
                && let Some(member) = self.named(name)
            {
                let name = name.to_owned();
                found.push(Mention {
                    member,
                    name,
                    start,
                    end,
                });
            }
        }
        found
    }

    /// Living posts and replies with a tag, newest first.
    fn all_tagged(&self, tag: &str) -> Vec<usize> {
        self.newest(|post| post.hashtags.iter().any(|hashtag| hashtag.tag == tag))
    }

    /// Those of them that a reader's list shows.
    pub(crate) fn tagged(&self, reader: usize, tag: &str) -> Vec<usize> {
        let mut list = self.all_tagged(tag);
        list.retain(|post| !self.hides(reader, self.posts[*post].author));
        list
    }

    /// What trends, counted anew unless that was less than a minute ago.
    pub(crate) fn trending(&mut self) -> Vec<Value> {
        let lately = |(at, _): &(Millis, Vec<Value>)| self.now < at + MINUTE;
        let known = self.trends.take().filter(lately);
        let known = known.unwrap_or_else(|| (self.now, self.topics()));
        self.trends.insert(known).1.clone()
    }

    /// The house's topics, then the others of the last 7 days: those that most people use first, then
    /// those in most posts, then those in the newest post.
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
        for tag in self.tags_besides_the_house() {
            let posts = lately(&tag);
            let mut people = posts
                .iter()
                .map(|post| self.posts[*post].author)
                .collect::<Vec<_>>();
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

    fn tags_besides_the_house(&self) -> Vec<String> {
        let hashtags = self.posts.iter().flat_map(|post| &post.hashtags);
        let mut tags = hashtags
            .map(|hashtag| hashtag.tag.clone())
            .collect::<Vec<_>>();
        tags.sort();
        tags.dedup();
        tags.retain(|tag| TOPICS.iter().all(|(name, _)| folded(name) != *tag));
        tags
    }
}
