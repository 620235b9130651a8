//! State of the hashtag routes.

use crate::features::posts::PostsState;
use crate::features::tags::dto::TrendingTag;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Mutex;

/// State of the hashtag routes.
#[derive(Debug)]
pub struct TagsState {
    platform: Platform,
    /// State of the post routes, with the cached posts.
    pub(crate) posts: Arc<PostsState>,
    /// Cached trending hashtags.
    pub(crate) trending: TrendingCache,
}

impl TagsState {
    pub(crate) fn new(platform: Platform, posts: Arc<PostsState>) -> Self {
        Self { platform, posts, trending: TrendingCache::default() }
    }
}

impl Deref for TagsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}

/// Cached trending tags with the time of their count, in milliseconds since 1970.
#[derive(Debug, Default)]
pub struct TrendingCache(pub(super) Mutex<Option<(Millis, Arc<[TrendingTag]>)>>);
