//! Confirmation and cancellation of email changes by mailed links and codes.

use super::store::{self, EmailChange, MAX_ATTEMPTS, UNDO_WINDOW};
use super::tokens::{self, TokenPurpose};
use crate::features::account::deletion;
use crate::features::auth::errors::{invalid_link, missing_code, missing_token, wrong_code};
use crate::features::auth::proof_log::log_proof;
use crate::features::auth::{emails, login_links};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::sessions::{self, Cause};
use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Query};
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use crate::platform::telemetry::security_log::Event;
use axum::Json;
use axum::extract::State;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// The token of an emailed link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailToken {
    /// Token from the link.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
    /// Whether the recipient did not request the change. If true, the change is canceled instead of
    /// confirmed.
    pub not_me: Option<bool>,
}

/// Query parameters of an emailed link.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EmailLinkQuery {
    /// Token from the link.
    #[param(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
}

/// The email change that an emailed link refers to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailLink {
    /// Email address of the account after the change.
    #[schema(format = "email", min_length = 5, max_length = 254, example = "ada@example.net")]
    pub new_email: String,
    /// Username of the account.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
}

/// The code from the mail to the new email address.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EmailCode {
    /// Code of 8 letters and digits. Case, spaces and dashes are ignored.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "K7QXM3TD")]
    pub code: Option<String>,
}

/// State of an email change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmailState {
    /// Confirmed from this mailbox, not yet from the other one.
    Waiting,
    /// The email address has changed.
    Changed,
    /// Canceled from the old mailbox; all sessions have ended.
    Cancelled,
    /// Canceled from the new mailbox.
    Declined,
    /// Undone: the old email address is restored, and all sessions have ended.
    Restored,
}

/// Result of confirming or canceling an email change.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmailConfirmation {
    /// State of the email change after the request.
    pub state: EmailState,
}

documented_errors!(ConfirmErrors: missing_token(), invalid_link(), email_taken(), email_changed(), change_expired(), change_ended());
documented_errors!(DescribeErrors: missing_token(), invalid_link(), change_expired());
documented_errors!(ConfirmCodeErrors: missing_code(), wrong_code(), email_taken(), change_expired(), change_ended());

fn change_expired() -> ApiError {
    let message = "This link has expired. Request the change again.";
    ApiError::gone("change_expired", message)
}

fn change_ended() -> ApiError {
    let message = "This change was cancelled or replaced by a newer request.";
    ApiError::gone("change_ended", message)
}

fn email_changed() -> ApiError {
    let message = "This email was confirmed before, and the account uses it now.";
    ApiError::conflict("email_changed", message)
}

fn email_taken() -> ApiError {
    let message = "Another member uses this email address.";
    ApiError::conflict("email_taken", message)
}

/// Returns the email change that an emailed link refers to, without confirming it.
#[utoipa::path(get, path = "/api/account/email/confirm", operation_id = "getEmailLink", tag = "account", params(EmailLinkQuery), security(()),
    responses((status = 200, body = EmailLink), DescribeErrors))]
pub async fn get_email_link(
    State(state): State<Platform>,
    client: ClientIp,
    Query(query): Query<EmailLinkQuery>,
) -> Result<Json<EmailLink>> {
    let (_, member, id) = open_link(&state, client, query.token.as_deref(), false).await?;
    let db = state.db.reader();
    let change = store::find(&db, member, id).await?.ok_or_else(change_expired)?;
    let member = members::load_all_refs(&db, &[member.0]).await?.remove(&member.0);
    Ok(Json(EmailLink {
        new_email: change.new_email,
        username: member.ok_or_else(change_expired)?.username,
    }))
}

/// Applies an emailed link: confirms an email change from the old or the new mailbox, or cancels it from the
/// old one. With `notMe`, a confirmation link cancels the change instead. The old mailbox can also undo the
/// change within 7 days. Idempotent.
#[utoipa::path(post, path = "/api/account/email/confirm", operation_id = "confirmEmail", tag = "account", request_body = EmailToken, security(()),
    responses((status = 200, body = EmailConfirmation), ConfirmErrors))]
