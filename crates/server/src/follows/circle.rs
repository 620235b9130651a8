//! Who is close to a member: whom they follow, and whom those follow.

use crate::app::App;
use crate::clock::{MINUTE, Millis};
use crate::follows::followees;
use crate::ids::Id;
use crate::memory::{Slot, Stamp, Topic};
use kith_db::{Reader, Result, Sql, params, sql};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

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

/// The circles of those who read lately.
#[derive(Debug)]
pub struct Circles(Cache<i64, Drawn, Weight>);

#[derive(Debug, Clone)]
struct Drawn {
    at: Millis,
    /// Of whom the member follows.
    stamp: Stamp,
    circle: Arc<Circle>,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<i64, Drawn> for Weight {
    fn weight(&self, _: &i64, Drawn { circle, .. }: &Drawn) -> u64 {
        // A hash table's slot holds the entry, a byte of its own, and is at times empty.
        (200 + circle.followees.len() * 18 + circle.near.len() * 58) as u64
    }
}

impl Default for Circles {
    fn default() -> Self {
        Self(Cache::with_weighter(10_000, ROOM, Weight))
    }
}

/// A member's circle, at most a minute old. Whom they follow themselves is in it at once.
pub async fn circle(app: &App, db: &Reader<'_>, member: Id) -> Result<Arc<Circle>> {
    let now = app.now();
    let stamp = app.memory.stamp(&[Slot::of(Topic::Follows, member.0)]);
    if app.memory.is_on()
        && let Some(drawn) = app.circles.0.get(&member.0)
        && drawn.stamp == stamp
        && (0..FRESH).contains(&(now - drawn.at))
    {
        return Ok(drawn.circle);
    }
    let circle = Arc::new(draw(db, member).await?);
    let drawn = Drawn {
        at: now,
        stamp,
        circle: Arc::clone(&circle),
    };
    app.circles.0.insert(member.0, drawn);
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
