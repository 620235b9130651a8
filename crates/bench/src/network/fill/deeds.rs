//! Likes, reposts, votes, and what members were told of them.

use super::Fill;
use crate::network::story::Kind;
use anyhow::Result;
use kith::clock::HOUR;
use kith::ids::Id;
use kith::notifications;

const NOTIFICATION: &str = "insert into notifications (member_id, id, kind, actor_id, post_id, \
    read_at) values (?1, ?2, ?3, ?4, ?5, ?6)";

/// What one member was told, by numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    member: u32,
    id: i64,
    kind: u8,
    actor: u32,
    /// The id of the post; 0 for a follow.
    post: i64,
}

impl Fill<'_> {
    /// Each like from both ends.
    pub(super) fn likes(&self) -> Result<()> {
        let insert = "insert into likes (post_id, member_id, id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for like in &self.story.likes {
            insert.execute((self.entry(like.entry), self.member(like.member), like.value))?;
        }
        let mut likes = self.story.likes.clone();
        likes.sort_unstable_by_key(|like| (like.member, like.entry));
        let insert = "insert into member_likes (member_id, post_id, id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for like in likes {
            insert.execute((self.member(like.member), self.entry(like.entry), like.value))?;
        }
        Ok(())
    }

    /// Who reposted what.
    pub(super) fn reposts(&self) -> Result<()> {
        let insert = "insert into reposts (post_id, member_id, repost_id) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for repost in &self.story.reposts {
            let (post, member) = (self.entry(repost.entry), self.member(repost.member));
            insert.execute((post, member, self.entry(repost.value as u32)))?;
        }
        Ok(())
    }

    /// The options of polls with their tallies, and who chose which.
    pub(super) fn polls(&self) -> Result<()> {
        let insert = "insert into poll_votes (post_id, member_id, choice) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        let mut tallies = std::collections::HashMap::<(u32, i64), i64>::new();
        for vote in &self.story.votes {
            insert.execute((self.entry(vote.entry), self.member(vote.member), vote.value))?;
            *tallies.entry((vote.entry, vote.value)).or_default() += 1;
        }
        let insert = "insert into poll_choices (post_id, choice, votes) values (?1, ?2, ?3)";
        let mut insert = self.conn.prepare(insert)?;
        for (number, entry) in (0_u32..).zip(&self.story.entries) {
            for choice in 0..i64::from(entry.options) {
                let votes = tallies.get(&(number, choice)).copied().unwrap_or(0);
                insert.execute((entry.id, choice, votes))?;
            }
        }
        Ok(())
    }

    /// Everybody was told of what concerns them, and read it within the hour.
    pub(super) fn notifications(&self) -> Result<()> {
        let mut told = self.told();
        told.retain(|told| told.member != told.actor);
        told.sort_unstable();
        let mut insert = self.conn.prepare(NOTIFICATION)?;
        for told in told {
            let read = Id(told.id).time() + HOUR;
            insert.execute((
                self.member(told.member),
                told.id,
                told.kind,
                self.member(told.actor),
                told.post,
                (read < self.people.until).then_some(read),
            ))?;
        }
        Ok(())
    }

    fn told(&self) -> Vec<Told> {
        let entries = &self.story.entries;
        let author = |number: u32| entries[number as usize].author;
        let mut told = Vec::new();
        for edge in &self.people.follows {
            told.push(Told {
                member: edge.followee,
                id: edge.id,
                kind: notifications::Kind::Follow as u8,
                actor: edge.follower,
                post: 0,
            });
        }
        for like in &self.story.likes {
            told.push(Told {
                member: author(like.entry),
                id: like.value,
                kind: notifications::Kind::Like as u8,
                actor: like.member,
                post: self.entry(like.entry),
            });
        }
        for entry in entries.iter().filter(|entry| entry.kind != Kind::Post) {
            let (kind, post) = match entry.kind {
                Kind::Repost => (notifications::Kind::Repost, self.entry(entry.about)),
                _ => (notifications::Kind::Reply, entry.id),
            };
            told.push(Told {
                member: author(entry.about),
                id: entry.id,
                kind: kind as u8,
                actor: entry.author,
                post,
            });
        }
        for (number, member) in &self.mentions {
            let entry = &entries[*number as usize];
            // Whom it answers was told of the reply.
            if entry.kind != Kind::Reply || author(entry.about) != *member {
                told.push(Told {
                    member: *member,
                    id: entry.id,
                    kind: notifications::Kind::Mention as u8,
                    actor: entry.author,
                    post: entry.id,
                });
            }
        }
        told
    }
}
