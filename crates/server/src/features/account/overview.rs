//! GET /api/account: email, pending email change and deletion.

use crate::features::account::AccountState;
use crate::features::account::deletion::{self, Deletion};
use crate::features::auth::{self, PendingEmail};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::platform::clock::rfc3339;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The account of the authenticated member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// Email address that login links are sent to; null for a founder who has not set one yet.
    #[schema(example = "ada@example.org")]
    pub email: Option<String>,
    /// Email change that has not been confirmed yet; null if there is none.
    pub pending_email: Option<PendingEmail>,
    /// Scheduled deletion of the account; null if there is none.
    pub deletion: Option<Deletion>,
}

/// Returns the authenticated member's email address, pending email change and scheduled deletion.
#[utoipa::path(get, path = "/api/account", operation_id = "getAccount", tag = "account",
    responses((status = 200, body = Account)))]
pub async fn get_account(
    State(state): State<Arc<AccountState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Account>> {
    let db = state.db.reader();
    let member = auth.member;
    let pending = auth::find_pending_email_change(&db, member, state.now()).await?;
    let deletion = deletion::find_delete_at(&db, member).await?;
    Ok(Json(Account {
        email: members::load_email(&db, member).await?,
        pending_email: pending.map(PendingEmail::from),
        deletion: deletion.map(|time| Deletion { delete_at: rfc3339(time) }),
    }))
}
