//! Writes posts and the tables that list them.

use super::NetworkWriter;
use crate::features::{media, posts};
use crate::ops::demo::network::{DemoEntry, EntryKind};
use crate::platform::clock::DAY;
use crate::platform::ids::Id;
use kith_db::{Result, params};

const POST: &[&str] = &[
    "id",
    "author_id",
    "content",
    "reply_to_id",
    "reply_to_author_id",
    "root_id",
    "repost_of_id",
    "mentions",
    "images",
    "poll_options",
    "poll_expires_at",
    "like_count",
    "repost_count",
    "reply_count",
    "hashtags",
    "people_count",
    "rank",
];
const AUTHOR_POST: &[&str] =
    &["author_id", "id", "kind", "media", "reply_to_author_id", "repost_of_id"];
/// Entries between two reports of the progress.
const PROGRESS_STEP: usize = 1_000;

struct Counts {
    likes: Vec<u32>,
    reposts: Vec<u32>,
    replies: Vec<u32>,
    people: Vec<u32>,
}

/// Text of an entry, with its mentions, hashtags and images as JSON.
#[derive(Default)]
struct EntryText {
    content: String,
    mentions: Option<String>,
    hashtags: Option<String>,
    images: Option<String>,
}

impl NetworkWriter<'_> {
    fn count_by_entry(&self) -> Counts {
        let entries = &self.network.entries;
        let none = vec![0; entries.len()];
        let mut counts = Counts {
            likes: none.clone(),
            reposts: none.clone(),
            replies: none.clone(),
            people: none,
        };
        let mut people = Vec::new();
        for like in &self.network.likes {
            counts.likes[like.entry as usize] += 1;
            people.push((like.entry, like.member));
        }
        for entry in entries.iter().filter(|entry| entry.kind != EntryKind::Post) {
            let count = match entry.kind {
                EntryKind::Reply => &mut counts.replies,
                _ => &mut counts.reposts,
            };
            count[entry.about as usize] += 1;
            people.push((entry.about, entry.author));
        }
        people.sort_unstable();
        people.dedup();
        for (entry, member) in people {
            let is_author = entries[entry as usize].author == member;
            counts.people[entry as usize] += u32::from(!is_author);
        }
        counts
    }

    /// Writes all entries, and collects their hashtags and mentions.
    pub(super) fn write_posts(&mut self, progress: &mut dyn FnMut(usize)) -> Result<()> {
        let counts = self.count_by_entry();
        let network = self.network;
        for (first, entries) in network.entries.chunks(PROGRESS_STEP).enumerate() {
            let first = first * PROGRESS_STEP;
            let texts = (first..first + entries.len()).map(|number| self.build_text(number as u32));
            let texts = texts.collect::<Vec<_>>();
            let mut rows = self.loader.rows("posts", POST)?;
            for (nth, (entry, text)) in entries.iter().zip(&texts).enumerate() {
                let number = first + nth;
                let about = |kind| (entry.kind == kind).then(|| self.entry_id(entry.about));
                let is_reply = entry.kind == EntryKind::Reply;
                let people = counts.people[number];
                let rank = (entry.kind == EntryKind::Post)
                    .then(|| posts::compute_rank(Id(entry.id), i64::from(people)));
                let options = (entry.options > 0).then(|| {
                    let options = self.content.options(number as u32);
                    to_json(&options[..usize::from(entry.options)])
                });
                rows.add(params![
                    entry.id,
                    self.member_id(entry.author),
                    &text.content,
                    about(EntryKind::Reply),
                    is_reply.then(|| self.author_id(entry.about)),
                    is_reply.then(|| self.entry_id(entry.root)),
                    about(EntryKind::Repost),
                    text.mentions.as_deref(),
                    text.images.as_deref(),
                    options.as_deref(),
                    (entry.options > 0).then(|| Id(entry.id).time() + DAY),
                    counts.likes[number],
                    counts.reposts[number],
                    counts.replies[number],
                    text.hashtags.as_deref(),
                    people,
                    rank,
                ])?;
            }
            progress(first + entries.len());
        }
        Ok(())
    }

    fn build_text(&mut self, number: u32) -> EntryText {
        let entry = self.network.entries[number as usize];
        let mut text = EntryText::default();
        if entry.kind == EntryKind::Repost {
            return text;
        }
        text.content = self.content.text(number, &self.usernames);
        if text.content.contains('@') {
            let mut found = kith_text::find_mentions(&text.content);
            found.retain(|mention| self.members_by_username.contains_key(&mention.username));
            let mut members = found
                .iter()
                .map(|mention| self.members_by_username[&mention.username])
                .collect::<Vec<_>>();
            members.sort_unstable();
            members.dedup();
            let members = members.into_iter().map(|member| (number, member));
            self.mentions.extend(members);
            text.mentions = (!found.is_empty()).then(|| to_json(&found));
        }
        if text.content.contains('#') {
            let found = kith_text::find_hashtags(&text.content);
            text.hashtags = (!found.is_empty()).then(|| to_json(&found));
            let tags = found.into_iter().map(|found| (found.tag, number));
            self.tags.extend(tags);
        }
        text.images = self.images_json(number, &entry);
        text
    }

    fn images_json(&mut self, number: u32, entry: &DemoEntry) -> Option<String> {
        let shown = self.content.images_of_entry(number);
        if shown.is_empty() {
            return None;
        }
        let images = self.content.images();
        let mut list = Vec::<media::Image>::new();
        for (image, alt) in shown {
            self.record_use(self.member_id(entry.author), entry.id, image);
            list.push(images[image].stored.with_alt(alt));
        }
        Some(to_json(&list))
    }

    pub(super) fn write_author_posts(&self) -> Result<()> {
        let entries = &self.network.entries;
        let mut numbers = (0..entries.len() as u32).collect::<Vec<_>>();
        numbers.sort_unstable_by_key(|number| (entries[*number as usize].author, *number));
        let mut rows = self.loader.rows("author_posts", AUTHOR_POST)?;
        for number in numbers {
            let entry = &entries[number as usize];
            let is_reply = entry.kind == EntryKind::Reply;
            let is_repost = entry.kind == EntryKind::Repost;
            let has_images = !is_repost && !self.content.images_of_entry(number).is_empty();
            rows.add(params![
                self.member_id(entry.author),
                entry.id,
                entry.kind as i64,
                i64::from(has_images),
                is_reply.then(|| self.author_id(entry.about)),
                is_repost.then(|| self.entry_id(entry.about)),
            ])?;
        }
        Ok(())
    }

    pub(super) fn write_tags(&mut self) -> Result<()> {
        let mut tags = std::mem::take(&mut self.tags);
        tags.sort_unstable();
        tags.dedup();
        let mut rows = self.loader.rows("tag_posts", &["tag", "id", "author_id"])?;
        for (tag, number) in &tags {
            rows.add(params![tag, self.entry_id(*number), self.author_id(*number)])?;
        }
        Ok(())
    }

    pub(super) fn write_replies(&self) -> Result<()> {
        let entries = self.network.entries.iter();
        let mut replies = entries
            .filter(|entry| entry.kind == EntryKind::Reply)
            .map(|entry| (self.entry_id(entry.about), entry.id, self.member_id(entry.author)))
            .collect::<Vec<_>>();
        replies.sort_unstable();
        let mut rows = self.loader.rows("replies", &["post_id", "id", "author_id"])?;
        for (post, id, author) in replies {
            rows.add(params![post, id, author])?;
        }
        Ok(())
    }
}

fn to_json(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| unreachable!("lists of plain values are JSON"))
}
