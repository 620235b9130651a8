//! Draws the activity of a demo: posts, replies, reposts, likes and votes, in order of time.

use super::community::{AGE, Community, topic_of};
use super::network::{DemoEntry, EntryKind, Interaction, id_at};
use super::random::{self, seeded_rng};
use crate::platform::clock::{DAY, HOUR, MINUTE, Millis};
use crate::platform::ids::Id;
use fastrand::Rng;
use std::collections::HashSet;

/// Replies per 100 entries.
const REPLIES: u32 = 42;
/// Reposts per 100 entries.
const REPOSTS: u32 = 6;
/// Polls per 1,000 posts.
const POLLS: u32 = 35;
/// Posts with images per 1,000 posts.
const WITH_IMAGES: u32 = 90;
/// Posts that mention another member, per 1,000 posts.
const MENTIONS: u32 = 40;
/// Exponent of the long-tailed number of likes per post.
const LIKES_EXPONENT: f64 = 1.5;
/// Relative activity by hour of the day, in UTC.
const HOURS: [u32; 24] =
    [2, 1, 1, 1, 2, 4, 10, 18, 22, 20, 18, 20, 26, 22, 18, 18, 20, 24, 30, 36, 38, 30, 18, 7];

/// Form of an entry's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    Post,
    /// A post that mentions a member.
    Mention(u32),
    /// A question with options.
    Poll,
    /// A post with this number of images.
    Images(u8),
    Reply,
    /// A reply that fits any post.
    Remark,
    /// A reply of a thread's author in their own thread.
    AuthorReply,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TextSpec {
    pub(super) form: TextForm,
    /// Index of the topic.
    pub(super) topic: u16,
    /// Number of earlier texts of this form and topic.
    pub(super) nth: u32,
}

/// Entries drawn so far.
struct ActivityGenerator<'a> {
    community: &'a Community,
    entries: Vec<DemoEntry>,
    specs: Vec<TextSpec>,
    /// Number of texts by topic and form.
    counts: Vec<[u32; 6]>,
    reposted: HashSet<(u32, u32)>,
}

/// Draws all activity in a community and returns the text specification of each entry.
pub(super) fn draw_activity(seed: u64, posts: usize, community: &mut Community) -> Vec<TextSpec> {
    let mut generator = ActivityGenerator {
        community,
        entries: Vec::with_capacity(posts),
        specs: Vec::with_capacity(posts),
        counts: vec![[0; 6]; super::topics::ALL.len()],
        reposted: HashSet::new(),
    };
    let mut rng = seeded_rng(seed, 3);
    let times = draw_times(generator.community, posts);
    let mean_age = (posts as f64 / (AGE / DAY) as f64 / 3.0).clamp(6.0, 400.0);
    for (number, time) in times.into_iter().enumerate() {
        generator.add_entry(&mut rng, number, time, mean_age);
    }
    let ActivityGenerator { entries, specs, .. } = generator;
    community.network.entries = entries;
    community.network.likes = draw_likes(seed, community);
    community.network.votes = draw_votes(seed, community);
    specs
}

/// Draws the times of entries: more in the daytime, and more as the community grows.
fn draw_times(community: &Community, posts: usize) -> Vec<Millis> {
    let until = community.network.until;
    let start = until - AGE + 2 * HOUR;
    let hours = (until - 2 * MINUTE - start) / HOUR;
    let mut total = 0.0;
    let mut sums = Vec::new();
    for hour in 0..hours {
        let time = start + hour * HOUR;
        let hour_of_day = (time / HOUR).rem_euclid(24) as usize;
        let joined = community.network.ids.partition_point(|id| Id(*id).time() < time);
        total += f64::from(HOURS[hour_of_day]) * joined as f64;
        sums.push(total);
    }
    let mut hour = 0;
    let time = |number: usize| {
        let at = total * (number as f64 + 0.5) / posts as f64;
        while sums[hour] < at && hour + 1 < sums.len() {
            hour += 1;
        }
        let before = if hour == 0 { 0.0 } else { sums[hour - 1] };
        let fraction = (at - before) / (sums[hour] - before).max(1e-9);
        start + hour as Millis * HOUR + (fraction.clamp(0.0, 1.0) * HOUR as f64) as Millis
    };
    (0..posts).map(time).collect()
}

