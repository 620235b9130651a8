//! Follows in the database.

use crate::features::notifications::{NewNotification, NotificationKind};
use crate::features::{members, relationships};
use crate::http::error::{ApiError, Result};
use crate::platform::cache::CacheTag;
use crate::platform::clock::DAY;
use crate::platform::ids::Id;
use futures_util::try_join;
use kith_db::{Reader, Sql, SqlIn, Tx, WatchSpec, params, sql, sql_in};
use std::collections::HashSet;

const INSERT: Sql = sql!(
    "insert into follows (follower_id, followee_id, id) values ($1, $2, $3)
     on conflict (follower_id, followee_id) do nothing"
);
const INSERT_MIRROR: Sql =
    sql!("insert into followers (followee_id, follower_id, id) values ($1, $2, $3)");
const LOCK: Sql = sql!("update follows set id = id where follower_id = $1 and followee_id = $2");
const DELETE: Sql =
    sql!("delete from follows where follower_id = $1 and followee_id = $2 returning id");
const DELETE_MIRROR: Sql =
    sql!("delete from followers where followee_id = $1 and follower_id = $2");
const COUNT_RECENT: Sql = sql!("select count(*) from follows where follower_id = $1 and id > $2");
const FIND: Sql = sql!("select id from follows where follower_id = $1 and followee_id = $2");
const FOLLOWEES: Sql = sql!("select followee_id from follows where follower_id = $1");
static FILTER_FOLLOWED: SqlIn =
    sql_in!("select followee_id from follows where follower_id = $1 and followee_id in ($ids)");
static FILTER_FOLLOWERS: SqlIn =
    sql_in!("select follower_id from followers where followee_id = $1 and follower_id in ($ids)");

/// Row changes that invalidate cached follows and followers.
pub const WATCHES: &[WatchSpec] = &[
    CacheTag::Follows.watch("follows", &["follower_id"]),
    CacheTag::Followers.watch("followers", &["followee_id"]),
];

/// Returns whether `follower` follows `followee`.
pub async fn is_following(db: &Reader<'_>, follower: Id, followee: Id) -> kith_db::Result<bool> {
    Ok(db.opt(&FIND, params![follower.0, followee.0], |_| Ok(())).await?.is_some())
}

/// Returns whether a member follows another, inside a transaction.
pub async fn is_following_in(tx: &Tx, follower: Id, followee: Id) -> kith_db::Result<bool> {
    Ok(tx.opt(&FIND, params![follower.0, followee.0], |_| Ok(())).await?.is_some())
}

/// Loads the ids of all members `follower` follows, unordered.
pub async fn load_followees(db: &Reader<'_>, follower: Id) -> kith_db::Result<Vec<i64>> {
    db.all(&FOLLOWEES, params![follower.0], |row| row.int(0)).await
}

/// Returns the subset of `members` that `follower` follows.
pub async fn filter_followed(
    db: &Reader<'_>,
    follower: Id,
    members: &[i64],
) -> kith_db::Result<HashSet<i64>> {
    let followed =
        db.all_in(&FILTER_FOLLOWED, params![follower.0], members, |row| row.int(0)).await?;
    Ok(followed.into_iter().collect())
}

/// Returns the subset of `members` that follow `followee`.
pub async fn filter_followers(
    db: &Reader<'_>,
    followee: Id,
    members: &[i64],
) -> kith_db::Result<HashSet<i64>> {
    let followers =
        db.all_in(&FILTER_FOLLOWERS, params![followee.0], members, |row| row.int(0)).await?;
    Ok(followers.into_iter().collect())
}

/// Follows a member, unless a block exists between the two.
pub(super) struct FollowMember {
    pub(super) follower: Id,
    pub(super) followee: Id,
    pub(super) id: Id,
    /// Follows in 24 hours that a new member can have.
    pub(super) daily_limit: Option<i64>,
}

