//! State of the post routes.

use crate::features::media::MediaState;
use crate::features::members::MemberCache;
use crate::features::posts::{
    AuthorPostFilter, CachedAuthorPage, CachedHomeTimeline, CachedInteractions, CachedPost,
    CachedReposts, PersonalizedBlock, ThreadIds,
};
use crate::features::relationships::RelationshipCache;
use crate::platform::MIB;
use crate::platform::Platform;
use crate::platform::cache::VersionedCache;
use std::ops::Deref;
use std::sync::Arc;

/// State of the post routes.
#[derive(Debug)]
pub struct PostsState {
    platform: Platform,
    /// Cached members.
    pub(crate) members: Arc<MemberCache>,
    /// Cached follows, blocks and mutes.
    pub(crate) relationships: Arc<RelationshipCache>,
    /// Uploads and images.
    pub(crate) media: Arc<MediaState>,
    /// Cached first pages of author timelines, by author and filter.
    pub(crate) author_pages: VersionedCache<(i64, AuthorPostFilter), CachedAuthorPage>,
    /// Cached personalised For You blocks, by viewer.
    pub(crate) for_you_blocks: VersionedCache<i64, PersonalizedBlock>,
    /// Cached Friends feeds, by viewer.
    pub(crate) home_timelines: VersionedCache<i64, CachedHomeTimeline>,
    /// Cached posts, by id.
    pub(crate) posts: VersionedCache<i64, CachedPost>,
    /// Cached reposts, by original post.
    pub(crate) reposts: VersionedCache<i64, CachedReposts>,
    /// Cached ids of threads, by post.
    pub(crate) threads: VersionedCache<i64, ThreadIds>,
    /// Cached likes, reposts and votes, by viewer.
    pub(crate) interactions: VersionedCache<i64, CachedInteractions>,
}

impl PostsState {
    pub(crate) fn new(
        platform: Platform,
        members: Arc<MemberCache>,
        relationships: Arc<RelationshipCache>,
        media: Arc<MediaState>,
    ) -> Self {
        let versions = &platform.versions;
        Self {
            author_pages: VersionedCache::new(versions, "authors", 2_000, 4 * MIB),
            for_you_blocks: VersionedCache::new(versions, "for you", 1_000, 8 * MIB),
            home_timelines: VersionedCache::new(versions, "friends", 2_000, 16 * MIB),
            posts: VersionedCache::new(versions, "posts", 20_000, 26 * MIB),
            reposts: VersionedCache::new(versions, "reposts", 4_000, 2 * MIB),
            threads: VersionedCache::new(versions, "threads", 2_000, 2 * MIB),
            interactions: VersionedCache::new(versions, "deeds", 2_000, 7 * MIB),
            platform,
            members,
            relationships,
            media,
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.author_pages.measure();
        self.for_you_blocks.measure();
        self.home_timelines.measure();
        self.posts.measure();
        self.reposts.measure();
        self.threads.measure();
        self.interactions.measure();
    }
}

impl Deref for PostsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
