//! The model's rules for blocks and mutes.

use crate::actions::Which;
use crate::diff::differences;
use crate::model::{INVALID, Kind, Model, NO_POST, NO_USER, Post, Rejection};
use crate::perform::{among, unknown};
use crate::world::World;
use serde_json::{Value, json};

/// Rejects an interaction with a member blocked by the viewer.
const YOU_BLOCKED: Rejection = (403, "you_blocked");
/// Rejects an interaction with a member who blocked the viewer.
const BLOCKS_YOU: Rejection = (403, "blocks_you");

impl Model {
    /// Whether either of two members blocked the other.
    pub(crate) fn is_block_between(&self, one: usize, other: usize) -> bool {
        self.blocks.contains(&(one, other)) || self.blocks.contains(&(other, one))
    }

    /// Whether a viewer's lists hide a member.
    pub(crate) fn hides(&self, viewer: usize, member: usize) -> bool {
        self.is_block_between(viewer, member) || self.mutes.contains(&(viewer, member))
    }

    /// Whether `hidden` is false for the author and, of a repost, for the original's author.
    pub(crate) fn is_by_others(&self, post: &Post, hidden: impl Fn(usize) -> bool) -> bool {
        let original = match post.kind {
            Kind::Repost(original) => &self.posts[original],
            _ => post,
        };
        !hidden(post.author) && !hidden(original.author)
    }

    /// The original for an interaction; an error if a block exists with its author or with the reposting member.
    pub(crate) fn reached(&self, who: usize, post: Option<usize>) -> Result<usize, Rejection> {
        let original = self.original(post)?;
        for post in post.into_iter().chain([original]) {
            self.check(who, self.posts[post].author)?;
        }
        Ok(original)
    }

    /// The original, if the viewer sees it.
    pub(crate) fn seen(&self, who: usize, post: Option<usize>) -> Result<usize, Rejection> {
        self.reached(who, post).map_err(|_| NO_POST)
    }

    /// Returns an error if a block exists between two members.
    pub(crate) fn check(&self, who: usize, target: usize) -> Result<(), Rejection> {
        if self.blocks.contains(&(who, target)) {
            Err(YOU_BLOCKED)
        } else if self.blocks.contains(&(target, who)) {
            Err(BLOCKS_YOU)
        } else {
            Ok(())
        }
    }

    /// Blocks or unblocks. A block ends follows and deletes unread notifications.
    fn block(&mut self, who: usize, target: Option<usize>, on: bool) -> Result<(), Rejection> {
        let target = target.ok_or(NO_USER)?;
        if on && who == target {
            return Err(INVALID);
        }
        if on && !self.blocks.contains(&(who, target)) {
            self.blocks.push((who, target));
            let between =
                |one, other| (one, other) == (who, target) || (other, one) == (who, target);
            self.unfollow(|(one, other)| between(one, other));
            self.notifications.retain(|row| row.is_read || !between(row.to, row.actor));
        }
        if !on {
            self.blocks.retain(|block| *block != (who, target));
        }
        Ok(())
    }

    /// Mutes or unmutes.
    fn mute(&mut self, who: usize, target: Option<usize>, on: bool) -> Result<(), Rejection> {
        let target = target.ok_or(NO_USER)?;
        if on && who == target {
            return Err(INVALID);
        }
        if !on {
            self.mutes.retain(|mute| *mute != (who, target));
        } else if !self.mutes.contains(&(who, target)) {
            self.mutes.push((who, target));
        }
        Ok(())
    }
}

/// A hidden post in a thread, without content and author.
pub(crate) fn gap(mut shown: Value) -> Value {
    let hidden = json!({
        "id": "0", "username": "_", "displayName": "Hidden", "profileImageUrl": null,
    });
    let changes = json!({
        "content": "", "author": hidden, "mentions": [], "hashtags": [],
        "pollExpiresAt": null, "pollOptions": [], "pollVotes": {}, "pollTallies": {},
        "pollMyVote": null, "repostCount": 0, "likeCount": 0, "isLiked": false,
        "isReposted": false, "isDeleted": true, "isHidden": true, "isMuted": false,
    });
    if let (Value::Object(fields), Value::Object(changes)) = (&mut shown, changes) {
        fields.extend(changes);
    }
    shown
}

impl World {
    /// Blocks, mutes, unblocks or unmutes.
    pub(crate) async fn block_or_mute(
        &mut self,
        who: usize,
        which: Which,
        (list, on): (&str, bool),
    ) -> Result<(), String> {
        let target = among(which, self.model.members.len());
        let id =
            target.map_or_else(|| unknown(which), |target| self.model.members[target].id.clone());
        let (done, field) = if list == "blocks" {
            (self.model.block(who, target, on), "isBlocked")
        } else {
            (self.model.mute(who, target, on), "isMuted")
        };
        let expected = done.map(|()| 200);
        let method = if on { "POST" } else { "DELETE" };
        let path = format!("/api/{list}/{id}");
        let answer = self.expect(who, (method, &path), None, None, expected).await?;
        match expected {
            Ok(_) => differences("the answer", &json!({field: on}), &answer),
            Err(_) => Ok(()),
        }
    }

    /// Compares the lists of blocked and muted members, newest first.
    pub(crate) async fn compare_blocks_and_mutes(&mut self, viewer: usize) -> Result<(), String> {
        let lists = [("/api/blocks?", &self.model.blocks), ("/api/mutes?", &self.model.mutes)];
        let lists = lists.map(|(path, edges)| {
            let mine = edges.iter().rev().filter(|edge| edge.0 == viewer);
            let shown = mine.map(|edge| self.model.show_user(viewer, edge.1));
            (path, shown.collect::<Vec<_>>())
        });
        for (path, expected) in lists {
            let sizes = Some(crate::actions::Sizes(1, 2, 0));
            self.compare_list(viewer, path, &expected, sizes).await?;
        }
        Ok(())
    }
}
