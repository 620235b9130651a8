//! The model's rows as JSON for one viewer.

use crate::calendar::{DAY, wire};
use crate::model::{Kind, Model};
use crate::safety::gap;
use serde_json::{Map, Value, json};

impl Model {
    /// A member's name, id and picture.
    pub(crate) fn show_ref(&self, member: usize) -> Value {
        let shown = &self.members[member];
        json!({
            "id": shown.id,
            "username": shown.names.last(),
            "displayName": shown.display_name,
            "profileImageUrl": null,
        })
    }

    /// A post as the viewer sees it.
    pub(crate) fn show_post(&self, viewer: usize, post: usize) -> Value {
        let shown = &self.posts[post];
        let poll_ends = shown.poll.as_ref().map(|poll| wire(poll.ends));
        let (reply_to, repost_of) = match shown.kind {
            Kind::Post => (None, None),
            Kind::Reply(parent) => (Some(parent), None),
            Kind::Repost(original) => (None, Some(original)),
        };
        let apart = |post: usize| self.is_block_between(viewer, self.posts[post].author);
        let mut value = json!({
            "id": shown.id,
            "content": shown.content,
            "author": self.show_ref(shown.author),
            "createdAt": wire(shown.at),
            "imageUrls": [],
            "images": [],
            "pollExpiresAt": poll_ends,
            "replyToId": reply_to.map(|parent| &self.posts[parent].id),
            "replyTo": reply_to.filter(|parent| !apart(*parent)).map(|parent| json!({
                "id": self.posts[parent].id,
                "author": self.show_ref(self.posts[parent].author),
            })),
            "repostOfId": repost_of.map(|original| &self.posts[original].id),
            "repostOf": repost_of.map(|original| self.show_post(viewer, original)),
            "hashtags": shown.hashtags.iter().map(|hashtag| json!({
                "tag": hashtag.tag, "start": hashtag.start, "end": hashtag.end,
            })).collect::<Vec<_>>(),
            "links": [],
            "mentions": shown.mentions.iter().map(|mention| json!({
                "username": mention.name, "start": mention.start, "end": mention.end,
            })).collect::<Vec<_>>(),
            "replyCount": self.replies(post).len(),
            "repostCount": self.repost_count(post),
            "likeCount": self.likes.iter().filter(|like| like.1 == post).count(),
            "isLiked": self.likes.contains(&(viewer, post)),
            "isReposted": self.repost_by(viewer, post).is_some(),
            "isDeleted": shown.is_gone,
            "isHidden": false,
            "isMuted": self.mutes.contains(&(viewer, shown.author)),
            // Only For You and suggestions have reasons.
            "reason": null,
            "reposters": null,
        });
        if let Value::Object(fields) = &mut value {
            self.show_poll(viewer, post, fields);
        }
        if apart(post) { gap(value) } else { value }
    }

    fn show_poll(&self, viewer: usize, post: usize, fields: &mut Map<String, Value>) {
        let options = self.posts[post].poll.as_ref().map_or(&[][..], |poll| &poll.options);
        let (mut votes, mut tallies, mut mine) = (Map::new(), Map::new(), Value::Null);
        for option in options {
            let voters =
                self.votes.iter().filter(|vote| vote.post == post && vote.option == *option);
            let (own, others): (Vec<_>, Vec<_>) = voters.partition(|vote| vote.member == viewer);
            tallies.insert(option.clone(), json!(own.len() + others.len()));
            // Other voters are counted, not named.
            let mut listed = (1..=others.len()).map(|n| format!("voter-{n}")).collect::<Vec<_>>();
            if !own.is_empty() {
                listed.push(self.members[viewer].id.clone());
                mine = json!(option);
            }
            votes.insert(option.clone(), json!(listed));
        }
        fields.insert("pollOptions".to_owned(), json!(options));
        fields.insert("pollVotes".to_owned(), votes.into());
        fields.insert("pollTallies".to_owned(), tallies.into());
        fields.insert("pollMyVote".to_owned(), mine);
    }

    /// A profile as the viewer sees it.
    pub(crate) fn show_user(&self, viewer: usize, member: usize) -> Value {
        let shown = &self.members[member];
        let edges = |pick: fn(&(usize, usize)) -> usize| {
            self.follows.iter().filter(|edge| pick(edge) == member).count()
        };
        json!({
            "id": shown.id,
            "username": shown.names.last(),
            "displayName": shown.display_name,
            "bio": "",
            "website": "",
            "profileImageUrl": null,
            "headerImageUrl": null,
            "createdAt": wire(shown.joined),
            "followerCount": edges(|edge| edge.1),
            "followingCount": edges(|edge| edge.0),
            "postCount": self.post_count(member),
            "isFollowing": self.follows(viewer, member),
            "followsYou": self.follows(member, viewer),
            "isBlocked": self.blocks.contains(&(viewer, member)),
            "blocksMe": self.blocks.contains(&(member, viewer)),
            "isMuted": self.mutes.contains(&(viewer, member)),
            "invitedBy": shown.invited_by.filter(|inviter| !self.is_block_between(viewer, *inviter))
                .map(|inviter| self.show_ref(inviter)),
            "suspendedAt": null,
        })
    }

    /// The member's own profile.
    pub(crate) fn show_me(&self, member: usize) -> Value {
        let mut value = self.show_user(member, member);
        let unread = |row: &usize| !self.notifications[*row].is_read;
        let unread = self.notifications_of(member).into_iter().filter(unread).count();
        value["email"] = json!(self.members[member].email);
        value["invitesAvailable"] = json!(self.invites_available(member));
        value["unreadNotificationCount"] = json!(unread);
        // The first member is the founder.
        value["role"] = json!(if member == 0 { "admin" } else { "member" });
        value["usernameIsProvisional"] = json!(!self.members[member].has_chosen);
        value
    }

    /// A notification, without its id.
    pub(crate) fn show_notification(&self, row: usize) -> Value {
        let shown = &self.notifications[row];
        json!({
            "type": shown.kind,
            "isRead": shown.is_read,
            "createdAt": wire(shown.at),
            "actor": self.show_ref(shown.actor),
            "post": shown.post.map(|post| json!({
                "id": self.posts[post].id, "content": self.posts[post].content,
            })),
        })
    }

    /// An invite code.
    pub(crate) fn show_invite(&self, invite: usize) -> Value {
        let shown = &self.invites[invite];
        json!({
            "id": shown.id,
            "code": shown.code,
            "isUsed": shown.used.is_some(),
            "createdAt": wire(shown.made),
            "expiresAt": wire(shown.made + 7 * DAY),
            "usedAt": shown.used.map(|(_, at)| wire(at)),
            "usedBy": shown.used.map(|(member, _)| self.show_ref(member)),
        })
    }
}
