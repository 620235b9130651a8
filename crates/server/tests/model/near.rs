//! The model's rules for who is near a reader: whom to follow, and whom a name finds.

use crate::calendar::MINUTE;
use crate::model::Model;
use crate::words::folded;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// Who follows whom at some moment, the oldest follow first.
pub(crate) type Edges = Vec<(usize, usize)>;

/// A code and a sentence.
pub(crate) fn reason(code: &str, message: impl Into<String>) -> Value {
    json!({"code": code, "message": message.into()})
}

/// How well a name matches a term: 0 is it, 1 begins with it, 2 has it inside.
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
    /// A reader learns who is near, unless that was less than a minute ago.
    pub(crate) fn look_near(&mut self, reader: usize) {
        let known = self.circles.get(&reader);
        if known.is_none_or(|(at, _)| self.now >= at + MINUTE) {
            self.circles
                .insert(reader, (self.now, self.follows.clone()));
        }
    }

    /// Whether a reader follows a member, as far as the reader's lists know.
    pub(crate) fn knows(&self, reader: usize, member: usize) -> bool {
        self.circles[&reader].1.contains(&(reader, member))
    }

    /// Those between a reader and a member whom the reader does not follow: followed by the reader,
    /// the newest first, and following the member.
    pub(crate) fn between(&self, reader: usize, member: usize) -> Vec<usize> {
        if member == reader || self.knows(reader, member) {
            return Vec::new();
        }
        let edges = &self.circles[&reader].1;
        let friends = edges.iter().rev().filter(|edge| edge.0 == reader);
        let friends = friends.map(|edge| edge.1);
        friends
            .filter(|friend| edges.contains(&(*friend, member)))
            .collect()
    }

    /// The newest of those between, unless the reader's lists leave them out.
    pub(crate) fn named_between(&self, reader: usize, between: &[usize]) -> Option<usize> {
        let newest = between.first().copied();
        newest.filter(|friend| !self.hides(reader, *friend))
    }

    /// Whom to follow: whom most people I follow do, my followers, popular authors, the newest.
    pub(crate) fn suggested(&self, reader: usize) -> Vec<usize> {
        let newest = (0..self.members.len()).rev();
        let mut near = newest.clone().collect::<Vec<_>>();
        near.retain(|member| !self.between(reader, *member).is_empty());
        near.sort_by_key(|member| Reverse(self.between(reader, *member).len()));
        let all = near.into_iter().chain(self.followers(reader));
        let all = all.chain(self.popular_authors()).chain(newest);
        let mut listed = Vec::new();
        for member in all {
            let is_known = member == reader || self.knows(reader, member);
            if !is_known && !self.hides(reader, member) && !listed.contains(&member) {
                listed.push(member);
            }
        }
        listed
    }

    /// Why a member is suggested.
    pub(crate) fn why_suggested(&self, reader: usize, member: usize) -> Value {
        let between = self.between(reader, member);
        if let Some(friend) = self.named_between(reader, &between) {
            let friend = &self.members[friend].display_name;
            return match between.len() - 1 {
                0 => reason("followed_by", format!("Followed by {friend}")),
                1 => reason(
                    "followed_by",
                    format!("Followed by {friend} and 1 other you follow"),
                ),
                others => reason(
                    "followed_by",
                    format!("Followed by {friend} and {others} others you follow"),
                ),
            };
        }
        if self.follows(member, reader) {
            reason("follows_you", "Follows you")
        } else if self.popular_authors().contains(&member) {
            reason("popular", "Popular on Kith")
        } else {
            reason("new", "New on Kith")
        }
    }

    /// Members with a term in one of their names: the best match first, then those closest to the
    /// reader, then those with most followers, then the oldest.
    pub(crate) fn search(&self, reader: usize, typed: &str) -> Vec<usize> {
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
            if self.is_apart(reader, number) {
                continue;
            }
            // Of all who are called exactly so, the one of that username is meant.
            let is_named = folded(names[0]) == term;
            let best = if is_named { 0 } else { best + 1 };
            let follows_me = self.follows(number, reader);
            let closeness = match (self.knows(reader, number), follows_me) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                _ if !self.between(reader, number).is_empty() => 3,
                _ => 4,
            };
            let followers = Reverse(self.followers(number).len());
            found.push((best, closeness, followers, number));
        }
        found.sort_unstable();
        found.into_iter().map(|row| row.3).collect()
    }
}
