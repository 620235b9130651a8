//! What the mailed links and the mailed code do.

use super::store::{self, Change, TRIES, UNDO};
use super::tokens::{self, Side};
use crate::features::account::deletion;
use crate::features::auth::AuthState;
use crate::features::auth::errors::{no_code, no_token, unknown, wrong_code};
use crate::features::auth::proof_log::log_proof;
use crate::features::auth::{emails, login_links};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::sessions::{self, Cause};
use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Query};
use crate::http::openapi::documented_errors;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use crate::platform::telemetry::security_log::Event;
use axum::Json;
use axum::extract::State;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// What a mailed link carries.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailToken {
    /// From the link.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
    /// Whether the reader of the mail has not asked for the change: then it is not confirmed but called off.
    pub not_me: Option<bool>,
}

/// The token of a mailed link.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct EmailLinkQuery {
    /// From the link.
    #[param(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
}

/// The change of email that a mailed link is about.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmailLink {
    /// The email that the account would have then.
    #[schema(
        format = "email",
        min_length = 5,
        max_length = 254,
        example = "ada@example.net"
    )]
    pub new_email: String,
    /// The account's username.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
}

/// The code from the mail to the new address.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EmailCode {
    /// 8 letters and digits; case, spaces and dashes do not matter.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "K7QXM3TD")]
    pub code: Option<String>,
}

/// What became of a change of address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmailState {
    /// This mailbox has confirmed; the other one has not yet.
    Waiting,
    /// The address has changed.
    Changed,
    /// The change was called off from the old mailbox, and all sessions have ended.
    Cancelled,
    /// The change was called off from the new mailbox.
    Declined,
    /// The old address is back, and all sessions have ended.
    Restored,
}

/// What became of a change of address.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmailConfirmation {
    /// The present state.
    pub state: EmailState,
}

documented_errors!(Refused: no_token(), unknown(), taken(), already_changed(), expired(), ended());
documented_errors!(NotDescribed: no_token(), unknown(), expired());
documented_errors!(RefusedCode: no_code(), wrong_code(), taken(), expired(), ended());

fn expired() -> ApiError {
    let message = "This link has expired. Request the change again.";
    ApiError::gone("change_expired", message)
}

fn ended() -> ApiError {
    let message = "This change was cancelled or replaced by a newer request.";
    ApiError::gone("change_ended", message)
}

fn already_changed() -> ApiError {
    let message = "This email was confirmed before, and the account uses it now.";
    ApiError::conflict("email_changed", message)
}

fn taken() -> ApiError {
    let message = "Another member uses this email address.";
    ApiError::conflict("email_taken", message)
}

/// Returns which change a mailed link is about, and does nothing.
#[utoipa::path(get, path = "/api/account/email/confirm", operation_id = "getEmailLink", tag = "account", params(EmailLinkQuery), security(()),
    responses((status = 200, body = EmailLink), NotDescribed))]
pub async fn email_link(
    State(app): State<Arc<AuthState>>,
    client: ClientIp,
    Query(query): Query<EmailLinkQuery>,
) -> Result<Json<EmailLink>> {
    let (_, member, id) = open(&app, client, query.token.as_deref(), false)?;
    let db = app.db.reader();
    let change = store::find(&db, member, id).await?.ok_or_else(expired)?;
    let member = members::load_all_refs(&db, &[member.0])
        .await?
        .remove(&member.0);
    Ok(Json(EmailLink {
        new_email: change.new_email,
        username: member.ok_or_else(expired)?.username,
    }))
}

/// Does what a mailed link is for: confirms a change of address from one of the two mailboxes, or calls it
/// off from the old one. With `notMe` a link that confirms calls it off instead. Within 7 days the old mailbox can
/// also take the change back. A second time is the same as once.
#[utoipa::path(post, path = "/api/account/email/confirm", operation_id = "confirmEmail", tag = "account", request_body = EmailToken, security(()),
    responses((status = 200, body = EmailConfirmation), Refused))]