pub async fn confirm_email(
    State(state): State<Platform>,
    client: ClientIp,
    Body(body): Body<EmailToken>,
) -> Result<Json<EmailConfirmation>> {
    let is_declined = body.not_me == Some(true);
    log_confirmation(async {
        let (purpose, member, change) =
            open_link(&state, client, body.token.as_deref(), is_declined).await?;
        let confirm = ConfirmChange { member, change, purpose, now: state.now() };
        if is_declined && purpose == TokenPurpose::ConfirmNew {
            state.db.write(DeclineChange(confirm)).await
        } else {
            state.db.write(confirm).await
        }
    })
    .await
}

/// Emits the security event of a confirmation's result.
async fn log_confirmation(
    change: impl Future<Output = Result<EmailState>>,
) -> Result<Json<EmailConfirmation>> {
    let state = log_proof(Event::EmailChangeConfirmed, Event::EmailChangeRejected, change).await?;
    Ok(Json(EmailConfirmation { state }))
}

/// Verifies a mailed token and rate-limits the attempt. A decline from the old mailbox counts as
/// [`TokenPurpose::Undo`].
async fn open_link(
    state: &Platform,
    client: ClientIp,
    token: Option<&str>,
    is_declined: bool,
) -> Result<(TokenPurpose, Id, Id)> {
    let token = token.filter(|token| !token.is_empty());
    let link = token.and_then(|token| tokens::verify(&state.key, token));
    let link = link.map(|(purpose, member, change)| match purpose {
        TokenPurpose::ConfirmOld if is_declined => (TokenPurpose::Undo, member, change),
        purpose => (purpose, member, change),
    });
    let key = link.map(|(purpose, _, change)| purpose.rate_limit_key(change));
    login_links::check_attempt_rate(state, client, key).await?;
    token.ok_or_else(missing_token)?;
    link.ok_or_else(invalid_link)
}

/// Confirms the new email address with the code mailed to it. Five wrong codes cancel the change.
#[utoipa::path(post, path = "/api/account/email/code", operation_id = "confirmEmailCode", tag = "account", request_body = EmailCode,
    responses((status = 200, body = EmailConfirmation), ConfirmCodeErrors))]
pub async fn confirm_email_code(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
    Body(body): Body<EmailCode>,
) -> Result<Json<EmailConfirmation>> {
    state.rate_limiter.check_member(MemberAction::OpenLink, auth.member)?;
    let typed = body.code.unwrap_or_default();
    log_confirmation(confirm_by_code(&state, auth.member, &typed)).await
}

async fn confirm_by_code(state: &Platform, member: Id, typed: &str) -> Result<EmailState> {
    let code = crypto::normalize_code(typed);
    if code.is_empty() {
        return Err(missing_code());
    }
    let pending = store::find_pending(&state.db.reader(), member, state.now()).await?;
    let change = pending.ok_or_else(change_expired)?.id;
    let expected = tokens::code(&state.key, change);
    let confirm =
        ConfirmChange { member, change, purpose: TokenPurpose::ConfirmNew, now: state.now() };
    if crypto::constant_time_eq(expected.as_bytes(), code.as_bytes()) {
        return state.db.write(confirm).await;
    }
    state.db.write(RecordWrongCode(confirm)).await?;
    Err(wrong_code())
}

/// Transaction that applies a link or code to an email change.
struct ConfirmChange {
    member: Id,
    change: Id,
    purpose: TokenPurpose,
    now: Millis,
}

impl kith_db::Write for ConfirmChange {
    type Out = EmailState;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<EmailState> {
        let change = self.lock(tx).await?;
        match self.purpose {
            TokenPurpose::ConfirmNew => self.confirm_side(tx, change, true).await,
            TokenPurpose::ConfirmOld => self.confirm_side(tx, change, false).await,
            TokenPurpose::Undo => self.cancel_or_revert(tx, &change).await,
        }
    }
}

impl ConfirmChange {
    /// Locks the member, so that changes of one email run one after the other, and loads the change.
    async fn lock(&self, tx: &mut Tx) -> Result<EmailChange> {
        members::lock_member(tx, self.member).await?;
        let change = store::find(&tx.reader(), self.member, self.change).await?;
        // This server signed the id, so the change existed and was purged after it expired.
        change.ok_or_else(change_expired)
    }

