//! Query and events of a stream.

use crate::features::posts::PostCounts;
use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Maximum posts whose counts a stream sends.
pub(super) const MAX_POSTS: usize = 60;

/// What a stream sends besides notifications.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Id of the newest row of the Friends feed on screen, from which on new posts are counted; 0 for an empty feed.
    #[param(
        min_length = 1,
        max_length = 19,
        pattern = "^(0|[1-9][0-9]*)$",
        example = "247513998712340480"
    )]
    pub feed: Option<String>,
    /// Ids of the posts on screen, whose counts are sent, separated by commas; at most 60.
    #[param(
        min_length = 1,
        max_length = 1_199,
        pattern = "^[1-9][0-9]*(,[1-9][0-9]*)*$",
        example = "247513998712340480,247513998712340481"
    )]
    pub posts: Option<String>,
}

impl EventsQuery {
    /// Returns the newest row of the feed on screen, if any, and the posts on screen in ascending order. 400 for anything
    /// but ids.
    pub(super) fn parse(&self) -> Result<(Option<Id>, Box<[i64]>)> {
        let feed = match self.feed.as_deref() {
            None => None,
            Some("0") => Some(Id::NONE),
            Some(text) => Some(parse_id(text).ok_or_else(bad_feed)?),
        };
        let posts = self.posts.as_deref().map(|posts| posts.split(',').map(parse_id));
        let posts = posts.map(Iterator::collect::<Option<Vec<_>>>);
        let posts = posts.map_or(Some(Vec::new()), |posts| posts).ok_or_else(bad_posts)?;
        if posts.len() > MAX_POSTS {
            return Err(bad_posts());
        }
        let mut posts = posts.into_iter().map(|post| post.0).collect::<Vec<_>>();
        posts.sort_unstable();
        posts.dedup();
        Ok((feed, posts.into_boxed_slice()))
    }
}

fn parse_id(text: &str) -> Option<Id> {
    Some(Id::parse(text)).filter(|id| *id != Id::NONE)
}

pub(super) fn bad_feed() -> ApiError {
    ApiError::missing_field("feed", "The newest post of the feed must be an id.")
}

pub(super) fn bad_posts() -> ApiError {
    ApiError::missing_field("posts", "The posts must be at most 60 ids, separated by commas.")
}

/// Event `notifications`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct UnreadEvent {
    /// Number of unread notifications, as in the current user.
    #[schema(minimum = 0, maximum = 1000, example = 3)]
    pub unread: i64,
}

/// Event `feed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct NewPostsEvent {
    /// Number of posts of the Friends feed that are newer than the one on screen, without the viewer's own; 21 if
    /// there are more than 20.
    #[schema(minimum = 0, maximum = 21, example = 4)]
    pub count: usize,
}

/// Data of an event.
#[derive(Debug, Serialize, ToSchema)]
#[schema(examples(json!({"unread": 3})))]
#[serde(untagged)]
pub(super) enum EventData {
    Notifications(UnreadEvent),
    Feed(NewPostsEvent),
    Counts(PostCounts),
}

impl EventData {
    pub(super) const fn event_name(&self) -> &'static str {
        match self {
            Self::Notifications(_) => "notifications",
            Self::Feed(_) => "feed",
            Self::Counts(_) => "counts",
        }
    }
}

/// What a stream has sent last.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct SentState {
    pub(super) unread: Option<UnreadEvent>,
    pub(super) new_posts: Option<NewPostsEvent>,
    /// Hashes of the counts of the stream's posts, in their order; 0 for counts that were not sent.
    pub(super) counts: Box<[u32]>,
}
