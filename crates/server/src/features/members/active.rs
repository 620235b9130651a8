//! Caches which members are active.

use crate::features::members::store;
use crate::platform::MIB;
use crate::platform::cache::{CacheTag, CacheValue, CacheVersions, VersionSlot, VersionedCache};
use crate::platform::ids::Id;
use kith_db::{Reader, Result};
use std::sync::Arc;

/// Cached active flags, by member id.
#[derive(Debug)]
pub(crate) struct ActiveMembers {
    versions: Arc<CacheVersions>,
    flags: VersionedCache<i64, CachedActive>,
}

#[derive(Debug)]
struct CachedActive {
    is_active: bool,
    slots: [VersionSlot; 1],
}

impl CacheValue for CachedActive {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

impl ActiveMembers {
    pub(super) fn new(versions: &Arc<CacheVersions>) -> Self {
        let flags = VersionedCache::new(versions, "members", 20_000, 3 * MIB);
        Self { versions: Arc::clone(versions), flags }
    }

    pub(super) fn measure(&self) {
        self.flags.measure();
    }

    /// Returns whether a member exists and is not suspended, from the cache if possible.
    pub(crate) async fn is_active(&self, db: &Reader<'_>, member: Id) -> Result<bool> {
        if let Some(cached) = self.flags.get(&member.0) {
            return Ok(cached.is_active);
        }
        let slots = [VersionSlot::new(CacheTag::Member, member.0)];
        let version = self.versions.current_version(&slots);
        let is_active = store::is_active(db, member).await?;
        self.flags.put(member.0, version, &Arc::new(CachedActive { is_active, slots }));
        Ok(is_active)
    }
}
