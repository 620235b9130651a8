//! Lists a member's followers and followed members.

use crate::features::members::{self, User};
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::RelationshipsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{OffsetQuery, OpaqueCursorQuery, Path, Query};
use crate::http::pagination::{self, ListResponse};
use crate::platform::ids::Id;
use axum::extract::State;
use kith_db::{Reader, Row, Sql, params, sql};
use std::sync::Arc;

/// Selects followers with their follow ids below a follow id, newest first.
pub const FOLLOWERS: Sql = sql!(
    "select follower_id, id from followers where followee_id = $1 and id < $2
     order by id desc limit $3"
);
/// Selects followed members with their follow ids below a follow id, newest first.
pub const FOLLOWING: Sql = sql!(
    "select followee_id, id from follows where follower_id = $1 and id < $2
     order by id desc limit $3"
);

/// Lists the followers of a member, newest first. Empty if the viewer and the member have a block between
/// them.
#[utoipa::path(get, path = "/api/users/{username}/followers", operation_id = "listFollowers", tag = "follows",
    params(("username" = String, Path), OffsetQuery, OpaqueCursorQuery),
    responses((status = 200, body = [User], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_followers(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(username): Path<String>,
    Query(slice): Query<OffsetQuery>,
    Query(sealed): Query<OpaqueCursorQuery>,
) -> Result<ListResponse<User>> {
    let page = (&slice, &sealed);
    load_page(&state, auth.member, &username, page, "followers").await
}

/// Lists the members a member follows, newest first. Empty if the viewer and the member have a block
/// between them.
#[utoipa::path(get, path = "/api/users/{username}/following", operation_id = "listFollowing", tag = "follows",
    params(("username" = String, Path), OffsetQuery, OpaqueCursorQuery),
    responses((status = 200, body = [User], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_following(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Path(username): Path<String>,
    Query(slice): Query<OffsetQuery>,
    Query(sealed): Query<OpaqueCursorQuery>,
) -> Result<ListResponse<User>> {
    let page = (&slice, &sealed);
    load_page(&state, auth.member, &username, page, "following").await
}

async fn load_page(
    state: &RelationshipsState,
    viewer: Id,
    username: &str,
    (slice, sealed): (&OffsetQuery, &OpaqueCursorQuery),
    list: &str,
) -> Result<ListResponse<User>> {
    slice.bounds(20)?;
    let db = state.db.reader();
    let member =
        members::find_by_username(&db, username).await?.ok_or_else(members::user_not_found)?;
    let (is_active, hidden) =
        futures_util::try_join!(members::is_active(&db, member), HiddenMembers::load(&db, viewer))?;
    let hidden = hidden.sparing_for_staff(&db, viewer, member).await?;
    if !is_active && hidden.spared().is_none() {
        return Err(members::user_not_found());
    }
    let sealed_for = (list, member.0);
    let page = sealed.page(slice, &state.key, sealed_for)?;
    let sql = if list == "followers" { &FOLLOWERS } else { &FOLLOWING };
    let path = format!("/api/users/{}/{list}?", username.to_ascii_lowercase());
    let (ids, next) = if hidden.is_hidden_everywhere(member.0) {
        Default::default()
    } else {
        let owner = params![member.0][0];
        let read = |row: &Row<'_>| Ok((row.int(1)?, row.int(0)?));
        let keep = |other: &i64| !hidden.is_hidden_everywhere(*other);
        pagination::load_filtered(&db, sql, owner, page, read, keep).await?
    };
    let users = members::load_users(&state.members, &db, viewer, &hidden, &ids).await?;
    // A follow id reveals the time of the follow, so the cursor is encrypted.
    let next = next.map(|cursor| state.key.encrypt_cursor(sealed_for, cursor));
    Ok(ListResponse::new(users, &path, page.limit, next))
}

/// Loads the ids of a member's newest followers, at most `limit`, newest first.
pub async fn load_newest_followers(
    db: &Reader<'_>,
    member: Id,
    limit: usize,
) -> kith_db::Result<Vec<i64>> {
    let bound = params![member.0, i64::MAX, limit];
    db.all(&FOLLOWERS, bound, |row| row.int(0)).await
}