pub async fn confirm_email(
    State(app): State<Arc<AuthState>>,
    client: ClientIp,
    Body(body): Body<EmailToken>,
) -> Result<Json<EmailConfirmation>> {
    let is_declined = body.not_me == Some(true);
    prove(async {
        let (side, member, change) = open(&app, client, body.token.as_deref(), is_declined)?;
        let confirm = Confirm {
            member,
            change,
            side,
            now: app.now(),
        };
        if is_declined && side == Side::New {
            app.db.write(Decline(confirm)).await
        } else {
            app.db.write(confirm).await
        }
    })
    .await
}

/// Emits what becomes of a change.
async fn prove(
    change: impl Future<Output = Result<EmailState>>,
) -> Result<Json<EmailConfirmation>> {
    let state = log_proof(
        Event::EmailChangeConfirmed,
        Event::EmailChangeRejected,
        change,
    )
    .await?;
    Ok(Json(EmailConfirmation { state }))
}

/// Opens a mailed token and counts the try. From the old mailbox, which can also undo, declining is undoing.
fn open(
    app: &AuthState,
    client: ClientIp,
    token: Option<&str>,
    is_declined: bool,
) -> Result<(Side, Id, Id)> {
    let token = token.filter(|token| !token.is_empty());
    let link = token.and_then(|token| tokens::open(&app.key, token));
    let link = link.map(|(side, member, change)| match side {
        Side::Old if is_declined => (Side::Undo, member, change),
        side => (side, member, change),
    });
    let counted = link.map(|(side, _, change)| side.counted(change));
    login_links::count(app, client, counted)?;
    token.ok_or_else(no_token)?;
    link.ok_or_else(unknown)
}

/// Confirms the new address by the code that was mailed there. Five wrong codes call the change off.
#[utoipa::path(post, path = "/api/account/email/code", operation_id = "confirmEmailCode", tag = "account", request_body = EmailCode,
    responses((status = 200, body = EmailConfirmation), RefusedCode))]
pub async fn confirm_email_code(
    State(app): State<Arc<AuthState>>,
    auth: AuthenticatedMember,
    Body(body): Body<EmailCode>,
) -> Result<Json<EmailConfirmation>> {
    app.rate_limiter
        .check_member(MemberAction::OpenLink, auth.member)?;
    let typed = body.code.unwrap_or_default();
    prove(confirm_by_code(&app, auth.member, &typed)).await
}

async fn confirm_by_code(app: &AuthState, member: Id, typed: &str) -> Result<EmailState> {
    let code = crypto::normalize_code(typed);
    if code.is_empty() {
        return Err(no_code());
    }
    let pending = store::pending(&app.db.reader(), member, app.now()).await?;
    let change = pending.ok_or_else(expired)?.id;
    let right = tokens::code(&app.key, change);
    let confirm = Confirm {
        member,
        change,
        side: Side::New,
        now: app.now(),
    };
    if crypto::constant_time_eq(right.as_bytes(), code.as_bytes()) {
        return app.db.write(confirm).await;
    }
    app.db.write(WrongCode(confirm)).await?;
    Err(wrong_code())
}

struct Confirm {
    member: Id,
    change: Id,
    side: Side,
    now: Millis,
}

impl kith_db::Write for Confirm {
    type Out = EmailState;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<EmailState> {
        let change = self.lock(tx).await?;
        match self.side {
            Side::New => self.agree(tx, change, true).await,
            Side::Old => self.agree(tx, change, false).await,
            Side::Undo => self.undo(tx, &change).await,
        }
    }
}

impl Confirm {
    /// Locks the member, so that changes of one email run one after the other, and loads the change.
    async fn lock(&self, tx: &mut Tx) -> Result<Change> {
        members::lock(tx, self.member).await?;
        let change = store::find(&tx.reader(), self.member, self.change).await?;
        // Its id was signed by this server, so the row existed: it was deleted after it expired.
        change.ok_or_else(expired)
    }

