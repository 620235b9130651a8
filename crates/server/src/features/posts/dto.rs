//! Response types of posts.

use crate::features::media::Image;
use crate::features::members::MemberRef;
use crate::features::recommendation_reason::Reason;
use crate::platform::ids::Id;
use kith_text::{Hashtag, Link, Mention};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A post, reply or repost, as the viewer sees it.
// Only for the OpenAPI document: `view` writes posts from the cached JSON of a `SharedPost`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// Fields that are equal for all viewers.
    #[serde(flatten)]
    pub shared: SharedPost,
    /// The complete reposted post; null if it is unavailable or this is not a repost.
    #[schema(no_recursion)]
    pub repost_of: Option<Box<Post>>,
    /// Fields that depend on the viewer.
    #[serde(flatten)]
    pub viewer: ViewerState<'static>,
    /// Fields that depend on the list.
    #[serde(flatten)]
    pub list: ListFields,
}

/// The fields of a post that are equal for all viewers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedPost {
    /// Id of the post. Newer posts have larger ids.
    pub id: Id,
    /// Text of the post, at most 500 characters (grapheme clusters) in at most 5,000 bytes. May be empty for
    /// a repost.
    pub content: String,
    /// Member who wrote or reposted the post.
    pub author: MemberRef,
    /// Time of creation.
    pub created_at: String,
    /// URLs of the images, at most 4.
    #[schema(max_items = 4)]
    pub image_urls: Vec<String>,
    /// Images with sizes, alternative texts and previews, in the order of `imageUrls`.
    #[schema(max_items = 4)]
    pub images: Vec<Image>,
    /// Options of the poll; empty if there is no poll.
    #[schema(max_items = 4)]
    pub poll_options: Vec<String>,
    /// Time at which the poll ends; null if there is no poll.
    pub poll_expires_at: Option<String>,
    /// Id of the post that this one replies to; null if it is not a reply.
    pub reply_to_id: Option<Id>,
    /// Id of the post that this one reposts; null if it is not a repost.
    pub repost_of_id: Option<Id>,
    /// Members mentioned in the text, in order of their position.
    #[schema(max_items = 50)]
    pub mentions: Vec<Mention>,
    /// Hashtags in the text, in order of their position.
    #[schema(max_items = 30)]
    pub hashtags: Vec<Hashtag>,
    /// Links in the text, in order of their position.
    #[schema(max_items = 62)]
    pub links: Vec<Link>,
    /// Number of replies.
    pub reply_count: i64,
    /// Number of reposts.
    pub repost_count: i64,
    /// Number of likes.
    pub like_count: i64,
    /// Whether the post is deleted and only a tombstone in its thread remains.
    pub is_deleted: bool,
}

/// The fields of a post that depend on the viewer.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a field that clients read")]
pub struct ViewerState<'a> {
    /// Voters of each option, at most 100 opaque ids. Only the viewer's own id is a member id.
    pub poll_votes: BTreeMap<String, Vec<String>>,
    /// Exact number of votes for each option.
    pub poll_tallies: BTreeMap<String, i64>,
    /// Option that the viewer voted for; null if there is none.
    #[schema(min_length = 1, max_length = 600)]
    pub poll_my_vote: Option<String>,
    /// The post that this one replies to, with its author; null if it is unavailable or this is not a reply.
    #[schema(value_type = Option<ReplyTo>)]
    pub reply_to: Option<&'a RawValue>,
    /// Whether the viewer likes the post.
    pub is_liked: bool,
    /// Whether the viewer reposted the post.
    pub is_reposted: bool,
    /// Whether a block or a suspension hides the post from the viewer. Only a tombstone in its thread
    /// remains, as for a deleted post, and its author is anonymous.
    pub is_hidden: bool,
    /// Whether the viewer muted the author.
    pub is_muted: bool,
}

impl ViewerState<'_> {
    /// Returns whether all fields have their default.
    pub(super) fn is_default(&self) -> bool {
        let Self {
            poll_votes,
            poll_tallies,
            poll_my_vote: None,
            reply_to: None,
            is_liked: false,
            is_reposted: false,
            is_hidden: false,
            is_muted: false,
        } = self
        else {
            return false;
        };
        poll_votes.is_empty() && poll_tallies.is_empty()
    }
}

/// The fields of a post that only certain lists set.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ListFields {
    /// Reason for the recommendation in the For You feed; null elsewhere.
    pub reason: Option<Reason>,
    /// Members who reposted the post, in the Friends feed, if at least two of the viewer and the followed
    /// members did; null otherwise.
    pub reposters: Option<Reposters>,
}

/// The members who reposted a post, among the viewer and the members the viewer follows.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Reposters {
    /// The two most recent reposters, newest first.
    #[schema(max_items = 2)]
    pub members: Vec<MemberRef>,
    /// Number of reposters.
    #[schema(minimum = 2, example = 3)]
    pub count: usize,
}

/// The post that a reply replies to.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ReplyTo {
    /// Id of the post.
    pub id: Id,
    /// Author of the post.
    pub author: MemberRef,
}

/// A post with its ancestors and replies.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thread {
    /// Id of the first post of the conversation, if it is above the 20 nearest ancestors; null otherwise.
    pub root_id: Option<Id>,
    /// Ancestors of the post, oldest first: at most the 20 nearest.
    #[schema(max_items = 20)]
    pub ancestors: Vec<Post>,
    /// The post.
    pub post: Post,
    /// Replies to the post, oldest first, those by its author before others, each followed by the replies to
    /// it.
    #[schema(max_items = 400)]
    pub replies: Vec<Post>,
}

/// Filter of a member's posts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Filter)]
pub enum AuthorPostFilter {
    /// Posts, replies and reposts.
    #[default]
    All,
    /// Posts and reposts without replies.
    Posts,
    /// Only replies.
    Replies,
    /// Only posts with images.
    Media,
    /// Posts that the member likes, newest like first.
    Likes,
}
