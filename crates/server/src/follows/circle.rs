//! Who is close to a member: whom they follow, and whom those follow.

use crate::app::App;
use crate::clock::{MINUTE, Millis};
use crate::follows::followees;
use crate::ids::Id;
use kith_db::{Reader, Result, Sql, params, sql};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The follows of a member that lead on, the newest first.
const FRIENDS: i64 = 50;
/// The follows of each of those that are looked at, the newest first.
const THEIRS: i64 = 50;
/// How old a circle may be: a friend's new follow shows in it within a minute.
const FRESH: Millis = MINUTE;
/// Bytes that all circles together may take.
const ROOM: u64 = 32 * 1024 * 1024;

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
#[derive(Debug, Default)]
pub struct Circle {
    followees: HashSet<i64>,
    /// The newest of them, the newest first.
    friends: Vec<i64>,
    near: HashMap<i64, Near>,
    /// Everybody near, those whom most people I follow do first, of equals the newest member.
    nearest: Vec<i64>,
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

/// The circles of those who read lately. Memory tells them whose follows changed.
#[derive(Debug)]
pub struct Circles {
    cache: Cache<i64, (Millis, Arc<Circle>), Weight>,
    /// Counts what was forgotten: a circle that was drawn meanwhile is not kept.
    forgotten: AtomicU64,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<i64, (Millis, Arc<Circle>)> for Weight {
    fn weight(&self, _: &i64, (_, circle): &(Millis, Arc<Circle>)) -> u64 {
        // A hash table's slot holds the entry, a byte of its own, and is at times empty.
        (200 + circle.followees.len() * 18 + circle.near.len() * 58) as u64
    }
}

impl Default for Circles {
    fn default() -> Self {
        Self {
            cache: Cache::with_weighter(10_000, ROOM, Weight),
            forgotten: AtomicU64::new(0),
        }
    }
}

impl Circles {
    /// Forgets a member's circle: whom they follow has changed.
    pub fn forget(&self, member: i64) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.cache.remove(&member);
    }

    /// Forgets all of them.
    pub fn forget_all(&self) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
        self.cache.clear();
    }
}

/// A member's circle, at most a minute old. Whom they follow themselves is in it at once.
pub async fn circle(app: &App, db: &Reader<'_>, member: Id) -> Result<Arc<Circle>> {
    let now = app.now();
    let circles = app.memory.circles();
    if app.memory.is_on()
        && let Some((at, circle)) = circles.cache.get(&member.0)
        && (0..FRESH).contains(&(now - at))
    {
        return Ok(circle);
    }
    let before = circles.forgotten.load(Ordering::SeqCst);
    let circle = Arc::new(draw(db, member).await?);
    circles.cache.insert(member.0, (now, Arc::clone(&circle)));
    // Whoever forgets counts first and removes then: one of both sees the other.
    if circles.forgotten.load(Ordering::SeqCst) != before {
        circles.cache.remove(&member.0);
    }
    Ok(circle)
}

async fn draw(db: &Reader<'_>, member: Id) -> Result<Circle> {
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
    })
}
