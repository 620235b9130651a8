//! Caches usernames, display names and the usernames of suspended members.

use crate::features::members::MemberRef;
use crate::features::members::active::ActiveMembers;
use crate::features::members::store::{find_by_username, load_refs, load_suspended_usernames};
use crate::platform::MIB;
use crate::platform::cache::{CacheTag, CacheValue, CacheVersions, VersionSlot, VersionedCache};
use crate::platform::ids::Id;
use kith_db::{Reader, Result, hash_key};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Cached members.
#[derive(Debug)]
pub struct MemberCache {
    versions: Arc<CacheVersions>,
    /// Which members are active.
    pub(crate) active: ActiveMembers,
    refs: VersionedCache<i64, CachedMemberRef>,
    usernames: VersionedCache<String, CachedUsername>,
    suspended_names: VersionedCache<i64, SuspendedUsernames>,
}

impl MemberCache {
    pub(crate) fn new(versions: &Arc<CacheVersions>) -> Self {
        Self {
            active: ActiveMembers::new(versions),
            refs: VersionedCache::new(versions, "names", 10_000, 2 * MIB),
            usernames: VersionedCache::new(versions, "usernames", 10_000, 2 * MIB),
            suspended_names: VersionedCache::new(versions, "suspended names", 1, 4 * MIB),
            versions: Arc::clone(versions),
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.active.measure();
        self.refs.measure();
        self.usernames.measure();
        self.suspended_names.measure();
    }
}

const SUSPENDED: VersionSlot = VersionSlot::new(CacheTag::Suspended, 0);

/// Current and former usernames of all suspended members.
#[derive(Debug, Default)]
pub struct SuspendedUsernames {
    names: HashSet<String>,
    slots: Vec<VersionSlot>,
}

impl SuspendedUsernames {
    /// Loads the usernames from the database.
    pub async fn load(db: &Reader<'_>) -> Result<Arc<Self>> {
        Ok(Arc::new(Self { names: load_suspended_usernames(db).await?, slots: vec![SUSPENDED] }))
    }

    /// Loads the usernames from the cache, or from the database on a miss.
    pub async fn load_cached(cache: &MemberCache, db: &Reader<'_>) -> Result<Arc<Self>> {
        if let Some(names) = cache.suspended_names.get(&0) {
            return Ok(names);
        }
        let version = cache.versions.current_version(&[SUSPENDED]);
        let names = Self::load(db).await?;
        cache.suspended_names.put(0, version, &names);
        Ok(names)
    }

    /// Returns whether a username belongs or belonged to a suspended member.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

impl CacheValue for SuspendedUsernames {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // Per slot: a `String` of 24 bytes and a heap block of 32 for up to 20 bytes; some slots are empty.
        size_of::<Self>() + self.names.capacity() * 64
    }
}

/// Cached owner of a current or former username.
#[derive(Debug)]
struct CachedUsername {
    member: Id,
    slots: [VersionSlot; 1],
}

impl CacheValue for CachedUsername {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // Includes the cache key, a username of up to 20 bytes.
        size_of::<Self>() + size_of::<String>() + 20
    }
}

/// Finds the member with this current or former username, ignoring case, from the cache if possible.
pub async fn find_by_username_cached(
    cache: &MemberCache,
    db: &Reader<'_>,
    username: &str,
) -> Result<Option<Id>> {
    let name = username.to_ascii_lowercase();
    if let Some(cached) = cache.usernames.get(&name) {
        return Ok(Some(cached.member));
    }
    let slots = [VersionSlot::new(CacheTag::Username, hash_key(&name))];
    let version = cache.versions.current_version(&slots);
    let found = find_by_username(db, &name).await?;
    if let Some(member) = found {
        cache.usernames.put(name, version, &Arc::new(CachedUsername { member, slots }));
    }
    Ok(found)
}

/// Cached name and avatar of a member; `None` for a suspended member.
#[derive(Debug)]
struct CachedMemberRef {
    member: Option<MemberRef>,
    slots: [VersionSlot; 1],
}

impl CacheValue for CachedMemberRef {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let texts = self.member.as_ref().map_or(0, |member| {
            let picture = member.profile_image_url.as_ref();
            member.username.capacity()
                + member.display_name.capacity()
                + picture.map_or(0, String::capacity)
        });
        size_of::<Self>() + texts
    }
}

/// Loads display names by member id, from the cache if possible. Suspended members are skipped.
pub async fn load_display_names(
    cache: &MemberCache,
    db: &Reader<'_>,
    ids: &[i64],
) -> Result<HashMap<i64, String>> {
    load_cached_fields(cache, db, ids, |member| member.display_name.clone()).await
}

/// Loads names and avatars by member id, from the cache if possible. Suspended members are skipped.
pub async fn load_refs_cached(
    cache: &MemberCache,
    db: &Reader<'_>,
    ids: &[i64],
) -> Result<HashMap<i64, MemberRef>> {
    load_cached_fields(cache, db, ids, MemberRef::clone).await
}

async fn load_cached_fields<T>(
    cache: &MemberCache,
    db: &Reader<'_>,
    ids: &[i64],
    field: fn(&MemberRef) -> T,
) -> Result<HashMap<i64, T>> {
    let mut found = HashMap::new();
    let mut missing = Vec::new();
    let mut add = |id: i64, member: &Option<MemberRef>| {
        if let Some(member) = member {
            found.insert(id, field(member));
        }
    };
    for id in ids.iter().collect::<HashSet<_>>() {
        match cache.refs.get(id) {
            Some(cached) => add(*id, &cached.member),
            None => missing.push((*id, [VersionSlot::new(CacheTag::Member, *id)])),
        }
    }
    let missing = missing.into_iter();
    let missing = missing.map(|(id, slots)| (id, slots, cache.versions.current_version(&slots)));
    let missing = missing.collect::<Vec<_>>();
    let missing_ids = missing.iter().map(|(id, ..)| *id).collect::<Vec<_>>();
    let mut loaded = load_refs(db, &missing_ids).await?;
    for (id, slots, version) in missing {
        let member = loaded.remove(&id);
        add(id, &member);
        cache.refs.put(id, version, &Arc::new(CachedMemberRef { member, slots }));
    }
    Ok(found)
}
