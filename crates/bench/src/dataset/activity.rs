//! What the members of a network did: posts, replies, reposts, likes and votes, in order of time.

use super::graph::{AGE, SocialGraph};
use fastrand::Rng;
use kith::clock::{DAY, MINUTE, Millis, SECOND};
use kith::demo::{Entry, EntryKind, Interaction, id_at, source, tail};
use kith::ids::Id;
use std::collections::HashSet;

/// Of a hundred entries, so many are replies.
const REPLIES: u32 = 30;
/// And so many reposts.
const REPOSTS: u32 = 6;
/// And of a hundred posts, so many are polls.
const POLLS: u32 = 2;
/// How steeply the number of likes falls; 1.5 makes about one and a half a post.
const LIKES_STEEP: f64 = 1.5;
/// Most entries answer or repost one of this many before them.
const RECENT: f64 = 400.0;
/// Posts of the thread that a run opens.
pub(super) const THREAD: usize = 50;

/// Everything that was done.
#[derive(Debug)]
pub(super) struct Activity {
    /// By time.
    pub(super) entries: Vec<Entry>,
    /// Sorted by entry and member.
    pub(super) likes: Vec<Interaction>,
    /// Sorted by entry and member; a value is the option.
    pub(super) votes: Vec<Interaction>,
    /// The number of the thread's first post.
    pub(super) thread: u32,
}

impl Activity {
    /// Draws it.
    pub(super) fn draw(graph: &SocialGraph) -> Self {
        let (entries, thread) = entries(graph);
        Self {
            likes: likes(graph, &entries),
            votes: votes(graph, &entries),
            entries,
            thread,
        }
    }
}

/// When an entry was written: evenly, from the eighteenth day to a minute before the end.
fn time(graph: &SocialGraph, number: usize) -> Millis {
    let start = graph.until - AGE + 18 * DAY + 2 * SECOND;
    let span = graph.until - MINUTE - start;
    start + span * number as i64 / graph.size.posts as i64
}

fn entries(graph: &SocialGraph) -> (Vec<Entry>, u32) {
    let mut rng = source(graph.size.seed, 3);
    let thread = graph.size.posts * 9 / 10;
    let mut entries = Vec::<Entry>::with_capacity(graph.size.posts);
    let mut reposted = HashSet::new();
    for number in 0..graph.size.posts {
        let id = id_at(time(graph, number), number);
        let author = graph.draw_active_member(&mut rng);
        let mut entry = Entry::post(id, author, number as u32);
        if number == thread {
            entry.author = graph.most_followed();
        } else if (thread + 1..thread + THREAD).contains(&number) {
            entry.reply_to(thread as u32, thread as u32);
        } else {
            let chance = rng.u32(..100);
            let about = recent(&mut rng, &entries, thread);
            match about {
                Some((about, found)) if chance < REPLIES => entry.reply_to(about, found.root),
                Some((about, found))
                    if chance < REPLIES + REPOSTS
                        && found.author != author
                        && reposted.insert((about, author)) =>
                {
                    entry.kind = EntryKind::Repost;
                    entry.about = about;
                }
                _ if rng.u32(..100) < POLLS => entry.options = rng.u8(2..=4),
                _ => {}
            }
        }
        entries.push(entry);
    }
    (entries, thread as u32)
}

/// A post or reply of lately, not one of the thread that must keep its size.
fn recent(rng: &mut Rng, entries: &[Entry], thread: usize) -> Option<(u32, Entry)> {
    let back = (-RECENT * (1.0 - rng.f64()).ln()) as usize + 1;
    let mut number = entries.len().checked_sub(back)?;
    // Who sees a repost or an answer often answers what it is about.
    if entries[number].kind == EntryKind::Repost || rng.u32(..3) == 0 {
        number = entries[number].about as usize;
    }
    let kept = (thread..thread + THREAD).contains(&number);
    (!kept).then(|| (number as u32, entries[number]))
}

/// Distinct members who did something at an entry, sorted, without its author.
fn draw_participants(graph: &SocialGraph, rng: &mut Rng, author: u32, count: usize) -> Vec<u32> {
    let mut crowd = (0..count)
        .map(|_| graph.draw_active_member(rng))
        .filter(|member| *member != author)
        .collect::<Vec<_>>();
    crowd.sort_unstable();
    crowd.dedup();
    crowd
}

fn likes(graph: &SocialGraph, entries: &[Entry]) -> Vec<Interaction> {
    let mut rng = source(graph.size.seed, 4);
    let most = graph.ids.len() / 4;
    let mut likes = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        if entry.kind == EntryKind::Repost {
            continue;
        }
        let count = (tail(&mut rng, 1.0, LIKES_STEEP) - 1).min(most);
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

fn votes(graph: &SocialGraph, entries: &[Entry]) -> Vec<Interaction> {
    let mut rng = source(graph.size.seed, 5);
    let most = graph.ids.len() / 4;
    let mut votes = Vec::new();
    for (number, entry) in entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.options > 0)
    {
        let count = tail(&mut rng, 3.0, LIKES_STEEP).min(most);
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
