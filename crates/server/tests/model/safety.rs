//! The model's rules for who is kept away from whom.

use crate::actions::Which;
use crate::diff::differences;
use crate::model::{INVALID, Kind, Model, NO_POST, NO_USER, Post, Refusal};
use crate::perform::{among, unknown};
use crate::world::World;
use serde_json::{Value, json};

/// What one would do to somebody whom one blocked.
const YOU_BLOCKED: Refusal = (403, "you_blocked");
/// The same the other way round.
const BLOCKS_YOU: Refusal = (403, "blocks_you");

impl Model {
    /// Whether one of two members blocked the other.
    pub(crate) fn is_apart(&self, one: usize, other: usize) -> bool {
        self.blocks.contains(&(one, other)) || self.blocks.contains(&(other, one))
    }

    /// Whether a reader's lists leave a member out whom they were not asked for.
    pub(crate) fn hides(&self, reader: usize, member: usize) -> bool {
        self.is_apart(reader, member) || self.mutes.contains(&(reader, member))
    }

    /// Whether neither who posted nor, of a repost, who wrote the original is one of those.
    pub(crate) fn is_by_others(&self, post: &Post, hidden: impl Fn(usize) -> bool) -> bool {
        let original = match post.kind {
            Kind::Repost(original) => &self.posts[original],
            _ => post,
        };
        !hidden(post.author) && !hidden(original.author)
    }

    /// The post that is meant, for a deed that a block refuses, also one of a member who reposted it.
    pub(crate) fn reached(&self, who: usize, post: Option<usize>) -> Result<usize, Refusal> {
        let original = self.original(post)?;
        for post in post.into_iter().chain([original]) {
            self.check(who, self.posts[post].author)?;
        }
        Ok(original)
    }

    /// The post that is meant, if `who` sees it.
    pub(crate) fn seen(&self, who: usize, post: Option<usize>) -> Result<usize, Refusal> {
        self.reached(who, post).map_err(|_| NO_POST)
    }

    /// Refuses while a block is between two members.
    pub(crate) fn check(&self, who: usize, whom: usize) -> Result<(), Refusal> {
        if self.blocks.contains(&(who, whom)) {
            Err(YOU_BLOCKED)
        } else if self.blocks.contains(&(whom, who)) {
            Err(BLOCKS_YOU)
        } else {
            Ok(())
        }
    }

    /// Blocks, or does not for long. A block ends follows, and takes back what was told and not read.
    fn block(&mut self, who: usize, whom: Option<usize>, on: bool) -> Result<(), Refusal> {
        let whom = whom.ok_or(NO_USER)?;
        if on && who == whom {
            return Err(INVALID);
        }
        if on && !self.blocks.contains(&(who, whom)) {
            self.blocks.push((who, whom));
            let between = |one, other| (one, other) == (who, whom) || (other, one) == (who, whom);
            self.unfollow(|(one, other)| between(one, other));
            self.notifications
                .retain(|row| row.is_read || !between(row.to, row.actor));
        }
        if !on {
            self.blocks.retain(|block| *block != (who, whom));
        }
        Ok(())
    }

    /// Mutes, or does not for long.
    fn mute(&mut self, who: usize, whom: Option<usize>, on: bool) -> Result<(), Refusal> {
        let whom = whom.ok_or(NO_USER)?;
        if on && who == whom {
            return Err(INVALID);
        }
        if !on {
            self.mutes.retain(|mute| *mute != (who, whom));
        } else if !self.mutes.contains(&(who, whom)) {
            self.mutes.push((who, whom));
        }
        Ok(())
    }
}

/// A post that the reader does not see, in a thread: its place alone is left.
pub(crate) fn gap(mut shown: Value) -> Value {
    let nobody = json!({
        "id": "0", "username": "_", "displayName": "Hidden", "profileImageUrl": null,
    });
    let changes = json!({
        "content": "", "author": nobody, "mentions": [], "hashtags": [],
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
    /// Blocks or mutes somebody, or takes it back.
    pub(crate) async fn keep_away(
        &mut self,
        who: usize,
        which: Which,
        (list, on): (&str, bool),
    ) -> Result<(), String> {
        let whom = among(which, self.model.members.len());
        let id = whom.map_or_else(
            || unknown(which),
            |whom| self.model.members[whom].id.clone(),
        );
        let (done, field) = if list == "blocks" {
            (self.model.block(who, whom, on), "isBlocked")
        } else {
            (self.model.mute(who, whom, on), "isMuted")
        };
        let expected = done.map(|()| 200);
        let method = if on { "POST" } else { "DELETE" };
        let path = format!("/api/{list}/{id}");
        let answer = self
            .expect(who, (method, &path), None, None, expected)
            .await?;
        match expected {
            Ok(_) => differences("the answer", &json!({field: on}), &answer),
            Err(_) => Ok(()),
        }
    }

    /// Whom a member blocked and muted, the newest first.
    pub(crate) async fn look_at_those_kept_away(&mut self, reader: usize) -> Result<(), String> {
        let lists = [
            ("/api/blocks?", &self.model.blocks),
            ("/api/mutes?", &self.model.mutes),
        ];
        let lists = lists.map(|(path, edges)| {
            let mine = edges.iter().rev().filter(|edge| edge.0 == reader);
            let shown = mine.map(|edge| self.model.show_user(reader, edge.1));
            (path, shown.collect::<Vec<_>>())
        });
        for (path, expected) in lists {
            let sizes = Some(crate::actions::Sizes(1, 2, 0));
            self.look_at_list(reader, path, &expected, sizes).await?;
        }
        Ok(())
    }
}
