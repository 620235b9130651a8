//! State of the routes of notifications.

use crate::features::notifications::CachedFirstPage;
use crate::features::relationships::RelationshipCache;
use crate::platform::MIB;
use crate::platform::Platform;
use crate::platform::cache::VersionedCache;
use std::ops::Deref;
use std::sync::Arc;

/// State of the routes of notifications.
#[derive(Debug)]
pub struct NotificationsState {
    platform: Platform,
    /// Cached follows, blocks and mutes.
    pub(crate) relationships: Arc<RelationshipCache>,
    /// Cached first pages, by member.
    pub(crate) first_pages: VersionedCache<i64, CachedFirstPage>,
}

impl NotificationsState {
    pub(crate) fn new(platform: Platform, relationships: Arc<RelationshipCache>) -> Self {
        Self {
            first_pages: VersionedCache::new(&platform.versions, "notifications", 500, 6 * MIB),
            platform,
            relationships,
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.first_pages.measure();
    }
}

impl Deref for NotificationsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
