//! Activity of the members: posts, replies, reposts, likes and poll votes in order of time.

use super::graph::{AGE, SocialGraph};
use fastrand::Rng;
use kith::ops::demo::{DemoEntry, EntryKind, Interaction, id_at, long_tail_count, seeded_rng};
use kith::platform::clock::{DAY, MINUTE, Millis, SECOND};
use kith::platform::ids::Id;
use std::collections::HashSet;

/// Percentage of entries that are replies.
const REPLY_PERCENT: u32 = 30;
/// Percentage of entries that are reposts.
const REPOST_PERCENT: u32 = 6;
/// Percentage of posts that are polls.
const POLL_PERCENT: u32 = 2;
/// Exponent of the power law of likes; 1.5 gives about 1.5 likes per post.
const LIKES_EXPONENT: f64 = 1.5;
/// Mean distance, in entries, between a reply or repost and its post.
const MEAN_DISTANCE: f64 = 400.0;
/// Number of posts in the thread that a run opens.
pub(super) const THREAD_POSTS: usize = 50;

/// Everything that the members did.
#[derive(Debug)]
pub(super) struct Activity {
    /// Entries by time.
    pub(super) entries: Vec<DemoEntry>,
    /// Likes, sorted by entry and member.
    pub(super) likes: Vec<Interaction>,
    /// Poll votes, sorted by entry and member; the value is the option's index.
    pub(super) votes: Vec<Interaction>,
    /// Index of the first post of the measured thread.
    pub(super) thread: u32,
}

impl Activity {
    /// Generates the activity for a graph.
    pub(super) fn draw(graph: &SocialGraph) -> Self {
        let (entries, thread) = draw_entries(graph);
        Self {
            likes: draw_likes(graph, &entries),
            votes: draw_votes(graph, &entries),
            entries,
            thread,
        }
    }
}

/// Time of an entry: evenly spread from day 18 to one minute before the end.
fn entry_time(graph: &SocialGraph, number: usize) -> Millis {
    let start = graph.until - AGE + 18 * DAY + 2 * SECOND;
    let span = graph.until - MINUTE - start;
    start + span * number as i64 / graph.size.posts as i64
}

fn draw_entries(graph: &SocialGraph) -> (Vec<DemoEntry>, u32) {
    let mut rng = seeded_rng(graph.size.seed, 3);
    let thread = graph.size.posts * 9 / 10;
    let mut entries = Vec::<DemoEntry>::with_capacity(graph.size.posts);
    let mut reposted = HashSet::new();
    for number in 0..graph.size.posts {
        let id = id_at(entry_time(graph, number), number);
        let author = graph.draw_active_member(&mut rng);
        let mut entry = DemoEntry::post(id, author, number as u32);
        if number == thread {
            entry.author = graph.most_followed();
        } else if (thread + 1..thread + THREAD_POSTS).contains(&number) {
            entry.reply_to(thread as u32, thread as u32);
        } else {
            let chance = rng.u32(..100);
            let about = draw_recent_post(&mut rng, &entries, thread);
            match about {
                Some((about, found)) if chance < REPLY_PERCENT => entry.reply_to(about, found.root),
                Some((about, found))
                    if chance < REPLY_PERCENT + REPOST_PERCENT
                        && found.author != author
                        && reposted.insert((about, author)) =>
                {
                    entry.kind = EntryKind::Repost;
                    entry.about = about;
                }
                _ if rng.u32(..100) < POLL_PERCENT => entry.options = rng.u8(2..=4),
                _ => {}
            }
        }
        entries.push(entry);
    }
    (entries, thread as u32)
}

/// Draws a recent post or reply outside the measured thread, which must keep its size.
fn draw_recent_post(
    rng: &mut Rng,
    entries: &[DemoEntry],
    thread: usize,
) -> Option<(u32, DemoEntry)> {
    let back = (-MEAN_DISTANCE * (1.0 - rng.f64()).ln()) as usize + 1;
    let mut number = entries.len().checked_sub(back)?;
    // Replies to reposts and replies often go to the post they refer to.
    if entries[number].kind == EntryKind::Repost || rng.u32(..3) == 0 {
        number = entries[number].about as usize;
    }
    let kept = (thread..thread + THREAD_POSTS).contains(&number);
    (!kept).then(|| (number as u32, entries[number]))
}

/// Draws distinct members for an entry, sorted and without its author.
fn draw_participants(graph: &SocialGraph, rng: &mut Rng, author: u32, count: usize) -> Vec<u32> {
    let mut participants = (0..count)
        .map(|_| graph.draw_active_member(rng))
        .filter(|member| *member != author)
        .collect::<Vec<_>>();
    participants.sort_unstable();
    participants.dedup();
    participants
}

fn draw_likes(graph: &SocialGraph, entries: &[DemoEntry]) -> Vec<Interaction> {
    let mut rng = seeded_rng(graph.size.seed, 4);
    let most = graph.ids.len() / 4;
    let mut likes = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        if entry.kind == EntryKind::Repost {
            continue;
        }
        let count = (long_tail_count(&mut rng, 1.0, LIKES_EXPONENT) - 1).min(most);
        let written = Id(entry.id).time();
        let room = (graph.until - written).min(2 * DAY);
        for member in draw_participants(graph, &mut rng, entry.author, count) {
            let when = written + 1 + rng.i64(0..room);
            likes.push(Interaction {
                entry: number as u32,
                member,
                value: id_at(when, likes.len()),
            });
        }
    }
    likes
}

fn draw_votes(graph: &SocialGraph, entries: &[DemoEntry]) -> Vec<Interaction> {
    let mut rng = seeded_rng(graph.size.seed, 5);
    let most = graph.ids.len() / 4;
    let mut votes = Vec::new();
    for (number, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.options > 0) {
        let count = long_tail_count(&mut rng, 3.0, LIKES_EXPONENT).min(most);
        for member in draw_participants(graph, &mut rng, entry.author, count) {
            votes.push(Interaction {
                entry: number as u32,
                member,
                value: i64::from(rng.u8(..entry.options)),
            });
        }
    }
    votes
}
