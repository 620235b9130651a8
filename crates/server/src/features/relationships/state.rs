//! State of the follow, block and mute routes.

use crate::features::members::MemberCache;
use crate::features::relationships::VisibilityCache;
use crate::features::relationships::follows::NeighborhoodCache;
use crate::platform::Platform;
use crate::platform::cache::CacheVersions;
use crate::platform::clock::Clock;
use std::ops::Deref;
use std::sync::Arc;

/// Cached follows, blocks and mutes.
#[derive(Debug)]
pub struct RelationshipCache {
    /// Blocks, mutes and suspensions.
    pub visibility: VisibilityCache,
    /// Follow neighborhoods.
    pub neighborhoods: NeighborhoodCache,
}

impl RelationshipCache {
    pub(crate) fn new(versions: &Arc<CacheVersions>, clock: Clock) -> Self {
        Self {
            visibility: VisibilityCache::new(versions),
            neighborhoods: NeighborhoodCache::new(versions, clock),
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.visibility.export_metrics();
        self.neighborhoods.export_metrics();
    }
}

/// State of the follow, block and mute routes.
#[derive(Debug)]
pub struct RelationshipsState {
    platform: Platform,
    /// Cached members.
    pub(crate) members: Arc<MemberCache>,
    /// Cached follows, blocks and mutes.
    pub(crate) relationships: Arc<RelationshipCache>,
}

impl RelationshipsState {
    pub(crate) fn new(
        platform: Platform,
        members: Arc<MemberCache>,
        relationships: Arc<RelationshipCache>,
    ) -> Self {
        Self { platform, members, relationships }
    }
}

impl Deref for RelationshipsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
