//! Following and unfollowing.

use crate::features::notifications::{self, Kind};
use crate::features::relationships::RelationshipsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::refusals;
use crate::platform::cache::Topic;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use axum::Json;
use axum::extract::State;
use futures_util::try_join;
use kith_db::{Reader, Sql, SqlIn, Tx, WatchSpec, params, sql, sql_in};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;
use utoipa::ToSchema;

const INSERT: Sql = sql!(
    "insert into follows (follower_id, followee_id, id) values ($1, $2, $3)
     on conflict (follower_id, followee_id) do nothing"
);
const INSERT_MIRROR: Sql =
    sql!("insert into followers (followee_id, follower_id, id) values ($1, $2, $3)");
const HOLD: Sql = sql!("update follows set id = id where follower_id = $1 and followee_id = $2");
const DELETE: Sql =
    sql!("delete from follows where follower_id = $1 and followee_id = $2 returning id");
const DELETE_MIRROR: Sql =
    sql!("delete from followers where followee_id = $1 and follower_id = $2");
const IS: Sql = sql!("select id from follows where follower_id = $1 and followee_id = $2");
const FOLLOWEES: Sql = sql!("select followee_id from follows where follower_id = $1");
static AMONG: SqlIn =
    sql_in!("select followee_id from follows where follower_id = $1 and followee_id in ($ids)");
static FOLLOWERS_AMONG: SqlIn =
    sql_in!("select follower_id from followers where followee_id = $1 and follower_id in ($ids)");

/// What memory depends on here.
pub const WATCHES: &[WatchSpec] = &[
    Topic::Follows.watch("follows", &["follower_id"]),
    Topic::Followers.watch("followers", &["followee_id"]),
];

/// Whether the reader follows a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowStatus {
    /// True once followed.
    pub is_following: bool,
}

/// Whom to follow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewFollow {
    /// The member's id.
    pub following_id: Id,
}

/// Follows a member. Following twice is the same as once.
#[utoipa::path(post, path = "/api/follows", operation_id = "follow", tag = "follows", request_body = NewFollow,
    responses((status = 200, body = FollowStatus), NoFollow))]
pub async fn follow(
    State(app): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Body(body): Body<NewFollow>,
) -> Result<Json<FollowStatus>> {
    let follower = auth.member;
    app.limits.act(Act::Follow, follower)?;
    if body.following_id == follower {
        return Err(myself());
    }
    app.db
        .write(Follow {
            follower,
            followee: body.following_id,
            id: app.id(),
        })
        .await?;
    Ok(Json(FollowStatus { is_following: true }))
}

fn myself() -> ApiError {
    ApiError::invalid("followingId", "You cannot follow yourself.")
}

refusals!(NoFollow: members::user_not_found(), relationships::you_blocked(), relationships::blocks_you(), myself());

/// Stops following a member. It is the same for one who was not followed.
#[utoipa::path(delete, path = "/api/follows/{userId}", operation_id = "unfollow", tag = "follows", params(("userId" = Id, Path)),
    responses((status = 200, body = FollowStatus)))]
pub async fn unfollow(
    State(app): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(followee): Path<Id>,
) -> Result<Json<FollowStatus>> {
    app.db
        .write(Unfollow {
            follower: auth.member,
            followee,
        })
        .await?;
    Ok(Json(FollowStatus {
        is_following: false,
    }))
}

/// Whether I follow a member.
#[utoipa::path(get, path = "/api/follows/{userId}/status", operation_id = "getFollowStatus", tag = "follows", params(("userId" = Id, Path)),
    responses((status = 200, body = FollowStatus)))]
pub async fn status(
    State(app): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(followee): Path<Id>,
) -> Result<Json<FollowStatus>> {
    let db = app.db.reader();
    members::ensure_exists(&db, followee).await?;
    Ok(Json(FollowStatus {
        is_following: is_following(&db, auth.member, followee).await?,
    }))
}

/// Whether an edge exists.
pub async fn is_following(db: &Reader<'_>, follower: Id, followee: Id) -> kith_db::Result<bool> {
    Ok(db
        .opt(&IS, params![follower.0, followee.0], |_| Ok(()))
        .await?
        .is_some())
}

/// Everyone a member follows, in no particular order.
pub async fn followees(db: &Reader<'_>, follower: Id) -> kith_db::Result<Vec<i64>> {
    db.all(&FOLLOWEES, params![follower.0], |row| row.int(0))
        .await
}

