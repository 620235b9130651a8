//! State of the routes of notifications.

use crate::features::notifications::Told;
use crate::features::relationships::RelationshipCache;
use crate::platform::MIB;
use crate::platform::Platform;
use crate::platform::cache::Shelf;
use std::ops::Deref;
use std::sync::Arc;

/// State of the routes of notifications.
#[derive(Debug)]
pub struct NotificationsState {
    platform: Platform,
    /// Cached follows, blocks and mutes.
    pub(crate) relationships: Arc<RelationshipCache>,
    /// Cached first pages, by member.
    pub(crate) told: Shelf<i64, Told>,
}

impl NotificationsState {
    pub(crate) fn new(platform: Platform, relationships: Arc<RelationshipCache>) -> Self {
        Self {
            told: Shelf::new(&platform.memory, "notifications", 500, 6 * MIB),
            platform,
            relationships,
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.told.measure();
    }
}

impl Deref for NotificationsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
