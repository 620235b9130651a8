//! Members, their invites and the follow graph, as indexes.

use super::Size;
use fastrand::Rng;
use kith::ops::demo::{FollowEdge, id_at, long_tail_count, power_law_index, seeded_rng};
use kith::platform::clock::{DAY, Millis, SECOND};
use std::collections::HashSet;

/// Age of the network: time since the founder joined.
pub(super) const AGE: Millis = 90 * DAY;
/// Approximate mean number of follows.
const MEAN_FOLLOWS: f64 = 15.0;
/// Exponent of the power law of follows; with 1.6 the mean is about 2.7 times the minimum.
const FOLLOWS_EXPONENT: f64 = 1.6;
/// Readers per number of follows.
pub const READERS: usize = 8;
/// Members without activity before the run; they post, like and follow during it.
pub const WRITERS: usize = 64;
/// Members by index, with the founder at 0, and the follows between them.
#[derive(Debug)]
pub(super) struct SocialGraph {
    pub(super) size: Size,
    /// Time at which the data set ends.
    pub(super) until: Millis,
    /// Member ids, ascending.
    pub(super) ids: Vec<i64>,
    /// Members with activity, most followed first.
    active_members: Vec<u32>,
    /// Follows, sorted by follower.
    pub(super) follows: Vec<FollowEdge>,
}

impl SocialGraph {
    /// Generates the graph for a size and an end time.
    pub(super) fn draw(size: &Size, until: Millis) -> Self {
        let start = until - AGE + SECOND;
        let step = |nth: usize| start + (9 * DAY) * nth as i64 / size.members as i64;
        let mut ids = vec![id_at(until - AGE, 0)];
        ids.extend((1..size.members).map(|nth| id_at(step(nth), nth)));
        let mut graph = Self {
            size: size.clone(),
            until,
            ids,
            active_members: rank_active_members(size),
            follows: Vec::new(),
        };
        graph.draw_follows();
        graph
    }

    /// Index of the first writer, after all readers.
    pub(super) fn first_writer(size: &Size) -> usize {
        1 + size.readers() + size.cold
    }

    /// Whether a member is a writer, who follows only their inviter and invited members.
    pub(super) fn is_writer(&self, member: usize) -> bool {
        let first = Self::first_writer(&self.size);
        (first..first + WRITERS).contains(&member)
    }

    /// Draws a member with activity; the probability falls with the rank.
    pub(super) fn draw_active_member(&self, rng: &mut Rng) -> u32 {
        self.active_members[power_law_index(rng, self.active_members.len())]
    }

    /// The most followed member: every member except the writers follows them.
    pub(super) fn most_followed(&self) -> u32 {
        self.active_members[0]
    }

    /// Index of a member's inviter; each member invites at most three.
    pub(super) const fn inviter(member: usize) -> usize {
        (member - 1) / 3
    }

    /// Number of members that a member invited.
    pub(super) fn invited_count(&self, member: usize) -> usize {
        let (first, end) = (member * 3 + 1, member * 3 + 4);
        end.min(self.ids.len()).saturating_sub(first)
    }

    fn draw_follows(&mut self) {
        let mut rng = seeded_rng(self.size.seed, 1);
        let count = self.ids.len();
        let most = (count / 3).min(2_000);
        let mut pairs = Vec::new();
        for member in 0..count {
            let mut chosen = HashSet::new();
            if member > 0 {
                chosen.insert(Self::inviter(member) as u32);
            }
            if member != self.most_followed() as usize && !self.is_writer(member) {
                chosen.insert(self.most_followed());
            }
            let invited = member * 3 + 1;
            chosen
                .extend((invited..invited + self.invited_count(member)).map(|other| other as u32));
            let wanted = match self.size.follows_of(member) {
                Some(exactly) => exactly,
                None if self.is_writer(member) => 0,
                None => {
                    let least = MEAN_FOLLOWS * (FOLLOWS_EXPONENT - 1.0) / FOLLOWS_EXPONENT;
                    long_tail_count(&mut rng, least, FOLLOWS_EXPONENT).min(most)
                }
            };
            while chosen.len() < wanted {
                // One half by popularity, the other half uniformly.
                let other = if rng.bool() {
                    self.draw_active_member(&mut rng)
                } else {
                    self.active_members[rng.usize(..self.active_members.len())]
                };
                if other as usize != member {
                    chosen.insert(other);
                }
            }
            let mut chosen = chosen.into_iter().collect::<Vec<_>>();
            chosen.sort_unstable();
            pairs.extend(chosen.into_iter().map(|followee| (member as u32, followee)));
        }
        let start = self.until - AGE + 9 * DAY + SECOND;
        let edge = |(nth, (follower, followee)): (usize, (u32, u32))| FollowEdge {
            follower,
            followee,
            id: id_at(start + rng.i64(0..9 * DAY), nth),
        };
        self.follows = pairs.into_iter().enumerate().map(edge).collect();
    }
}

/// Members with activity, most followed first. The readers are placed at 5 % of the ranking, so that
/// they receive likes, replies and follows.
fn rank_active_members(size: &Size) -> Vec<u32> {
    let writer = SocialGraph::first_writer(size);
    let mut order =
        (writer + WRITERS..size.members).map(|member| member as u32).collect::<Vec<_>>();
    seeded_rng(size.seed, 2).shuffle(&mut order);
    let known = (size.members / 20).min(order.len());
    order.splice(known..known, (0..writer).map(|member| member as u32));
    order
}
