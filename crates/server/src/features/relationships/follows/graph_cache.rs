//! Who is close to a member: whom they follow, and whom those follow.

use crate::features::relationships::follows::followees;
use crate::platform::MIB;
use crate::platform::cache::{Memory, Remembered, Shelf, Slot, Topic};
use crate::platform::clock::{Clock, MINUTE, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The follows of a member that lead on, the newest first.
const FRIENDS: i64 = 50;
/// The follows of each of those that are looked at, the newest first.
const THEIRS: i64 = 50;
/// How old a circle may be: a friend's new follow shows in it within a minute.
const FRESH: Millis = MINUTE;

const NEWEST: Sql =
    sql!("select followee_id from follows where follower_id = $1 order by id desc limit $2");

/// A member whom I do not follow and somebody I follow does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near {
    /// The one of those I follow newest who does.
    pub by: i64,
    /// How many of those I follow do.
    pub count: usize,
}

/// Whom one member follows, and whom those follow: the newest 50 of the newest 50.
#[derive(Debug)]
pub struct Circle {
    followees: HashSet<i64>,
    /// The newest of them, the newest first.
    friends: Vec<i64>,
    near: HashMap<i64, Near>,
    /// Everybody near, those whom most people I follow do first, of equals the newest member.
    nearest: Vec<i64>,
    read_at: Millis,
    slots: [Slot; 1],
}

impl Circle {
    /// Whom I follow newest, at most 50.
    #[must_use]
    pub fn newest_follows(&self) -> &[i64] {
        &self.friends
    }

    /// Whether I follow a member.
    #[must_use]
    pub fn follows(&self, member: i64) -> bool {
        self.followees.contains(&member)
    }

    /// How a member I do not follow is near me, if so.
    #[must_use]
    pub fn near(&self, member: i64) -> Option<Near> {
        self.near.get(&member).copied()
    }

    /// Everybody near, those whom most people I follow do first, of equals the newest member.
    #[must_use]
    pub fn nearest(&self) -> &[i64] {
        &self.nearest
    }
}

impl Remembered for Circle {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // A hash table's slot holds the entry, a byte of its own, and is at times empty.
        200 + self.followees.len() * 18 + self.near.len() * 58
    }
}

/// Cached circles, by member. A change of the member's own follows invalidates theirs.
#[derive(Debug)]
pub struct CircleCache {
    memory: Arc<Memory>,
    clock: Clock,
    circles: Shelf<i64, Circle>,
}

impl CircleCache {
    pub(crate) fn new(memory: &Arc<Memory>, clock: Clock) -> Self {
        Self {
            memory: Arc::clone(memory),
            clock,
            circles: Shelf::new(memory, "circles", 10_000, 32 * MIB),
        }
    }

    pub(crate) fn export_metrics(&self) {
        self.circles.measure();
    }
}

/// A member's circle. A change of their own follows shows immediately, one of others within a minute.
pub async fn circle(cache: &CircleCache, db: &Reader<'_>, member: Id) -> Result<Arc<Circle>> {
    let now = cache.clock.now();
    let is_fresh = |circle: &Arc<Circle>| (0..FRESH).contains(&(now - circle.read_at));
    if let Some(circle) = cache.circles.get(&member.0).filter(is_fresh) {
        return Ok(circle);
    }
    let slots = [Slot::of(Topic::Follows, member.0)];
    let stamp = cache.memory.stamp(&slots);
    let circle = Arc::new(draw(db, member, now, slots).await?);
    cache.circles.put(member.0, stamp, &circle);
    Ok(circle)
}

async fn draw(db: &Reader<'_>, member: Id, read_at: Millis, slots: [Slot; 1]) -> Result<Circle> {
    let newest = |of: i64, count: i64| async move {
        db.all(&NEWEST, params![of, count], |row| row.int(0)).await
    };
    let (followees, friends) =
        futures_util::try_join!(followees(db, member), newest(member.0, FRIENDS))?;
    let followees = followees.into_iter().collect::<HashSet<_>>();
    let theirs = friends.iter().map(|friend| newest(*friend, THEIRS));
    let theirs = futures_util::future::try_join_all(theirs).await?;
    let mut near = HashMap::new();
    for (friend, follows) in friends.iter().copied().zip(theirs) {
        for other in follows {
            if other != member.0 && !followees.contains(&other) {
                let found = near.entry(other).or_insert(Near {
                    by: friend,
                    count: 0,
                });
                found.count += 1;
            }
        }
    }
    let mut nearest = near.keys().copied().collect::<Vec<_>>();
    nearest.sort_unstable_by_key(|member| {
        let count = near.get(member).map_or(0, |near: &Near| near.count);
        std::cmp::Reverse((count, *member))
    });
    Ok(Circle {
        followees,
        friends,
        near,
        nearest,
        read_at,
        slots,
    })
}
