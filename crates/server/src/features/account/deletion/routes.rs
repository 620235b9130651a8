//! /api/account/deletion: requests and cancels the deletion of the own account.

use crate::features::account::AccountState;
use crate::features::account::deletion::store::{
    self, CancelDeletion, GRACE_PERIOD, RequestDeletion, already_started, last_admin,
    username_mismatch,
};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::{rfc3339, utc_date};
use crate::platform::ids::Id;
use crate::platform::mail::{Mail, MailIdentity, Recipient, render_deletion_mail};
use crate::platform::rate_limit::MemberAction;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Confirms the deletion of the authenticated member's account.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeletionRequest {
    /// The member's own username, as a confirmation. Case, a leading @ and surrounding spaces are ignored.
    #[schema(value_type = String)]
    pub username: Option<String>,
}

/// A scheduled account deletion.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deletion {
    /// Time of the deletion.
    #[schema(
        format = "date-time",
        min_length = 24,
        max_length = 24,
        example = "2026-11-28T09:30:00.000Z"
    )]
    pub delete_at: String,
}

/// Schedules the deletion of the authenticated member's account and all its data in 7 days. Until then the
/// member can log in and cancel; all other sessions end immediately. Idempotent: a repeated request does not
/// change the date.
#[utoipa::path(post, path = "/api/account/deletion", operation_id = "deleteAccount", tag = "account", request_body = DeletionRequest,
    responses((status = 200, body = Deletion), DeleteAccountErrors))]
pub async fn delete_account(
    State(state): State<Arc<AccountState>>,
    auth: AuthenticatedMember,
    Body(body): Body<DeletionRequest>,
) -> Result<Json<Deletion>> {
    // Limited, because each request after a cancellation sends a mail.
    state.rate_limiter.check_member(MemberAction::DeleteAccount, auth.member)?;
    let typed = body.username.unwrap_or_default();
    let typed = typed.trim().trim_start_matches('@').to_ascii_lowercase();
    let now = state.now();
    let request = RequestDeletion {
        member: auth.member,
        username: Some(typed),
        session: Some(auth.session_hash),
        delete_at: now + GRACE_PERIOD,
        job: state.id(),
        now,
    };
    let scheduled =
        security_log::attempt(Event::DeletionRequested, state.db.write(request)).await?;
    state.mail.notify_one();
    Ok(Json(Deletion { delete_at: rfc3339(scheduled.delete_at) }))
}

documented_errors!(DeleteAccountErrors: username_mismatch(), last_admin());
documented_errors!(KeepAccountErrors: already_started());

/// Cancels the scheduled deletion of the authenticated member's account. Idempotent.
#[utoipa::path(delete, path = "/api/account/deletion", operation_id = "keepAccount", tag = "account",
    responses((status = 204, description = "Deletion canceled"), KeepAccountErrors))]
pub async fn keep_account(
    State(state): State<Arc<AccountState>>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    let member = auth.member;
    let cancel = state.db.write(CancelDeletion { member });
    security_log::attempt(Event::DeletionCancelled, cancel).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Renders the mail about a requested deletion; `None` if it was canceled or the member has no email.
pub(crate) async fn render_mail(
    platform: &Platform,
    network: &MailIdentity,
    member: Id,
) -> kith_db::Result<Option<Mail>> {
    let db = platform.db.reader();
    let delete_at = store::find_delete_at(&db, member).await?;
    let email = members::load_email(&db, member).await?;
    let language = members::load_language(&db, member).await?.unwrap_or(network.language);
    Ok(email.zip(delete_at).map(|(email, delete_at)| {
        let to = Recipient { email: &email, language, network };
        render_deletion_mail(to, utc_date(delete_at), &platform.settings.url_for("/?login=1"))
    }))
}
