//! `/api/moderation-notices/by-link`: a notice and its objection without a session, by the link in the mail.

use crate::features::moderation::notices::dto::ModerationNotice;
use crate::features::moderation::notices::link;
use crate::features::moderation::notices::routes::{self, ObjectErrors, notice_not_found};
use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::ids::Id;
use crate::platform::rate_limit::AnonymousAction;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// Token of a notice's link.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NoticeLink {
    /// Token after the # of the link.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
}

/// Token of a notice's link, and an objection.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LinkedObjection {
    /// Token after the # of the link.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
    /// Why the sanction is wrong.
    #[schema(value_type = String, min_length = 1, max_length = 1000, example = "It was a joke between friends.")]
    pub text: Option<String>,
}

documented_errors!(LinkErrors: no_token(), notice_not_found());

fn no_token() -> ApiError {
    ApiError::missing_field("token", "Please open the link from your email again.")
}

/// Returns the notice of a mailed link. Needs no session, because a suspended member has none.
#[utoipa::path(post, path = "/api/moderation-notices/by-link", operation_id = "getLinkedNotice", tag = "moderation", security(()),
    request_body = NoticeLink, responses((status = 200, body = ModerationNotice), LinkErrors))]
pub async fn get_linked_notice(
    State(state): State<Platform>,
    client: ClientIp,
    Body(body): Body<NoticeLink>,
) -> Result<Json<ModerationNotice>> {
    let (member, notice) = verify(&state, &client, body.token.as_deref())?;
    routes::load_notice(&state, member, notice).await
}

/// Objects once to the sanction of a mailed link. Needs no session, because a suspended member has none.
#[utoipa::path(post, path = "/api/moderation-notices/by-link/objection", operation_id = "objectByLink", tag = "moderation", security(()),
    request_body = LinkedObjection, responses((status = 200, body = ModerationNotice), LinkErrors, ObjectErrors))]
pub async fn object_by_link(
    State(state): State<Platform>,
    client: ClientIp,
    Body(body): Body<LinkedObjection>,
) -> Result<Json<ModerationNotice>> {
    let (member, notice) = verify(&state, &client, body.token.as_deref())?;
    routes::write_objection(&state, member, notice, body.text.as_deref()).await
}

fn verify(state: &Platform, client: &ClientIp, token: Option<&str>) -> Result<(Id, Id), ApiError> {
    state.rate_limiter.check_ip(AnonymousAction::Any, client.0)?;
    let token = token.filter(|token| !token.is_empty()).ok_or_else(no_token)?;
    link::verify_token(&state.key, token).ok_or_else(notice_not_found)
}