impl ActivityGenerator<'_> {
    fn add_entry(&mut self, rng: &mut Rng, number: usize, time: Millis, mean_age: f64) {
        let author = self.community.random_member_at(rng, time);
        let mut entry = DemoEntry::post(id_at(time, number), author, number as u32);
        let chance = rng.u32(..100);
        let target = self.choose_recent(rng, mean_age);
        match target {
            Some(target) if chance < REPLIES => {
                let root = self.entries[target as usize].root;
                entry.reply_to(target, root);
                entry.author = self.choose_replier(rng, target, author, time);
            }
            Some(target) if chance < REPLIES + REPOSTS => {
                // Only the first post of a thread is reposted.
                let root = self.entries[target as usize].root;
                let first = self.entries[root as usize];
                if first.author != author && self.reposted.insert((root, author)) {
                    entry.kind = EntryKind::Repost;
                    entry.about = root;
                }
            }
            _ => {}
        }
        let spec = self.choose_text(rng, &mut entry, time);
        self.entries.push(entry);
        self.specs.push(spec);
    }

    /// Chooses a recent post or reply. `mean_age` is the mean of its distance from the end, in entries.
    fn choose_recent(&self, rng: &mut Rng, mean_age: f64) -> Option<u32> {
        let age = (-mean_age * (1.0 - rng.f64()).ln()) as usize + 1;
        let number = self.entries.len().checked_sub(age)?;
        let entry = self.entries[number];
        match entry.kind {
            EntryKind::Repost => Some(entry.about),
            // Half of the replies in a thread are to its first post.
            EntryKind::Reply if rng.bool() => Some(entry.root),
            _ => Some(number as u32),
        }
    }

    /// Chooses the author of a reply: often the author of the entry before it, or a follower of the entry's author.
    fn choose_replier(&self, rng: &mut Rng, target: u32, other: u32, time: Millis) -> u32 {
        let entry = self.entries[target as usize];
        let before = self.entries[entry.about as usize].author;
        let followers = &self.community.followers[entry.author as usize];
        let chosen = match rng.u32(..10) {
            0..=3 if entry.kind == EntryKind::Reply => before,
            0..=7 if !followers.is_empty() => followers[rng.usize(..followers.len())],
            _ => other,
        };
        let fits = |member: u32| member != entry.author && self.community.had_joined(member, time);
        // The founder joined first, so the fallback may reply to any entry, their own included.
        [chosen, other].into_iter().find(|member| fits(*member)).unwrap_or(0)
    }

    fn choose_text(&mut self, rng: &mut Rng, entry: &mut DemoEntry, time: Millis) -> TextSpec {
        let (form, topic) = if entry.kind == EntryKind::Post {
            let topic = topic_of(entry.author, rng.u32(..3) == 0);
            let chance = rng.u32(..1_000);
            let form = if chance < POLLS {
                TextForm::Poll
            } else if chance < POLLS + WITH_IMAGES {
                TextForm::Images(*[1, 1, 1, 1, 2, 3, 4].get(rng.usize(..7)).unwrap_or(&1))
            } else if chance < POLLS + WITH_IMAGES + MENTIONS {
                self.mention(rng, entry.author, time)
            } else {
                TextForm::Post
            };
            (form, topic)
        } else {
            let root = self.entries[entry.root.min(entry.about) as usize];
            let topic = self.specs[root.root as usize].topic;
            let form = match self.specs[root.root as usize].form {
                _ if root.author == entry.author => TextForm::AuthorReply,
                TextForm::Images(_) | TextForm::Mention(_) => TextForm::Remark,
                _ => TextForm::Reply,
            };
            (form, usize::from(topic))
        };
        let slot = match form {
            TextForm::Post => 0,
            TextForm::Mention(_) => 1,
            TextForm::Poll => 2,
            TextForm::Images(_) => 3,
            TextForm::Reply | TextForm::Remark => 4,
            TextForm::AuthorReply => 5,
        };
        let nth = self.counts[topic][slot];
        if entry.kind != EntryKind::Repost {
            self.counts[topic][slot] += 1;
        }
        if form == TextForm::Poll {
            let polls = &super::topics::ALL[topic].polls;
            entry.options = polls[nth as usize % polls.len()].1.len() as u8;
        }
        TextSpec { form, topic: topic as u16, nth }
    }

    fn mention(&self, rng: &mut Rng, author: u32, time: Millis) -> TextForm {
        let other = self.community.random_member_at(rng, time);
        if other == author { TextForm::Post } else { TextForm::Mention(other) }
    }
}

/// Draws distinct members who interact with an entry, sorted, without its author.
fn draw_members_at(
    community: &Community,
    rng: &mut Rng,
    entry: DemoEntry,
    count: usize,
) -> Vec<u32> {
    let time = Id(entry.id).time();
    let followers = &community.followers[entry.author as usize];
    let draw_one = |_| match rng.u32(..4) {
        0..=2 if !followers.is_empty() => followers[rng.usize(..followers.len())],
        _ => community.random_member(rng),
    };
    let mut members = (0..count)
        .map(draw_one)
        .filter(|member| *member != entry.author && community.had_joined(*member, time))
        .collect::<Vec<_>>();
    members.sort_unstable();
    members.dedup();
    members
}

fn draw_likes(seed: u64, community: &Community) -> Vec<Interaction> {
    let mut rng = seeded_rng(seed, 4);
    let network = &community.network;
    let limit = (network.ids.len() / 3).max(3);
    // In a small community most members read every post.
    let min_likes = if network.ids.len() < 1_000 { 2.2 } else { 1.0 };
    let mut likes = Vec::new();
    for (number, entry) in network.entries.iter().enumerate() {
        if entry.kind == EntryKind::Repost {
            continue;
        }
        let count = (random::long_tail_count(&mut rng, min_likes, LIKES_EXPONENT) - 1).min(limit);
        let written = Id(entry.id).time();
        let max_delay = (network.until - written - 1).min(2 * DAY);
        for member in draw_members_at(community, &mut rng, *entry, count) {
            // Most likes follow soon after the post.
            let delay = rng.f64().powi(4) * max_delay as f64;
            let time = written + 1 + delay as Millis;
            likes.push(Interaction {
                entry: number as u32,
                member,
                value: id_at(time, likes.len()),
            });
        }
    }
    likes
}

fn draw_votes(seed: u64, community: &Community) -> Vec<Interaction> {
    let mut rng = seeded_rng(seed, 5);
    let network = &community.network;
    let limit = network.ids.len() / 2;
    let mut votes = Vec::new();
    for (number, entry) in network.entries.iter().enumerate() {
        if entry.options == 0 {
            continue;
        }
        let count = random::long_tail_count(&mut rng, 7.0, LIKES_EXPONENT).min(limit);
        for member in draw_members_at(community, &mut rng, *entry, count) {
            let option = random::power_law_index(&mut rng, usize::from(entry.options));
            votes.push(Interaction { entry: number as u32, member, value: option as i64 });
        }
    }
    votes
}
