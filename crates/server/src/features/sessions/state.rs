//! State of request authentication.

use crate::features::members::MemberCache;
use crate::features::sessions::CachedSession;
use crate::platform::MIB;
use crate::platform::Platform;
use crate::platform::cache::VersionedCache;
use std::ops::Deref;
use std::sync::Arc;

/// State of request authentication.
#[derive(Debug)]
pub struct SessionsState {
    platform: Platform,
    /// Cached members.
    pub(crate) members: Arc<MemberCache>,
    /// Cached sessions, by the hash of their cookie.
    pub(crate) sessions: VersionedCache<String, CachedSession>,
}

impl SessionsState {
    pub(crate) fn new(platform: Platform, members: Arc<MemberCache>) -> Self {
        Self {
            sessions: VersionedCache::new(&platform.versions, "sessions", 20_000, 4 * MIB),
            platform,
            members,
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.sessions.measure();
    }
}

impl Deref for SessionsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
