//! Caches each member's follow neighborhood: followed members and second-degree members.

use crate::features::relationships::follows::load_followees;
use crate::platform::MIB;
use crate::platform::cache::{CacheTag, CacheValue, CacheVersions, VersionSlot, VersionedCache};
use crate::platform::clock::{Clock, MINUTE, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Newest followed members whose follows are expanded.
const MAX_FOLLOWED: i64 = 50;
/// Newest follows expanded per followed member.
const MAX_FOLLOWS_EACH: i64 = 50;
/// TTL of a neighborhood: follows by followed members are visible after at most a minute.
const TTL: Millis = MINUTE;

const NEWEST: Sql =
    sql!("select followee_id from follows where follower_id = $1 order by id desc limit $2");

/// Link to a second-degree member: not followed by the viewer, but by a followed member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondDegree {
    /// The most recently followed member that follows them.
    pub by: i64,
    /// Number of followed members that follow them.
    pub count: usize,
}

/// Followed members of one viewer, and the newest 50 follows of the newest 50 of them.
#[derive(Debug)]
pub struct Neighborhood {
    followees: HashSet<i64>,
    /// The most recently followed members, newest first.
    newest_followed: Vec<i64>,
    second_degree: HashMap<i64, SecondDegree>,
    /// Second-degree members by number of followed members that follow them, then newest member first.
    ranked: Vec<i64>,
    read_at: Millis,
    slots: [VersionSlot; 1],
}

impl Neighborhood {
    /// Returns the most recently followed members, at most 50.
    #[must_use]
    pub fn newest_follows(&self) -> &[i64] {
        &self.newest_followed
    }

    /// Returns whether the viewer follows a member.
    #[must_use]
    pub fn follows(&self, member: i64) -> bool {
        self.followees.contains(&member)
    }

    /// Returns the link to a second-degree member; `None` for any other member.
    #[must_use]
    pub fn second_degree(&self, member: i64) -> Option<SecondDegree> {
        self.second_degree.get(&member).copied()
    }

    /// Returns the second-degree members, by number of followed members that follow them, then newest first.
    #[must_use]
    pub fn ranked_second_degree(&self) -> &[i64] {
        &self.ranked
    }
}

impl CacheValue for Neighborhood {
    fn slots(&self) -> &[VersionSlot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // Estimates: an entry with its control byte and a share of the empty slots of the hash table.
        200 + self.followees.len() * 18 + self.second_degree.len() * 58
    }
}

/// Cached neighborhoods, by member. A change of the member's own follows invalidates the entry.
#[derive(Debug)]
pub struct NeighborhoodCache {
    versions: Arc<CacheVersions>,
    clock: Clock,
    neighborhoods: VersionedCache<i64, Neighborhood>,
}

impl NeighborhoodCache {
    pub(crate) fn new(versions: &Arc<CacheVersions>, clock: Clock) -> Self {
        Self {
            versions: Arc::clone(versions),
            clock,
            neighborhoods: VersionedCache::new(versions, "circles", 10_000, 32 * MIB),
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.neighborhoods.measure();
    }
}

/// Loads a member's neighborhood, from the cache if it is fresh. Own follows are visible immediately.
pub async fn load_neighborhood(
    cache: &NeighborhoodCache,
    db: &Reader<'_>,
    member: Id,
) -> Result<Arc<Neighborhood>> {
    let now = cache.clock.now();
    let is_fresh =
        |neighborhood: &Arc<Neighborhood>| (0..TTL).contains(&(now - neighborhood.read_at));
    if let Some(neighborhood) = cache.neighborhoods.get(&member.0).filter(is_fresh) {
        return Ok(neighborhood);
    }
    let slots = [VersionSlot::new(CacheTag::Follows, member.0)];
    let version = cache.versions.current_version(&slots);
    let neighborhood = Arc::new(read_neighborhood(db, member, now, slots).await?);
    cache.neighborhoods.put(member.0, version, &neighborhood);
    Ok(neighborhood)
}

async fn read_neighborhood(
    db: &Reader<'_>,
    member: Id,
    read_at: Millis,
    slots: [VersionSlot; 1],
) -> Result<Neighborhood> {
    let load_newest = |follower: i64, limit: i64| async move {
        db.all(&NEWEST, params![follower, limit], |row| row.int(0)).await
    };
    let (followees, newest_followed) =
        futures_util::try_join!(load_followees(db, member), load_newest(member.0, MAX_FOLLOWED))?;
    let followees = followees.into_iter().collect::<HashSet<_>>();
    let their_follows =
        newest_followed.iter().map(|followed| load_newest(*followed, MAX_FOLLOWS_EACH));
    let their_follows = futures_util::future::try_join_all(their_follows).await?;
    let mut second_degree = HashMap::new();
    for (followed, follows) in newest_followed.iter().copied().zip(their_follows) {
        for other in follows {
            if other != member.0 && !followees.contains(&other) {
                let found =
                    second_degree.entry(other).or_insert(SecondDegree { by: followed, count: 0 });
                found.count += 1;
            }
        }
    }
    let mut ranked = second_degree.keys().copied().collect::<Vec<_>>();
    ranked.sort_unstable_by_key(|member| {
        let count = second_degree.get(member).map_or(0, |link: &SecondDegree| link.count);
        std::cmp::Reverse((count, *member))
    });
    Ok(Neighborhood { followees, newest_followed, second_degree, ranked, read_at, slots })
}