impl kith_db::Write for FollowMember {
    type Out = ();
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.followee.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let tx = &*tx;
        let ensure_followee = || async {
            if members::is_active_in(tx, self.followee).await? {
                Ok(())
            } else {
                Err(members::user_not_found())
            }
        };
        let (follower, followee) = (self.follower, self.followee);
        // Checked while both members' rows are locked, so that a concurrent block comes before or ends this follow.
        let check = async {
            // Check again after waiting for the locks: rows of a deleted member would not be cleaned up again.
            try_join!(
                relationships::ensure_not_blocked(tx, follower, followee),
                members::ensure_active(tx, follower),
                ensure_followee(),
                self.check_daily_limit(tx),
            )
            .map(drop)
        };
        let inserted = insert_follow_with(tx, follower, followee, self.id, check);
        try_join!(members::ensure_active(tx, follower), ensure_followee(), inserted).map(drop)
    }
}

impl FollowMember {
    async fn check_daily_limit(&self, tx: &Tx) -> Result<()> {
        let Some(limit) = self.daily_limit else {
            return Ok(());
        };
        let bound = params![self.follower.0, Id::first_at(self.id.time() - DAY)];
        let follows = tx.one(&COUNT_RECENT, bound, |row| row.int(0)).await?;
        if follows > limit { Err(new_member_limit()) } else { Ok(()) }
    }
}

pub(super) fn new_member_limit() -> ApiError {
    let message = "You joined recently, so you can follow only a few people a day for now. Please try again tomorrow.";
    ApiError::conflict("new_member_limit", message)
}

/// Inserts a follow inside a transaction, with its mirror, counts and notification.
pub async fn insert_follow(tx: &Tx, follower: Id, followee: Id, id: Id) -> kith_db::Result<()> {
    insert_follow_with(tx, follower, followee, id, async { Ok(()) }).await
}

/// Inserts a follow and runs `check` after the counters, which lock both members' rows.
pub(super) async fn insert_follow_with<E: From<kith_db::Error>>(
    tx: &Tx,
    follower: Id,
    followee: Id,
    id: Id,
    check: impl Future<Output = Result<(), E>> + Send,
) -> Result<(), E> {
    let edge = params![follower.0, followee.0, id.0];
    let notification = NewNotification {
        id,
        kind: NotificationKind::Follow,
        member: followee,
        actor: follower,
        post: Id::NONE,
        conversation: Id::NONE,
    };
    let (added, wanted) = try_join!(tx.exec(&INSERT, edge), notification.check_wanted(tx))?;
    if added == 0 {
        return check.await;
    }
    let mirror = params![followee.0, follower.0, id.0];
    try_join!(
        async { Ok(tx.exec(&INSERT_MIRROR, mirror).await?) },
        async { Ok(members::count_follow(tx, follower, followee, 1).await?) },
        async { Ok(notification.insert_if(tx, wanted).await?) },
        check,
    )
    .map(drop)
}

/// Unfollows a member. Errors when the member is inactive and was not followed.
pub(super) struct UnfollowMember {
    pub(super) follower: Id,
    pub(super) followee: Id,
}

impl kith_db::Write for UnfollowMember {
    type Out = ();
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.followee.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let was_following = delete_follow(tx, self.follower, self.followee).await?;
        if !was_following && !members::is_active_in(tx, self.followee).await? {
            return Err(members::user_not_found());
        }
        Ok(())
    }
}

/// Locks the follows between two members until the transaction ends.
pub async fn lock_pair(tx: &mut Tx, one: Id, other: Id) -> kith_db::Result<()> {
    // Lock in id order, so that two members who block each other concurrently cannot deadlock.
    let (first, second) = (one.min(other).0, one.max(other).0);
    for (follower, followee) in [(first, second), (second, first)] {
        tx.exec(&LOCK, params![follower, followee]).await?;
    }
    Ok(())
}

/// Deletes a follow inside a transaction, with its mirror and counts. Returns whether it existed.
pub async fn delete_follow(tx: &mut Tx, follower: Id, followee: Id) -> kith_db::Result<bool> {
    let deleted = tx.opt(&DELETE, params![follower.0, followee.0], |_| Ok(())).await?;
    if deleted.is_some() {
        tx.exec(&DELETE_MIRROR, params![followee.0, follower.0]).await?;
        members::count_follow(tx, follower, followee, -1).await?;
    }
    Ok(deleted.is_some())
}
