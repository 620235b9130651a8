//! Lists the members blocked or muted by the viewer.

use crate::features::members::{self, User};
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::RelationshipsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{PageQuery, Query};
use crate::http::pagination::{self, ListResponse};
use crate::platform::ids::Id;
use axum::extract::State;
use kith_db::{Sql, params, sql};
use std::sync::Arc;

/// Selects blocked members with their block ids below a block id, newest first.
pub const BLOCKED: Sql = sql!(
    "select blocked_id, id from blocks where member_id = $1 and id < $2 order by id desc limit $3"
);
/// Selects muted members with their mute ids below a mute id, newest first.
pub const MUTED: Sql = sql!(
    "select muted_id, id from mutes where member_id = $1 and id < $2 order by id desc limit $3"
);

/// Lists the members blocked by the authenticated member, newest block first.
#[utoipa::path(get, path = "/api/blocks", operation_id = "listBlocked", tag = "safety", params(PageQuery),
    responses((status = 200, body = [User], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_blocked(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Query(page): Query<PageQuery>,
) -> Result<ListResponse<User>> {
    load_page(&state, auth.member, page, &BLOCKED, "/api/blocks?").await
}

/// Lists the members muted by the authenticated member, newest mute first.
#[utoipa::path(get, path = "/api/mutes", operation_id = "listMuted", tag = "safety", params(PageQuery),
    responses((status = 200, body = [User], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_muted(
    State(state): State<Arc<RelationshipsState>>,
    auth: AuthenticatedMember,
    Query(page): Query<PageQuery>,
) -> Result<ListResponse<User>> {
    load_page(&state, auth.member, page, &MUTED, "/api/mutes?").await
}

async fn load_page(
    state: &RelationshipsState,
    viewer: Id,
    page: PageQuery,
    sql: &Sql,
    path: &str,
) -> Result<ListResponse<User>> {
    let page = page.page(20)?;
    let db = state.db.reader();
    let hidden = HiddenMembers::load(&db, viewer).await?;
    let owner = params![viewer.0][0];
    let read = |row: &kith_db::Row<'_>| Ok((row.int(1)?, row.int(0)?));
    let keep = |member: &i64| !hidden.is_suspended(*member);
    let (members, next) = pagination::load_filtered(&db, sql, owner, page, read, keep).await?;
    let users = members::load_users(&state.members, &db, viewer, &hidden, &members).await?;
    Ok(ListResponse::new(users, path, page.limit, next))
}
