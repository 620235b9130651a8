//! Determines which members are hidden from a viewer.

use crate::features::members;
use crate::platform::MIB;
use crate::platform::cache::{CacheTag, CacheValue, CacheVersions, VersionSlot, VersionedCache};
use crate::platform::ids::Id;
use foldhash::HashMap;
use kith_db::{Reader, Result, Sql, WatchSpec, params, sql};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Yields the bits of [`Relationship`]: 1 blocked by $1, 2 blocks $1, 4 muted by $1.
const LOAD: Sql = sql!(
    "select blocked_id, 1 from blocks where member_id = $1
     union all select blocker_id, 2 from blockers where member_id = $1
     union all select muted_id, 4 from mutes where member_id = $1"
);
/// Row changes that invalidate cached relationships.
pub const WATCHES: &[WatchSpec] = &[
    CacheTag::BlocksAndMutes.watch("blocks", &["member_id"]),
    CacheTag::BlocksAndMutes.watch("blockers", &["member_id"]),
    CacheTag::BlocksAndMutes.watch("mutes", &["member_id"]),
];

/// Flags of the blocks and mutes between a viewer and another member, and of the other member's suspension.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Relationship(u8);

impl Relationship {
    const BLOCKED: u8 = 1;
    const BLOCKS_VIEWER: u8 = 2;
    const MUTED: u8 = 4;
    const SUSPENDED: u8 = 8;

    /// Returns whether the viewer blocked the member.
    #[must_use]
    pub const fn is_blocked(self) -> bool {
        self.0 & Self::BLOCKED != 0
    }

    /// Returns whether the member blocked the viewer.
    #[must_use]
    pub const fn blocks_me(self) -> bool {
        self.0 & Self::BLOCKS_VIEWER != 0
    }

    /// Returns whether the viewer muted the member.
    #[must_use]
    pub const fn is_muted(self) -> bool {
        self.0 & Self::MUTED != 0
    }

    /// Returns whether the two are fully hidden from each other: a block either way, or a suspension.
    #[must_use]
    pub const fn is_hidden_everywhere(self) -> bool {
        self.0 & !Self::MUTED != 0
    }

    pub(super) fn add(&mut self, bits: i64) {
        self.0 |= u8::try_from(bits).unwrap_or_default();
    }
}

/// Blocks and mutes between the viewer and another member.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = KeptAway)]
pub struct BlocksAndMutes {
    /// Whether the viewer blocks the member.
    pub is_blocked: bool,
    /// Whether the member blocks the viewer.
    pub blocks_me: bool,
    /// Whether the viewer mutes the member.
    pub is_muted: bool,
}

impl From<Relationship> for BlocksAndMutes {
    fn from(relationship: Relationship) -> Self {
        Self {
            is_blocked: relationship.is_blocked(),
            blocks_me: relationship.blocks_me(),
            is_muted: relationship.is_muted(),
        }
    }
}

/// Cached flags of members, either of one viewer's relationships or of all suspensions.
#[derive(Debug)]
pub struct RelationshipList {
    members: HashMap<i64, Relationship>,
    slots: [VersionSlot; 1],
}

impl RelationshipList {
    fn new(rows: impl IntoIterator<Item = (i64, i64)>, slot: VersionSlot) -> Self {
        let mut members = HashMap::<i64, Relationship>::default();
        for (member, bits) in rows {
            members.entry(member).or_default().add(bits);
        }
        let slots = [slot];
        Self { members, slots }
    }

    fn get(&self, member: i64) -> Relationship {
        self.members.get(&member).copied().unwrap_or_default()
    }
}

impl CacheValue for RelationshipList {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // Per slot: the entry and a control byte; some slots are empty.
        size_of::<Self>() + self.members.capacity() * 20
    }
}

/// Cached blocks, mutes and suspensions.
#[derive(Debug)]
pub struct VisibilityCache {
    versions: Arc<CacheVersions>,
    /// Relationships by viewer.
    relationships: VersionedCache<i64, RelationshipList>,
    /// Suspended members: one entry with the key 0.
    suspended: VersionedCache<i64, RelationshipList>,
}

impl VisibilityCache {
    pub(crate) fn new(versions: &Arc<CacheVersions>) -> Self {
        Self {
            relationships: VersionedCache::new(versions, "ties", 20_000, 4 * MIB),
            suspended: VersionedCache::new(versions, "suspended", 1, 4 * MIB),
            versions: Arc::clone(versions),
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.relationships.measure();
        self.suspended.measure();
    }
}

/// Members hidden from a viewer: those blocked or muted by the viewer, those who blocked the viewer, and suspended ones.
#[derive(Debug)]
pub struct HiddenMembers {
    own: Arc<RelationshipList>,
    suspended: Arc<RelationshipList>,
    /// Member whose suspension is ignored.
    spared: Option<i64>,
}

impl HiddenMembers {
    /// Returns the set that hides no member.
    #[must_use]
    pub fn none() -> Self {
        let none = Arc::new(RelationshipList::new([], SUSPENDED));
        Self { own: Arc::clone(&none), suspended: none, spared: None }
    }

