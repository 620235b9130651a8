//! Routes to follow and unfollow a member, and to query whether the viewer follows one.

use crate::features::relationships::RelationshipsState;
use crate::features::relationships::follows::store::{
    FollowMember, UnfollowMember, is_following, new_member_limit,
};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, relationships, settings};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::documented_errors;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Follow state of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowStatus {
    /// Whether the viewer follows the member.
    pub is_following: bool,
}

/// The member to follow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewFollow {
    /// Id of the member.
    pub following_id: Id,
}

/// Follows a member. Idempotent.
#[utoipa::path(post, path = "/api/follows", operation_id = "follow", tag = "follows", request_body = NewFollow,
    responses((status = 200, body = FollowStatus), NoFollow))]
pub async fn follow_user(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Body(body): Body<NewFollow>,
) -> Result<Json<FollowStatus>> {
    let follower = auth.member;
    state.rate_limiter.check_member(MemberAction::Follow, follower)?;
    if body.following_id == follower {
        return Err(self_follow_error());
    }
    let limits =
        settings::load_new_member_limits(&state.db.reader(), follower, state.now()).await?;
    let daily_limit = limits.map(|limits| limits.new_member_follows);
    let (followee, id) = (body.following_id, state.id());
    state.db.write(FollowMember { follower, followee, id, daily_limit }).await?;
    Ok(Json(FollowStatus { is_following: true }))
}

pub(super) fn self_follow_error() -> ApiError {
    ApiError::invalid_field("followingId", "You cannot follow yourself.")
}

documented_errors!(NoFollow: members::user_not_found(), relationships::you_blocked(), relationships::blocks_you(), self_follow_error(), new_member_limit());

/// Unfollows a member. Idempotent.
#[utoipa::path(delete, path = "/api/follows/{userId}", operation_id = "unfollow", tag = "follows", params(("userId" = Id, Path)),
    responses((status = 200, body = FollowStatus)))]
pub async fn unfollow_user(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(followee): Path<Id>,
) -> Result<Json<FollowStatus>> {
    state.db.write(UnfollowMember { follower: auth.member, followee }).await?;
    Ok(Json(FollowStatus { is_following: false }))
}

/// Returns whether the viewer follows a member.
#[utoipa::path(get, path = "/api/follows/{userId}/status", operation_id = "getFollowStatus", tag = "follows", params(("userId" = Id, Path)),
    responses((status = 200, body = FollowStatus)))]
pub async fn get_follow_status(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(followee): Path<Id>,
) -> Result<Json<FollowStatus>> {
    let db = state.db.reader();
    members::ensure_exists(&db, followee).await?;
    Ok(Json(FollowStatus { is_following: is_following(&db, auth.member, followee).await? }))
}
