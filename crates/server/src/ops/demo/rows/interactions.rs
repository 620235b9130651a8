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
        let mut rows = self.loader.rows("likes", &["post_id", "member_id", "id"])?;
        for like in &self.network.likes {
            rows.add(params![self.entry_id(like.entry), self.member_id(like.member), like.value])?;
        }
        let mut likes = self.network.likes.clone();
        likes.sort_unstable_by_key(|like| (like.member, like.value));
        let columns = ["member_id", "post_id", "id"];
        let mut rows = self.loader.rows("member_likes", &columns)?;
        for like in likes {
            rows.add(params![self.member_id(like.member), self.entry_id(like.entry), like.value])?;
        }
        Ok(())
    }

    pub(super) fn write_reposts(&self) -> Result<()> {
        let columns = ["post_id", "member_id", "repost_id"];
        let mut rows = self.loader.rows("reposts", &columns)?;
        for repost in self.network.reposts() {
            let (post, member) = (self.entry_id(repost.entry), self.member_id(repost.member));
            rows.add(params![post, member, self.entry_id(repost.value as u32)])?;
        }
        Ok(())
    }

    /// Writes votes, and poll options with their tallies.
    pub(super) fn write_polls(&self) -> Result<()> {
        let columns = ["post_id", "member_id", "choice"];
        let mut rows = self.loader.rows("poll_votes", &columns)?;
        let mut tallies = HashMap::<(u32, i64), i64>::new();
        for vote in &self.network.votes {
            rows.add(params![self.entry_id(vote.entry), self.member_id(vote.member), vote.value])?;
            *tallies.entry((vote.entry, vote.value)).or_default() += 1;
        }
        let columns = ["post_id", "choice", "votes"];
        let mut rows = self.loader.rows("poll_choices", &columns)?;
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
        let mut notifications = self.collect_notifications();
        notifications.retain(|notification| notification.member != notification.actor);
        notifications.sort_unstable();
        let mut rows = self.loader.rows("notifications", NOTIFICATION)?;
        for notification in notifications {
            let time = Id(notification.id).time();
            rows.add(params![
                self.member_id(notification.member),
                notification.id,
                notification.kind,
                self.member_id(notification.actor),
                notification.post,
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
            post: self.entry_id(like.entry),
        });
        let mut notifications = follows.chain(likes).collect::<Vec<_>>();
        for entry in entries.iter().filter(|entry| entry.kind != EntryKind::Post) {
            let (kind, post) = match entry.kind {
                EntryKind::Repost => (NotificationKind::Repost, self.entry_id(entry.about)),
                _ => (NotificationKind::Reply, entry.id),
            };
            notifications.push(NotificationRow {
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
                notifications.push(NotificationRow {
                    member: *member,
                    id: entry.id,
                    kind: NotificationKind::Mention as i64,
                    actor: entry.author,
                    post: entry.id,
                });
            }
        }
        notifications
    }
}