/// Those of `members` whom `follower` follows.
pub async fn among(
    db: &Reader<'_>,
    follower: Id,
    members: &[i64],
) -> kith_db::Result<HashSet<i64>> {
    let followed = db
        .all_in(&AMONG, params![follower.0], members, |row| row.int(0))
        .await?;
    Ok(followed.into_iter().collect())
}

/// Those of `members` who follow `followee`.
pub async fn followers_among(
    db: &Reader<'_>,
    followee: Id,
    members: &[i64],
) -> kith_db::Result<HashSet<i64>> {
    let fans = db
        .all_in(&FOLLOWERS_AMONG, params![followee.0], members, |row| {
            row.int(0)
        })
        .await?;
    Ok(fans.into_iter().collect())
}

struct Follow {
    follower: Id,
    followee: Id,
    id: Id,
}

impl kith_db::Write for Follow {
    type Out = ();
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.followee.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let tx = &*tx;
        let is_here = || async {
            if members::is_active_in(tx, self.followee).await? {
                Ok(())
            } else {
                Err(members::user_not_found())
            }
        };
        let (follower, followee) = (self.follower, self.followee);
        // Checked while both members' rows are locked, so that a concurrent block comes before or ends this follow.
        let check = async {
            // It may have waited, and nobody looks again for what either of them left.
            try_join!(
                relationships::check(tx, follower, followee),
                members::ensure_active(tx, follower),
                is_here(),
            )
            .map(drop)
        };
        let linked = link_and(tx, follower, followee, self.id, check);
        try_join!(members::ensure_active(tx, follower), is_here(), linked).map(drop)
    }
}

/// Adds an edge inside a transaction, with its counts and its notification.
pub async fn link(tx: &Tx, follower: Id, followee: Id, id: Id) -> kith_db::Result<()> {
    link_and(tx, follower, followee, id, async { Ok(()) }).await
}

/// The same, and what is asked behind the counts, for which both members' rows are held.
async fn link_and<E: From<kith_db::Error>>(
    tx: &Tx,
    follower: Id,
    followee: Id,
    id: Id,
    behind: impl Future<Output = Result<(), E>> + Send,
) -> Result<(), E> {
    let edge = params![follower.0, followee.0, id.0];
    let (added, hears) = try_join!(
        tx.exec(&INSERT, edge),
        notifications::hears(tx, followee, follower),
    )?;
    if added == 0 {
        return behind.await;
    }
    let mirror = params![followee.0, follower.0, id.0];
    let deed = (id, Kind::Follow);
    let told = notifications::tell(tx, hears, deed, followee, follower, Id::NONE);
    try_join!(
        async { Ok(tx.exec(&INSERT_MIRROR, mirror).await?) },
        async { Ok(members::count_follow(tx, follower, followee, 1).await?) },
        async { Ok(told.await?) },
        behind,
    )
    .map(drop)
}

struct Unfollow {
    follower: Id,
    followee: Id,
}

impl kith_db::Write for Unfollow {
    type Out = ();
    type Err = ApiError;

    fn contention_key(&self) -> Option<i64> {
        Some(self.followee.0)
    }

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let ended = unlink(tx, self.follower, self.followee).await?;
        if !ended && !members::is_active_in(tx, self.followee).await? {
            return Err(members::user_not_found());
        }
        Ok(())
    }
}

/// Keeps others from ending the follows between two members until this write is done.
pub async fn hold_between(tx: &mut Tx, one: Id, other: Id) -> kith_db::Result<()> {
    // Two who block each other at once begin with the same.
    let (first, second) = (one.min(other).0, one.max(other).0);
    for (follower, followee) in [(first, second), (second, first)] {
        tx.exec(&HOLD, params![follower, followee]).await?;
    }
    Ok(())
}

/// Removes an edge inside a transaction, with its counts; whether there was one.
pub async fn unlink(tx: &mut Tx, follower: Id, followee: Id) -> kith_db::Result<bool> {
    let gone = tx
        .opt(&DELETE, params![follower.0, followee.0], |_| Ok(()))
        .await?;
    if gone.is_some() {
        tx.exec(&DELETE_MIRROR, params![followee.0, follower.0])
            .await?;
        members::count_follow(tx, follower, followee, -1).await?;
    }
    Ok(gone.is_some())
}
