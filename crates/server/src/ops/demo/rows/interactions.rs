//! Writes likes, reposts, votes and notifications.

use super::NetworkWriter;
use crate::features::notifications::NotificationKind;
use crate::ops::demo::network::EntryKind;
use crate::platform::clock::HOUR;
use crate::platform::ids::Id;
use kith_db::{Result, params};
use std::collections::HashMap;

const NOTIFICATION: &[&str] = &["member_id", "id", "kind", "actor_id", "post_id", "read_at"];
/// Maximum age of unread notifications.
const UNREAD_AGE: i64 = 9 * HOUR;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct NotificationRow {
    member: u32,
    id: i64,
    kind: i64,
    actor: u32,
    /// Id of the post; 0 for a follow.
    post: i64,
}

impl NetworkWriter<'_> {
    /// Writes likes by post and by member.
    pub(super) fn write_likes(&self) -> Result<()> {
        let mut rows = self.load.rows("likes", &["post_id", "member_id", "id"])?;
        for like in &self.network.likes {
            rows.add(params![self.entry(like.entry), self.member(like.member), like.value])?;
        }
        let mut likes = self.network.likes.clone();
        likes.sort_unstable_by_key(|like| (like.member, like.value));
        let columns = ["member_id", "post_id", "id"];
        let mut rows = self.load.rows("member_likes", &columns)?;
        for like in likes {
            rows.add(params![self.member(like.member), self.entry(like.entry), like.value])?;
        }
        Ok(())
    }

    pub(super) fn write_reposts(&self) -> Result<()> {
        let columns = ["post_id", "member_id", "repost_id"];
        let mut rows = self.load.rows("reposts", &columns)?;
        for repost in self.network.reposts() {
            let (post, member) = (self.entry(repost.entry), self.member(repost.member));
            rows.add(params![post, member, self.entry(repost.value as u32)])?;
        }
        Ok(())
    }

    /// Writes votes, and poll options with their tallies.
    pub(super) fn write_polls(&self) -> Result<()> {
        let columns = ["post_id", "member_id", "choice"];
        let mut rows = self.load.rows("poll_votes", &columns)?;
        let mut tallies = HashMap::<(u32, i64), i64>::new();
        for vote in &self.network.votes {
            rows.add(params![self.entry(vote.entry), self.member(vote.member), vote.value])?;
            *tallies.entry((vote.entry, vote.value)).or_default() += 1;
        }
        let columns = ["post_id", "choice", "votes"];
        let mut rows = self.load.rows("poll_choices", &columns)?;
        for (number, entry) in (0_u32..).zip(&self.network.entries) {
            for choice in 0..i64::from(entry.options) {
                let votes = tallies.get(&(number, choice)).copied().unwrap_or(0);
                rows.add(params![entry.id, choice, votes])?;
            }
        }
        Ok(())
    }

    /// Writes notifications. All but the newest were read after an hour.
    pub(super) fn write_notifications(&self) -> Result<()> {
        let mut notices = self.collect_notifications();
        notices.retain(|notice| notice.member != notice.actor);
        notices.sort_unstable();
        let mut rows = self.load.rows("notifications", NOTIFICATION)?;
        for notice in notices {
            let time = Id(notice.id).time();
            rows.add(params![
                self.member(notice.member),
                notice.id,
                notice.kind,
                self.member(notice.actor),
                notice.post,
                (time < self.network.until - UNREAD_AGE).then_some(time + HOUR),
            ])?;
        }
        Ok(())
    }

    fn collect_notifications(&self) -> Vec<NotificationRow> {
        let entries = &self.network.entries;
        let author = |number: u32| entries[number as usize].author;
        let follows = self.network.follows.iter().map(|edge| NotificationRow {
            member: edge.followee,
            id: edge.id,
            kind: NotificationKind::Follow as i64,
            actor: edge.follower,
            post: 0,
        });
        let likes = self.network.likes.iter().map(|like| NotificationRow {
            member: author(like.entry),
            id: like.value,
            kind: NotificationKind::Like as i64,
            actor: like.member,
            post: self.entry(like.entry),
        });
        let mut notices = follows.chain(likes).collect::<Vec<_>>();
        for entry in entries.iter().filter(|entry| entry.kind != EntryKind::Post) {
            let (kind, post) = match entry.kind {
                EntryKind::Repost => (NotificationKind::Repost, self.entry(entry.about)),
                _ => (NotificationKind::Reply, entry.id),
            };
            notices.push(NotificationRow {
                member: author(entry.about),
                id: entry.id,
                kind: kind as i64,
                actor: entry.author,
                post,
            });
        }
        for (number, member) in &self.mentions {
            let entry = &entries[*number as usize];
            // The author of the parent gets a notification of the reply instead.
            if entry.kind != EntryKind::Reply || author(entry.about) != *member {
                notices.push(NotificationRow {
                    member: *member,
                    id: entry.id,
                    kind: NotificationKind::Mention as i64,
                    actor: entry.author,
                    post: entry.id,
                });
            }
        }
        notices
    }
}
