//! Response types of posts.

use crate::features::media::Image;
use crate::features::members::MemberRef;
use crate::features::recommendation_reason::Reason;
use crate::platform::ids::Id;
use kith_text::{Hashtag, Link, Mention};
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A post, a reply or a repost, as one viewer sees it.
// Only for the OpenAPI document: `view` writes posts from the cached JSON of a `SharedPost`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// What every viewer sees.
    #[serde(flatten)]
    pub shared: SharedPost,
    /// The post this one reposts, whole; null when it is gone.
    #[schema(no_recursion)]
    pub repost_of: Option<Box<Post>>,
    /// What depends on the viewer.
    #[serde(flatten)]
    pub viewer: ViewerState<'static>,
}

/// The part of a post that every viewer sees.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedPost {
    /// The post's id; larger is newer.
    pub id: Id,
    /// The text, at most 500 characters as people count them (grapheme clusters) in at most 5,000
    /// bytes; of a repost, perhaps none.
    pub content: String,
    /// The member who wrote (or reposted) it.
    pub author: MemberRef,
    /// When.
    pub created_at: String,
    /// URLs of the images, at most 4.
    #[schema(max_items = 4)]
    pub image_urls: Vec<String>,
    /// The same images with what a page needs to place them.
    #[schema(max_items = 4)]
    pub images: Vec<Image>,
    /// The poll's options, empty without a poll.
    #[schema(max_items = 4)]
    pub poll_options: Vec<String>,
    /// When the poll ends.
    pub poll_expires_at: Option<String>,
    /// The post this one replies to.
    pub reply_to_id: Option<Id>,
    /// The post this one reposts.
    pub repost_of_id: Option<Id>,
    /// Members named in the text, by their place in it.
    #[schema(max_items = 50)]
    pub mentions: Vec<Mention>,
    /// Hashtags in the text, by their place in it.
    #[schema(max_items = 30)]
    pub hashtags: Vec<Hashtag>,
    /// Links in the text, by their place in it.
    #[schema(max_items = 62)]
    pub links: Vec<Link>,
    /// Replies to it.
    pub reply_count: i64,
    /// Reposts of it.
    pub repost_count: i64,
    /// Likes of it.
    pub like_count: i64,
    /// Whether it was deleted: only its place in a thread is left.
    pub is_deleted: bool,
}

/// The part of a post that depends on its viewer, or on the list that shows it.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field that clients read"
)]
pub struct ViewerState<'a> {
    /// For each option, at most 100 opaque voters; the viewer's own id is real.
    pub poll_votes: BTreeMap<String, Vec<String>>,
    /// For each option, the exact number of votes.
    pub poll_tallies: BTreeMap<String, i64>,
    /// The option the viewer voted for.
    #[schema(min_length = 1, max_length = 600)]
    pub poll_my_vote: Option<String>,
    /// The post this one replies to, with its author.
    #[schema(value_type = Option<ReplyTo>)]
    pub reply_to: Option<&'a RawValue>,
    /// Whether the viewer likes it.
    pub is_liked: bool,
    /// Whether the viewer reposted it.
    pub is_reposted: bool,
    /// Whether it is not for this viewer, because of a block or a suspension: only its place in a
    /// thread is left, as of a deleted post, and its author is nobody.
    pub is_hidden: bool,
    /// Whether the viewer muted its author.
    pub is_muted: bool,
    /// Why it is shown, in the For You feed; null elsewhere.
    pub reason: Option<Reason>,
    /// The members who reposted it, in the Friends feed when several of those that the viewer follows and the viewer
    /// did; null elsewhere.
    pub reposters: Option<Reposters>,
}

/// Those that the reader follows, and the reader, who reposted a post.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Reposters {
    /// The two who did last, the last one first.
    #[schema(max_items = 2)]
    pub members: Vec<MemberRef>,
    /// How many there are.
    #[schema(minimum = 2, example = 3)]
    pub count: usize,
}

/// What a reply answers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ReplyTo {
    /// The post.
    pub id: Id,
    /// Its author.
    pub author: MemberRef,
}

/// A post with what it answers and what was answered to it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thread {
    /// The post that the conversation began with, when it is further above than the 20 nearest.
    pub root_id: Option<Id>,
    /// What the post answers, the oldest first: at most the 20 nearest.
    #[schema(max_items = 20)]
    pub ancestors: Vec<Post>,
    /// The post.
    pub post: Post,
    /// Its replies, oldest first, the author's own before the others, each followed by the replies to it.
    #[schema(max_items = 400)]
    pub replies: Vec<Post>,
}
