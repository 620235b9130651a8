//! Draws the members of a demo: when they joined, their inviters, and the members that they follow.

use super::network::{FollowEdge, Network, id_at};
use super::random::{self, seeded_rng};
use super::topics;
use crate::platform::clock::{DAY, MINUTE, Millis};
use fastrand::Rng;
use std::collections::HashSet;

/// Time since the founder joined.
pub(super) const AGE: Millis = 44 * DAY;
/// Fraction of [`AGE`] in which members joined.
const GROWTH: f64 = 0.72;
/// Approximate average number of follows per member.
const FOLLOWS: f64 = 14.0;
/// Exponent of the long-tailed number of follows per member.
const FOLLOWS_EXPONENT: f64 = 1.8;
/// Maximum invites used per member.
const INVITES: u32 = 3;

#[derive(Debug)]
pub(super) struct Community {
    /// Members and follows; entries are drawn later.
    pub(super) network: Network,
    /// Members by popularity, most popular first.
    by_popularity: Vec<u32>,
    /// Followers of each member.
    pub(super) followers: Vec<Vec<u32>>,
}

/// Returns the first or the second topic of a member.
pub(super) fn topic_of(member: u32, second: bool) -> usize {
    let member = member as usize;
    let shift = if second { 5 + member % 3 } else { 0 };
    (member * 7 + shift) % topics::ALL.len()
}

impl Community {
    pub(super) fn draw(seed: u64, members: usize, until: Millis) -> Self {
        let mut rng = seeded_rng(seed, 1);
        let start = until - AGE;
        let span = AGE as f64 * GROWTH;
        let joined = |number: usize| {
            let fraction = (number as f64 / members as f64).powf(0.6);
            start + (span * fraction) as Millis
        };
        let ids = (0..members).map(|number| id_at(joined(number), number));
        let ids = ids.collect::<Vec<_>>();
        let mut order = (1..members as u32).collect::<Vec<_>>();
        rng.shuffle(&mut order);
        order.insert(order.len().min(2), 0);
        let mut community = Self {
            network: Network {
                until,
                ids,
                inviters: draw_inviters(&mut rng, members),
                ..Network::default()
            },
            by_popularity: order,
            followers: vec![Vec::new(); members],
        };
        community.draw_follows(&mut rng);
        community
    }

    /// Draws a member, weighted by popularity.
    pub(super) fn random_member(&self, rng: &mut Rng) -> u32 {
        self.by_popularity[random::power_law_index(rng, self.by_popularity.len())]
    }

    pub(super) fn random_member_at(&self, rng: &mut Rng, time: Millis) -> u32 {
        let tries = (0..64).map(|_| self.random_member(rng));
        tries.into_iter().find(|member| self.had_joined(*member, time)).unwrap_or(0)
    }

    /// Returns whether a member had joined at least a minute before `time`.
    pub(super) fn had_joined(&self, member: u32, time: Millis) -> bool {
        self.network.joined(member as usize) + MINUTE < time
    }

    fn draw_follows(&mut self, rng: &mut Rng) {
        let members = self.network.ids.len();
        let limit = (members * 2 / 3).min(2_000);
        for follower in 0..members as u32 {
            let mut chosen = HashSet::new();
            if follower > 0 {
                chosen.insert(self.network.inviters[follower as usize]);
            }
            let min = FOLLOWS * (FOLLOWS_EXPONENT - 1.0) / FOLLOWS_EXPONENT;
            let drawn = random::long_tail_count(rng, min, FOLLOWS_EXPONENT);
            let wanted = if follower == 0 { drawn.max(24) } else { drawn }.min(limit);
            let mut tries = 0;
            while chosen.len() < wanted && tries < 20 * wanted {
                tries += 1;
                let other = self.random_member(rng);
                let topics = [false, true].map(|second| topic_of(other, second));
                // Members with a common topic are more likely to follow each other.
                let has_common_topic = topics.contains(&topic_of(follower, false));
                if other != follower && (has_common_topic || rng.u32(..2) == 0) {
                    chosen.insert(other);
                }
            }
            let mut chosen = chosen.into_iter().collect::<Vec<_>>();
            chosen.sort_unstable();
            for followee in chosen {
                let joined =
                    [follower, followee].map(|member| self.network.joined(member as usize));
                let first = joined[0].max(joined[1]) + MINUTE;
                let max_delay = (self.network.until - first).min(6 * DAY);
                let time = first + rng.i64(0..max_delay.max(1));
                let id = id_at(time, self.network.follows.len());
                self.network.follows.push(FollowEdge { follower, followee, id });
                self.followers[followee as usize].push(follower);
            }
        }
    }
}

/// Draws the inviter of each member.
fn draw_inviters(rng: &mut Rng, members: usize) -> Vec<u32> {
    let mut used = vec![0; members];
    let mut inviters = vec![0];
    for number in 1..members {
        let inviter = loop {
            // Members invite most of their friends in their first weeks.
            let back = rng.usize(0..number).min(rng.usize(0..number));
            let inviter = number - 1 - back;
            if used[inviter] < INVITES {
                break inviter;
            }
        };
        used[inviter] += 1;
        inviters.push(inviter as u32);
    }
    inviters
}
