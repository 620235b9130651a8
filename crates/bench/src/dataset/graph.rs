//! Who is in a network, who follows whom, and when: everything but posts, as small numbers.

use super::Size;
use fastrand::Rng;
use kith::clock::{DAY, Millis, SECOND};
use kith::demo::{Edge, id_at, place, source, tail};
use std::collections::HashSet;

/// How long ago the founder joined.
pub(super) const AGE: Millis = 90 * DAY;
/// Members that everybody follows on average, about.
const FOLLOWS: f64 = 15.0;
/// How steeply the number of follows falls; 1.6 makes it two and a half times its least on average.
const FOLLOWS_STEEP: f64 = 1.6;
/// Readers of each number of follows.
pub const READERS: usize = 8;
/// Members who do nothing before the run: they post, like and follow in it.
pub const WRITERS: usize = 64;
/// Members by their number, 0 being the founder, and their edges.
#[derive(Debug)]
pub(super) struct SocialGraph {
    pub(super) size: Size,
    /// The time at which the network ends.
    pub(super) until: Millis,
    /// Their ids, rising.
    pub(super) ids: Vec<i64>,
    /// Those who do something, the best known first.
    order: Vec<u32>,
    /// Sorted by follower.
    pub(super) follows: Vec<Edge>,
}

impl SocialGraph {
    /// Draws everybody.
    pub(super) fn draw(size: &Size, until: Millis) -> Self {
        let start = until - AGE + SECOND;
        let step = |nth: usize| start + (9 * DAY) * nth as i64 / size.members as i64;
        let mut ids = vec![id_at(until - AGE, 0)];
        ids.extend((1..size.members).map(|nth| id_at(step(nth), nth)));
        let mut graph = Self {
            size: size.clone(),
            until,
            ids,
            order: order(size),
            follows: Vec::new(),
        };
        graph.draw_follows();
        graph
    }

    /// The number of the first writer, behind the readers.
    pub(super) fn first_writer(size: &Size) -> usize {
        1 + size.readers() + size.cold
    }

    /// Whether a member follows nobody beyond who invited them and whom they invited.
    pub(super) fn is_writer(&self, member: usize) -> bool {
        let first = Self::first_writer(&self.size);
        (first..first + WRITERS).contains(&member)
    }

    /// Somebody who does something, the best known most often.
    pub(super) fn draw_active_member(&self, rng: &mut Rng) -> u32 {
        self.order[place(rng, self.order.len())]
    }

    /// The best known member: everybody follows them but writers.
    pub(super) fn most_followed(&self) -> u32 {
        self.order[0]
    }

    /// Who invited a member. Nobody invited more than three.
    pub(super) const fn inviter(member: usize) -> usize {
        (member - 1) / 3
    }

    /// How many members one invited.
    pub(super) fn invited(&self, member: usize) -> usize {
        let (first, end) = (member * 3 + 1, member * 3 + 4);
        end.min(self.ids.len()).saturating_sub(first)
    }

    fn draw_follows(&mut self) {
        let mut rng = source(self.size.seed, 1);
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
            chosen.extend((invited..invited + self.invited(member)).map(|other| other as u32));
            let wanted = match self.size.follows_of(member) {
                Some(exactly) => exactly,
                None if self.is_writer(member) => 0,
                None => {
                    let least = FOLLOWS * (FOLLOWS_STEEP - 1.0) / FOLLOWS_STEEP;
                    tail(&mut rng, least, FOLLOWS_STEEP).min(most)
                }
            };
            while chosen.len() < wanted {
                // Half of them because they are known, half because somebody met them.
                let other = if rng.bool() {
                    self.draw_active_member(&mut rng)
                } else {
                    self.order[rng.usize(..self.order.len())]
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
        let edge = |(nth, (follower, followee)): (usize, (u32, u32))| Edge {
            follower,
            followee,
            id: id_at(start + rng.i64(0..9 * DAY), nth),
        };
        self.follows = pairs.into_iter().enumerate().map(edge).collect();
    }
}

/// Who does something, the best known first. Readers are known better than nineteen of twenty, so
/// that something happens to them.
fn order(size: &Size) -> Vec<u32> {
    let writer = SocialGraph::first_writer(size);
    let mut order = (writer + WRITERS..size.members)
        .map(|member| member as u32)
        .collect::<Vec<_>>();
    source(size.seed, 2).shuffle(&mut order);
    let known = (size.members / 20).min(order.len());
    order.splice(known..known, (0..writer).map(|member| member as u32));
    order
}
