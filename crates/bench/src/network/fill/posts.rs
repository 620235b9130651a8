//! Posts with their texts, and the lists in which they are found.

use super::Fill;
use crate::network::draw::source;
use crate::network::story::{Entry, Kind};
use crate::network::words;
use anyhow::Result;
use kith::clock::DAY;
use kith::ids::Id;
use kith::posts::{self, Mention};

const POST: &str = "insert into posts (id, author_id, content, reply_to_id, reply_to_author_id, \
    root_id, repost_of_id, mentions, poll_options, poll_expires_at, like_count, repost_count, \
    reply_count, hashtags, people_count, rank) \
    values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
const AUTHOR_POST: &str = "insert into author_posts (author_id, id, kind, media, \
    reply_to_author_id, repost_of_id) values (?1, ?2, ?3, 0, ?4, ?5)";
/// Of a hundred texts, so many name somebody first.
const MENTIONS: u32 = 6;
/// And so many end with a hashtag or two.
const TAGGED: u32 = 12;

/// What is counted of each entry, by number.
struct Counts {
    likes: Vec<u32>,
    reposts: Vec<u32>,
    replies: Vec<u32>,
    people: Vec<u32>,
}

/// A text with what was found in it, as JSON.
struct Text {
    content: String,
    mentions: Option<String>,
    hashtags: Option<String>,
}

impl Fill<'_> {
    fn counts_of_entries(&self) -> Counts {
        let entries = &self.story.entries;
        let none = vec![0; entries.len()];
        let mut counts = Counts {
            likes: none.clone(),
            reposts: none.clone(),
            replies: none.clone(),
            people: none,
        };
        let mut people = Vec::new();
        for like in &self.story.likes {
            counts.likes[like.entry as usize] += 1;
            people.push((like.entry, like.member));
        }
        for repost in &self.story.reposts {
            counts.reposts[repost.entry as usize] += 1;
            people.push((repost.entry, repost.member));
        }
        for entry in entries.iter().filter(|entry| entry.kind == Kind::Reply) {
            counts.replies[entry.about as usize] += 1;
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

    /// Every entry; what its text names is kept for later.
    pub(super) fn posts(&mut self) -> Result<()> {
        let counts = self.counts_of_entries();
        let (mut tags, mut mentions) = (Vec::new(), Vec::new());
        let mut insert = self.conn.prepare(POST)?;
        for (number, entry) in self.story.entries.iter().enumerate() {
            let text = self.text(number as u32, entry, &mut tags, &mut mentions);
            let about = |kind| (entry.kind == kind).then(|| self.entry(entry.about));
            let answered = (entry.kind == Kind::Reply).then(|| self.author(entry.about));
            let people = counts.people[number];
            let rank =
                (entry.kind == Kind::Post).then(|| posts::rank(Id(entry.id), i64::from(people)));
            let options = (entry.options > 0).then(|| self.options(number as u32, entry));
            insert.execute(rusqlite::params![
                entry.id,
                self.member(entry.author),
                text.content,
                about(Kind::Reply),
                answered,
                (entry.kind == Kind::Reply).then(|| self.entry(entry.root)),
                about(Kind::Repost),
                text.mentions,
                options,
                (entry.options > 0).then(|| Id(entry.id).time() + DAY),
                counts.likes[number],
                counts.reposts[number],
                counts.replies[number],
                text.hashtags,
                people,
                rank,
            ])?;
        }
        drop(insert);
        (self.tags, self.mentions) = (tags, mentions);
        Ok(())
    }

    /// The id of an entry's author.
    fn author(&self, entry: u32) -> i64 {
        self.member(self.story.entries[entry as usize].author)
    }

    /// A text that depends on the seed and the entry's number alone.
    fn text(
        &self,
        number: u32,
        entry: &Entry,
        tags: &mut Vec<(String, u32)>,
        mentions: &mut Vec<(u32, u32)>,
    ) -> Text {
        let mut text = Text {
            content: String::new(),
            mentions: None,
            hashtags: None,
        };
        if entry.kind == Kind::Repost {
            return text;
        }
        let mut rng = source(self.people.size.seed, 1_000 + u64::from(number));
        text.content = words::text(&mut rng);
        let chance = rng.u32(..100);
        if chance < MENTIONS {
            let member = self.people.somebody(&mut rng);
            let username = self.usernames[member as usize].clone();
            text.content = format!("@{username} {}", text.content);
            let end = username.len() + 1;
            let named = [Mention {
                username,
                start: 0,
                end,
            }];
            text.mentions = Some(json(&named));
            mentions.push((number, member));
        } else if chance < MENTIONS + TAGGED {
            for _ in 0..rng.usize(1..=2) {
                text.content.push_str(" #");
                text.content.push_str(words::topic(&mut rng));
            }
            let found = posts::hashtags_of(&text.content);
            text.hashtags = Some(json(&found));
            tags.extend(found.into_iter().map(|found| (found.tag, number)));
        }
        text
    }

    fn options(&self, number: u32, entry: &Entry) -> String {
        let mut rng = source(self.people.size.seed, u64::MAX - u64::from(number));
        json(&words::options(&mut rng, usize::from(entry.options)))
    }

    /// Every author's entries.
    pub(super) fn author_posts(&self) -> Result<()> {
        let entries = &self.story.entries;
        let mut numbers = (0..entries.len() as u32).collect::<Vec<_>>();
        numbers.sort_unstable_by_key(|number| (entries[*number as usize].author, *number));
        let mut insert = self.conn.prepare(AUTHOR_POST)?;
        for number in numbers {
            let entry = &entries[number as usize];
            let answered = (entry.kind == Kind::Reply).then(|| self.author(entry.about));
            let original = (entry.kind == Kind::Repost).then(|| self.entry(entry.about));
            let author = self.member(entry.author);
            insert.execute((author, entry.id, entry.kind as i64, answered, original))?;
        }
        Ok(())
    }

    /// Which entries carry which tag.
    pub(super) fn tags(&mut self) -> Result<()> {
        let mut tags = std::mem::take(&mut self.tags);
        tags.sort_unstable();
        tags.dedup();
        let insert = "insert into tag_posts (tag, id, author_id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for (tag, number) in tags {
            insert.execute((tag, self.entry(number), self.author(number)))?;
        }
        Ok(())
    }

    /// Which entries answer which.
    pub(super) fn replies(&self) -> Result<()> {
        let entries = &self.story.entries;
        let mut replies = entries
            .iter()
            .filter(|entry| entry.kind == Kind::Reply)
            .map(|entry| (self.entry(entry.about), entry.id, self.member(entry.author)))
            .collect::<Vec<_>>();
        replies.sort_unstable();
        let insert = "insert into replies (post_id, id, author_id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for row in replies {
            insert.execute(row)?;
        }
        Ok(())
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| unreachable!("lists of plain values are JSON"))
}
