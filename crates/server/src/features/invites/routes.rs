//! Endpoints of a member's own invites.

use crate::features::invites::dto::Invite;
use crate::features::invites::errors::{closed, frozen, no_such_invite, none_left, used};
use crate::features::invites::lists::load_invites;
use crate::features::invites::store::{CreateInvite, RevokeInvite};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{PageQuery, Path, Query};
use crate::http::openapi::documented_errors;
use crate::http::pagination::{self, ListResponse};
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

/// Lists the usable and used invites of the authenticated member, newest first. Expired and revoked codes are
/// omitted.
#[utoipa::path(get, path = "/api/invites", operation_id = "listInvites", tag = "invites", params(PageQuery),
    responses((status = 200, body = [Invite], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_invites(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
    Query(query): Query<PageQuery>,
) -> Result<ListResponse<Invite>> {
    let page = query.page(50)?;
    let db = state.db.reader();
    let (invites, next) = load_invites(&db, auth.member, state.now(), page).await?;
    pagination::check_offset(page, &invites)?;
    Ok(ListResponse::new(invites, "/api/invites?", page.limit, next))
}

/// Creates an invite code. It can be used once, within 7 days unless set otherwise; a code that expires unused is
/// returned to the quota.
#[utoipa::path(post, path = "/api/invites", operation_id = "createInvite", tag = "invites",
    responses((status = 201, body = Invite), CreateInviteErrors))]
pub async fn create_invite(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> Result<(StatusCode, Json<Invite>)> {
    state.rate_limiter.check_member(MemberAction::Invite, auth.member)?;
    let (id, code, now) = (state.id(), crypto::random_code(12), state.now());
    let create = CreateInvite { member: auth.member, id, code: code.clone(), now };
    let expires_at = state.db.write(create).await?;
    let invite = Invite {
        id,
        code,
        is_used: false,
        expires_at: rfc3339(expires_at),
        created_at: rfc3339(id.time()),
        used_at: None,
        used_by: None,
    };
    Ok((StatusCode::CREATED, Json(invite)))
}

documented_errors!(RevokeInviteErrors: no_such_invite(), used());

/// Revokes an unused invite code and returns it to the quota.
#[utoipa::path(delete, path = "/api/invites/{id}", operation_id = "revokeInvite", tag = "invites", params(("id" = Id, Path)),
    responses((status = 204, description = "Invite revoked"), RevokeInviteErrors))]
pub async fn revoke_invite(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    state.db.write(RevokeInvite { member: auth.member, id, now: state.now() }).await?;
    Ok(StatusCode::NO_CONTENT)
}

documented_errors!(CreateInviteErrors: none_left(3), none_left(0), none_left(1), frozen(), closed());