    /// Loads the members hidden from a viewer. Joined with other reads it adds no round trip.
    pub async fn load(db: &Reader<'_>, viewer: Id) -> Result<Self> {
        let (own, suspended) = futures_util::try_join!(read_own(db, viewer), read_suspended(db))?;
        Ok(Self { own: Arc::new(own), suspended: Arc::new(suspended), spared: None })
    }

    /// Loads the members hidden from a viewer, from the cache if possible.
    pub async fn load_cached(cache: &VisibilityCache, db: &Reader<'_>, viewer: Id) -> Result<Self> {
        let (own, suspended) = futures_util::try_join!(
            load_own_cached(cache, db, viewer),
            load_suspended_cached(cache, db)
        )?;
        Ok(Self { own, suspended, spared: None })
    }

    /// Ignores one member's suspension, for the export of their own posts and for moderators.
    #[must_use]
    pub fn sparing(mut self, member: Id) -> Self {
        self.spared = Some(member.0);
        self
    }

    /// Ignores a member's suspension if the viewer is a moderator or an admin.
    pub async fn sparing_for_staff(self, db: &Reader<'_>, viewer: Id, member: Id) -> Result<Self> {
        if self.is_suspended(member.0) && members::is_moderator(db, viewer).await? {
            return Ok(self.sparing(member));
        }
        Ok(self)
    }

    /// Returns the member whose suspension is ignored.
    #[must_use]
    pub fn spared(&self) -> Option<Id> {
        self.spared.map(Id)
    }

    /// Loads the members hidden from every viewer, the suspended ones, from the cache if possible.
    pub async fn load_cached_suspended(cache: &VisibilityCache, db: &Reader<'_>) -> Result<Self> {
        let suspended = load_suspended_cached(cache, db).await?;
        Ok(Self { suspended, ..Self::none() })
    }

    /// Returns the flags between the viewer and a member.
    #[must_use]
    pub fn relationship(&self, member: i64) -> Relationship {
        if self.is_empty() {
            return Relationship::default();
        }
        let own = self.own.get(member).0;
        if self.spared == Some(member) {
            return Relationship(own);
        }
        Relationship(own | self.suspended.get(member).0)
    }

    /// Returns whether general lists, as opposed to a member's own, hide a member.
    #[must_use]
    pub fn hides_from_lists(&self, member: i64) -> bool {
        self.relationship(member).0 != 0
    }

    /// Returns whether a member is hidden everywhere: a block either way, or a suspension.
    #[must_use]
    pub fn is_hidden_everywhere(&self, member: i64) -> bool {
        self.relationship(member).is_hidden_everywhere()
    }

    /// Returns whether a member is suspended and not spared.
    #[must_use]
    pub fn is_suspended(&self, member: i64) -> bool {
        self.relationship(member).0 & Relationship::SUSPENDED != 0
    }

    /// Returns whether no member is hidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let spared =
            usize::from(self.spared.is_some_and(|member| self.suspended.get(member).0 != 0));
        self.own.members.is_empty() && self.suspended.members.len() == spared
    }
}

const SUSPENDED: VersionSlot = VersionSlot::new(CacheTag::Suspended, 0);

async fn load_own_cached(
    cache: &VisibilityCache,
    db: &Reader<'_>,
    viewer: Id,
) -> Result<Arc<RelationshipList>> {
    if let Some(own) = cache.relationships.get(&viewer.0) {
        return Ok(own);
    }
    let version =
        cache.versions.current_version(&[VersionSlot::new(CacheTag::BlocksAndMutes, viewer.0)]);
    let own = Arc::new(read_own(db, viewer).await?);
    cache.relationships.put(viewer.0, version, &own);
    Ok(own)
}

async fn load_suspended_cached(
    cache: &VisibilityCache,
    db: &Reader<'_>,
) -> Result<Arc<RelationshipList>> {
    if let Some(suspended) = cache.suspended.get(&0) {
        return Ok(suspended);
    }
    let version = cache.versions.current_version(&[SUSPENDED]);
    let suspended = Arc::new(read_suspended(db).await?);
    cache.suspended.put(0, version, &suspended);
    Ok(suspended)
}

async fn read_own(db: &Reader<'_>, viewer: Id) -> Result<RelationshipList> {
    let bound = params![viewer.0];
    let rows = db.all(&LOAD, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    Ok(RelationshipList::new(rows.await?, VersionSlot::new(CacheTag::BlocksAndMutes, viewer.0)))
}

async fn read_suspended(db: &Reader<'_>) -> Result<RelationshipList> {
    let members = members::load_suspended(db).await?.into_iter();
    let rows = members.map(|member| (member, i64::from(Relationship::SUSPENDED)));
    Ok(RelationshipList::new(rows, SUSPENDED))
}
