//! State of the routes of posts.

use crate::features::media::MediaState;
use crate::features::members::MemberCache;
use crate::features::posts::{
    Arranged, CachedPost, Conversation, Deeds, Filter, First, Friends, Reposts,
};
use crate::features::relationships::RelationshipCache;
use crate::platform::MIB;
use crate::platform::Platform;
use crate::platform::cache::Shelf;
use std::ops::Deref;
use std::sync::Arc;

/// State of the routes of posts.
#[derive(Debug)]
pub struct PostsState {
    platform: Platform,
    /// Cached members.
    pub(crate) members: Arc<MemberCache>,
    /// Cached follows, blocks and mutes.
    pub(crate) relationships: Arc<RelationshipCache>,
    /// Uploads and images.
    pub(crate) media: Arc<MediaState>,
    /// The newest posts of authors, by author and filter.
    pub(crate) written: Shelf<(i64, Filter), First>,
    /// The first pages of For You, by viewer.
    pub(crate) arranged: Shelf<i64, Arranged>,
    /// Friends feeds, by viewer.
    pub(crate) friends: Shelf<i64, Friends>,
    /// Posts, by id.
    pub(crate) known: Shelf<i64, CachedPost>,
    /// Reposts, by post.
    pub(crate) reposts: Shelf<i64, Reposts>,
    /// Ids of threads, by post.
    pub(crate) conversations: Shelf<i64, Conversation>,
    /// Interactions with posts, by viewer.
    pub(crate) deeds: Shelf<i64, Deeds>,
}

impl PostsState {
    pub(crate) fn new(
        platform: Platform,
        members: Arc<MemberCache>,
        relationships: Arc<RelationshipCache>,
        media: Arc<MediaState>,
    ) -> Self {
        let memory = &platform.memory;
        Self {
            written: Shelf::new(memory, "authors", 2_000, 4 * MIB),
            arranged: Shelf::new(memory, "for you", 1_000, 8 * MIB),
            friends: Shelf::new(memory, "friends", 2_000, 16 * MIB),
            known: Shelf::new(memory, "posts", 20_000, 26 * MIB),
            reposts: Shelf::new(memory, "reposts", 4_000, 2 * MIB),
            conversations: Shelf::new(memory, "threads", 2_000, 2 * MIB),
            deeds: Shelf::new(memory, "deeds", 2_000, 7 * MIB),
            platform,
            members,
            relationships,
            media,
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.written.measure();
        self.arranged.measure();
        self.friends.measure();
        self.known.measure();
        self.reposts.measure();
        self.conversations.measure();
        self.deeds.measure();
    }
}

impl Deref for PostsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
