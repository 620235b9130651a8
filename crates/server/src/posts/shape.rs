//! A post on the wire.

use crate::ids::Id;
use crate::media::Image;
use crate::reason::Reason;
use crate::users::MemberRef;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A post, a reply or a repost, as one reader sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// The post's id; larger is newer.
    pub id: Id,
    /// The text, at most 500 characters as people count them (grapheme clusters) in at most 5,000
    /// bytes; of a repost, perhaps none.
    pub content: String,
    /// Who wrote (or reposted) it.
    pub author: MemberRef,
    /// When.
    pub created_at: String,
    /// Addresses of the images, at most 4.
    #[schema(max_items = 4)]
    pub image_urls: Vec<String>,
    /// The same images with what a page needs to place them.
    #[schema(max_items = 4)]
    pub images: Vec<Image>,
    /// The poll's options, empty without a poll.
    #[schema(max_items = 4)]
    pub poll_options: Vec<String>,
    /// For each option, at most 100 opaque voters; the reader's own id is real.
    pub poll_votes: BTreeMap<String, Vec<String>>,
    /// For each option, the exact number of votes.
    pub poll_tallies: BTreeMap<String, i64>,
    /// The option the reader voted for.
    #[schema(min_length = 1, max_length = 600)]
    pub poll_my_vote: Option<String>,
    /// When the poll ends.
    pub poll_expires_at: Option<String>,
    /// The post this one answers.
    pub reply_to_id: Option<Id>,
    /// The same, with its author.
    pub reply_to: Option<ReplyTo>,
    /// The post this one reposts.
    pub repost_of_id: Option<Id>,
    /// The same, whole; null when it is gone.
    #[schema(no_recursion)]
    pub repost_of: Option<Box<Post>>,
    /// Members named in the text, by their place in it.
    #[schema(max_items = 50)]
    pub mentions: Vec<Mention>,
    /// Hashtags in the text, by their place in it.
    #[schema(max_items = 30)]
    pub hashtags: Vec<Hashtag>,
    /// Replies to it.
    pub reply_count: i64,
    /// Reposts of it.
    pub repost_count: i64,
    /// Likes of it.
    pub like_count: i64,
    /// Whether the reader likes it.
    pub is_liked: bool,
    /// Whether the reader reposted it.
    pub is_reposted: bool,
    /// Whether it was deleted: only its place in a thread is left.
    pub is_deleted: bool,
    /// Whether the reader wants it, and may have it.
    #[serde(flatten)]
    pub sight: Sight,
    /// Why it is shown, in the For You feed; null elsewhere.
    pub reason: Option<Reason>,
}

/// What keeps a post from its reader.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Sight {
    /// Whether it is not for this reader, because of a block or a suspension: only its place in a
    /// thread is left, as of a deleted post, and its author is nobody.
    pub is_hidden: bool,
    /// Whether the reader muted its author.
    pub is_muted: bool,
}

/// What a reply answers.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReplyTo {
    /// The post.
    pub id: Id,
    /// Its author.
    pub author: MemberRef,
}

/// A member named in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Mention {
    /// Who, without the @.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
    /// Where the @ stands, in UTF-16 units.
    #[schema(example = 6)]
    pub start: usize,
    /// Where the name ends, in UTF-16 units.
    #[schema(example = 10)]
    pub end: usize,
}

/// A hashtag in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hashtag {
    /// The tag without the #, in the form in which tags are compared and listed.
    #[schema(min_length = 1, max_length = 500, example = "webdev")]
    pub tag: String,
    /// Where the # stands, in UTF-16 units.
    pub start: usize,
    /// Where the tag ends, in UTF-16 units.
    pub end: usize,
}

/// A post with what it answers and what was answered to it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Thread {
    /// What the post answers, the oldest first: at most the 20 nearest.
    #[schema(max_items = 20)]
    pub ancestors: Vec<Post>,
    /// The post.
    pub post: Post,
    /// Its replies, oldest first, the author's own before the others, each followed by the replies to it.
    #[schema(max_items = 400)]
    pub replies: Vec<Post>,
}
