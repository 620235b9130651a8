//! GET /api/account: email, pending email change and deletion.

use crate::features::account::AccountState;
use crate::features::account::deletion::{self, Deletion};
use crate::features::auth::{self, PendingEmail};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use crate::platform::mail::Language;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
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
    /// Language of mails to the member; null until it was set, which means English.
    pub language: Option<Language>,
}

/// A choice of language.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SetLanguage {
    /// Language of mails to the member.
    #[schema(value_type = Language)]
    pub language: Option<Language>,
}

documented_errors!(SetLanguageErrors: no_language());

fn no_language() -> ApiError {
    ApiError::missing_field("language", "Please choose a language.")
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
        language: members::load_language(&db, member).await?,
    }))
}

/// Sets the language of mails to the authenticated member.
#[utoipa::path(put, path = "/api/account/language", operation_id = "setLanguage", tag = "account", request_body = SetLanguage,
    responses((status = 204, description = "Language set"), SetLanguageErrors))]
pub async fn set_language(
    State(state): State<Arc<AccountState>>,
    auth: AuthenticatedMember,
    Body(body): Body<SetLanguage>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    let language = body.language.ok_or_else(no_language)?;
    state.db.write(WriteLanguage { member: auth.member, language }).await?;
    Ok(StatusCode::NO_CONTENT)
}

struct WriteLanguage {
    member: Id,
    language: Language,
}

impl kith_db::Write for WriteLanguage {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::ensure_active(tx, self.member).await?;
        Ok(members::set_language(tx, self.member, self.language).await?)
    }
}