    async fn agree(&self, tx: &mut Tx, mut change: Change, is_new: bool) -> Result<EmailState> {
        if change.ended_at.is_some() || change.tries >= TRIES {
            return Err(ended());
        }
        if change.done_at.is_some() {
            return Ok(EmailState::Changed);
        }
        if self.now >= change.expires_at {
            return Err(expired());
        }
        // However the session ended that asked, what it asked for ended with it.
        if !sessions::lock(tx, &change.session_hash).await? {
            return Err(ended());
        }
        store::agree(tx, self.member, change.id, is_new, self.now).await?;
        let side = if is_new {
            &mut change.new_confirmed_at
        } else {
            &mut change.old_confirmed_at
        };
        *side = Some(self.now);
        let old_agrees = change.old_email.is_none() || change.old_confirmed_at.is_some();
        if !old_agrees || change.new_confirmed_at.is_none() {
            return Ok(EmailState::Waiting);
        }
        if !emails::swap(tx, self.member, &change.new_email).await? {
            return Err(taken());
        }
        if let Some(old) = &change.old_email {
            login_links::end_older(tx, old, Id(i64::MAX), self.now).await?;
        }
        login_links::end_printed(tx, self.member, Id(i64::MAX), self.now).await?;
        sessions::end_others(tx, self.member, &change.session_hash, self.now).await?;
        store::done(tx, self.member, change.id, self.now).await?;
        Ok(EmailState::Changed)
    }

    /// Somebody else is in the account: besides the address, all sessions go.
    async fn undo(&self, tx: &mut Tx, change: &Change) -> Result<EmailState> {
        let old = change.old_email.as_deref().ok_or_else(ended)?;
        let present = members::load_email(&tx.reader(), self.member).await?;
        let is_back = present.as_deref() == Some(old);
        if change.ended_at.is_some() && !is_back {
            return Err(ended());
        }
        let state = match change.done_at {
            None => EmailState::Cancelled,
            Some(_) if is_back => EmailState::Restored,
            Some(done) if self.now >= done + UNDO => return Err(expired()),
            Some(_) => {
                if !emails::swap(tx, self.member, old).await? {
                    return Err(taken());
                }
                if let Some(present) = &present {
                    login_links::end_older(tx, present, Id(i64::MAX), self.now).await?;
                }
                EmailState::Restored
            }
        };
        // Also when it was called off before: a thief may have done that, and may have requested another change.
        store::end_from(tx, self.member, change.id, self.now).await?;
        login_links::end_printed(tx, self.member, Id(i64::MAX), self.now).await?;
        sessions::end_all(tx, self.member, Cause::Elsewhere, self.now).await?;
        // Whoever is suspended stays so, and what they asked for waits; an operator's word is not theirs.
        if members::is_active_in(tx, self.member).await? {
            deletion::cancel_unless_started(tx, self.member).await?;
        }
        Ok(state)
    }
}

/// Calls a change off from the new mailbox, which has no say in anything else of the account.
struct Decline(Confirm);

impl kith_db::Write for Decline {
    type Out = EmailState;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<EmailState> {
        let Confirm { member, now, .. } = self.0;
        let change = self.0.lock(tx).await?;
        if change.done_at.is_some() && change.ended_at.is_none() {
            return Err(already_changed());
        }
        if change.ended_at.is_none() {
            store::end_pending(tx, member, now).await?;
        }
        Ok(EmailState::Declined)
    }
}

/// A wrong guess.
struct WrongCode(Confirm);

impl kith_db::Write for WrongCode {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let Confirm { member, now, .. } = self.0;
        let change = self.0.lock(tx).await?;
        if change.ended_at.is_some() {
            return Err(ended());
        }
        store::count_try(tx, member, change.id).await?;
        if change.tries + 1 >= TRIES {
            store::end_pending(tx, member, now).await?;
        }
        Ok(())
    }
}
