//! The model's rules for closeness: suggestions and member search.

use crate::calendar::MINUTE;
use crate::model::Model;
use crate::words::folded;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// Follows at some time, oldest first.
pub(crate) type Edges = Vec<(usize, usize)>;

/// A reason's code and message, which names no member.
pub(crate) fn reason(code: &str, message: &str) -> Value {
    json!({"code": code, "message": message, "name": null, "others": null})
}

/// A reason whose message names a member.
pub(crate) fn reason_with(code: &str, message: &str, name: &str) -> Value {
    json!({"code": code, "message": message, "name": name, "others": null})
}

/// Match quality of a name: 0 is exact, 1 a prefix, 2 inside.
fn match_of(name: &str, term: &str) -> Option<u8> {
    if name == term {
        Some(0)
    } else if name.starts_with(term) {
        Some(1)
    } else {
        name.contains(term).then_some(2)
    }
}

impl Model {
    /// Caches the viewer's circle, unless it was cached less than a minute ago.
    pub(crate) fn refresh_circle(&mut self, viewer: usize) {
        let known = self.circles.get(&viewer);
        if known.is_none_or(|(at, _)| self.now >= at + MINUTE) {
            self.circles.insert(viewer, (self.now, self.follows.clone()));
        }
    }

    /// Whether the viewer's cached circle has a follow of the member.
    pub(crate) fn follows_in_circle(&self, viewer: usize, member: usize) -> bool {
        self.circles[&viewer].1.contains(&(viewer, member))
    }

    /// Members followed by the viewer who follow a member, newest first; none if the viewer follows that member
    pub(crate) fn between(&self, viewer: usize, member: usize) -> Vec<usize> {
        if member == viewer || self.follows_in_circle(viewer, member) {
            return Vec::new();
        }
        let edges = &self.circles[&viewer].1;
        let friends = edges.iter().rev().filter(|edge| edge.0 == viewer);
        let friends = friends.map(|edge| edge.1);
        friends.filter(|friend| edges.contains(&(*friend, member))).collect()
    }

    /// The newest member between the two, unless hidden from the viewer.
    pub(crate) fn named_between(&self, viewer: usize, between: &[usize]) -> Option<usize> {
        let newest = between.first().copied();
        newest.filter(|friend| !self.hides(viewer, *friend))
    }

    /// Suggestions: members followed by most of the viewer's follows, then followers, popular authors, the newest.
    pub(crate) fn suggested(&self, viewer: usize) -> Vec<usize> {
        let newest = (0..self.members.len()).rev();
        let mut near = newest.clone().collect::<Vec<_>>();
        near.retain(|member| !self.between(viewer, *member).is_empty());
        near.sort_by_key(|member| Reverse(self.between(viewer, *member).len()));
        let all = near.into_iter().chain(self.followers(viewer));
        let all = all.chain(self.popular_authors()).chain(newest);
        let mut listed = Vec::new();
        for member in all {
            let is_known = member == viewer || self.follows_in_circle(viewer, member);
            if !is_known && !self.hides(viewer, member) && !listed.contains(&member) {
                listed.push(member);
            }
        }
        listed
    }

    /// The reason of a suggestion.
    pub(crate) fn why_suggested(&self, viewer: usize, member: usize) -> Value {
        let between = self.between(viewer, member);
        if let Some(friend) = self.named_between(viewer, &between) {
            let friend = &self.members[friend].display_name;
            let others = between.len() - 1;
            let message = match others {
                0 => format!("Followed by {friend}"),
                1 => format!("Followed by {friend} and 1 other you follow"),
                _ => format!("Followed by {friend} and {others} others you follow"),
            };
            return json!({
                "code": "followed_by", "message": message, "name": friend, "others": others
            });
        }
        if self.follows(member, viewer) {
            reason("follows_you", "Follows you")
        } else if !between.is_empty() {
            // Suggested through a friend who is hidden from the viewer, and must not be named.
            reason("new", "New on this network")
        } else if self.popular_authors().contains(&member) {
            reason("popular", "Popular on this network")
        } else {
            reason("new", "New on this network")
        }
    }

    /// Members with a term in one of their names: best match first, then the closest, the most followed, the oldest.
    pub(crate) fn search(&self, viewer: usize, typed: &str) -> Vec<usize> {
        let typed = typed.split_whitespace().collect::<Vec<_>>().join(" ");
        let term = folded(typed.trim_start_matches('@'));
        let term = term.trim();
        if term.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (number, member) in self.members.iter().enumerate() {
            let names = [member.names.last().unwrap(), &member.display_name];
            let matches = names.map(|name| match_of(&folded(name), term));
            let Some(best) = matches.into_iter().flatten().min() else {
                continue;
            };
            if self.is_block_between(viewer, number) {
                continue;
            }
            // Among exact matches the member with that username is first.
            let is_named = folded(names[0]) == term;
            let best = if is_named { 0 } else { best + 1 };
            let follows_me = self.follows(number, viewer);
            let closeness = match (self.follows_in_circle(viewer, number), follows_me) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                _ if !self.between(viewer, number).is_empty() => 3,
                _ => 4,
            };
            let followers = Reverse(self.followers(number).len());
            found.push((best, closeness, followers, number));
        }
        found.sort_unstable();
        found.into_iter().map(|row| row.3).collect()
    }
}
