//! State of request authentication.

use crate::features::members::MemberCache;
use crate::features::sessions::cookie::hash_in;
use crate::features::sessions::store::{IDLE_TIMEOUT, MAX_AGE};
use crate::platform::MIB;
use crate::platform::Platform;
use crate::platform::cache::{CacheValue, VersionSlot, VersionedCache};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use axum::http::HeaderMap;
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

    /// Returns the member of the session cookie if the session is cached. Does not check that the member is active.
    pub(crate) fn cached_member(&self, headers: &HeaderMap) -> Option<Id> {
        let found = self.sessions.peek(&hash_in(self, headers)?)?;
        (!found.has_ended(self.now())).then_some(found.member)
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

/// Cached session, by the hash of its cookie.
#[derive(Debug)]
pub struct CachedSession {
    pub(super) member: Id,
    pub(super) created_at: Millis,
    pub(super) seen_at: Millis,
    pub(super) slots: [VersionSlot; 1],
}

impl CachedSession {
    pub(super) fn has_ended(&self, now: Millis) -> bool {
        now >= self.created_at + MAX_AGE || now >= self.seen_at + IDLE_TIMEOUT
    }
}

impl CacheValue for CachedSession {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + 64
    }
}
