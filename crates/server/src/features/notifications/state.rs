//! State of the notification routes.

use crate::features::relationships::RelationshipCache;
use crate::platform::MIB;
use crate::platform::Platform;
use crate::platform::cache::{CacheValue, VersionSlot, VersionedCache};
use std::ops::Deref;
use std::sync::Arc;

/// State of the notification routes.
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

/// Cached first page of a member's notifications.
#[derive(Debug)]
pub struct CachedFirstPage {
    pub(super) limit: usize,
    pub(super) json: Vec<u8>,
    pub(super) next: Option<i64>,
    pub(super) slots: Vec<VersionSlot>,
}

impl CacheValue for CachedFirstPage {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.json.capacity() + self.slots.capacity() * size_of::<VersionSlot>()
    }
}