    /// Records one side's confirmation, and changes the email once both sides have confirmed.
    async fn confirm_side(
        &self,
        tx: &mut Tx,
        mut change: EmailChange,
        is_new: bool,
    ) -> Result<EmailState> {
        if change.ended_at.is_some() || change.tries >= MAX_ATTEMPTS {
            return Err(change_ended());
        }
        if change.done_at.is_some() {
            return Ok(EmailState::Changed);
        }
        if self.now >= change.expires_at {
            return Err(change_expired());
        }
        // The request ends with its session, however the session ended.
        if !sessions::lock_session(tx, &change.session_hash).await? {
            return Err(change_ended());
        }
        store::mark_confirmed(tx, self.member, change.id, is_new, self.now).await?;
        let confirmed_at =
            if is_new { &mut change.new_confirmed_at } else { &mut change.old_confirmed_at };
        *confirmed_at = Some(self.now);
        let is_old_confirmed = change.old_email.is_none() || change.old_confirmed_at.is_some();
        if !is_old_confirmed || change.new_confirmed_at.is_none() {
            return Ok(EmailState::Waiting);
        }
        if !emails::replace(tx, self.member, &change.new_email).await? {
            return Err(email_taken());
        }
        if let Some(old) = &change.old_email {
            login_links::expire_older(tx, old, Id(i64::MAX), self.now).await?;
        }
        login_links::expire_operator_links(tx, self.member, Id(i64::MAX), self.now).await?;
        sessions::end_others(tx, self.member, &change.session_hash, self.now).await?;
        store::mark_done(tx, self.member, change.id, self.now).await?;
        Ok(EmailState::Changed)
    }

    /// Cancels the change, or reverts it if it is done. Also revokes all sessions: an attacker may hold one.
    async fn cancel_or_revert(&self, tx: &mut Tx, change: &EmailChange) -> Result<EmailState> {
        let old = change.old_email.as_deref().ok_or_else(change_ended)?;
        let current = members::load_email(&tx.reader(), self.member).await?;
        let is_reverted = current.as_deref() == Some(old);
        if change.ended_at.is_some() && !is_reverted {
            return Err(change_ended());
        }
        let state = match change.done_at {
            None => EmailState::Cancelled,
            Some(_) if is_reverted => EmailState::Restored,
            Some(done) if self.now >= done + UNDO_WINDOW => return Err(change_expired()),
            Some(_) => {
                if !emails::replace(tx, self.member, old).await? {
                    return Err(email_taken());
                }
                if let Some(current) = &current {
                    login_links::expire_older(tx, current, Id(i64::MAX), self.now).await?;
                }
                EmailState::Restored
            }
        };
        // Also after an earlier cancellation: an attacker may have cancelled it and requested another change.
        store::cancel_from(tx, self.member, change.id, self.now).await?;
        login_links::expire_operator_links(tx, self.member, Id(i64::MAX), self.now).await?;
        sessions::end_all(tx, self.member, Cause::Elsewhere, self.now).await?;
        // Keeps the paused deletion of a suspended member, and one that the operator requested.
        if members::is_active_in(tx, self.member).await? {
            deletion::cancel_unless_started(tx, self.member).await?;
        }
        Ok(state)
    }
}

/// Cancels a change from the new mailbox, which controls nothing else of the account.
struct DeclineChange(ConfirmChange);

impl kith_db::Write for DeclineChange {
    type Out = EmailState;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<EmailState> {
        let ConfirmChange { member, now, .. } = self.0;
        let change = self.0.lock(tx).await?;
        if change.done_at.is_some() && change.ended_at.is_none() {
            return Err(email_changed());
        }
        if change.ended_at.is_none() {
            store::cancel_pending(tx, member, now).await?;
        }
        Ok(EmailState::Declined)
    }
}

/// Counts a wrong code; the last attempt cancels the change.
struct RecordWrongCode(ConfirmChange);

impl kith_db::Write for RecordWrongCode {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let ConfirmChange { member, now, .. } = self.0;
        let change = self.0.lock(tx).await?;
        if change.ended_at.is_some() {
            return Err(change_ended());
        }
        store::record_failed_attempt(tx, member, change.id).await?;
        if change.tries + 1 >= MAX_ATTEMPTS {
            store::cancel_pending(tx, member, now).await?;
        }
        Ok(())
    }
}
