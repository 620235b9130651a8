//! Routes that request and cancel an email change.

use super::store::{self, EmailChange};
use crate::features::auth::{Email, LOGIN_LINK_LIFETIME};
use crate::features::members;
use crate::features::sessions;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::message::Message;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::{MINUTE, Millis, rfc3339};
use crate::platform::ids::Id;
use crate::platform::jobs::{Job, enqueue};
use crate::platform::rate_limit::MemberAction;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum age of a session that adds an account's first email, because no old mailbox can cancel that change.
const MAX_LOGIN_AGE: Millis = 10 * MINUTE;

/// The new email address of the account.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EmailRequest {
    /// New email address. Case, surrounding spaces and Unicode compatibility forms are normalized.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// An email change that has not been confirmed yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingEmail {
    /// New email address.
    pub email: String,
    /// Time until which the change can be confirmed.
    pub expires_at: String,
    /// Whether the change was confirmed from the new mailbox.
    pub is_new_confirmed: bool,
    /// Whether the change was confirmed from the old mailbox; also true if the account has no email address
    /// yet.
    pub is_old_confirmed: bool,
}

impl From<EmailChange> for PendingEmail {
    fn from(change: EmailChange) -> Self {
        Self {
            is_new_confirmed: change.new_confirmed_at.is_some(),
            is_old_confirmed: change.old_email.is_none() || change.old_confirmed_at.is_some(),
            expires_at: rfc3339(change.expires_at),
            email: change.new_email,
        }
    }
}

/// Requests a change of the authenticated member's email address. Sends mails to the new and the old address;
/// the change takes effect once both are confirmed, within 15 minutes. A member without an email address must
/// have logged in within the last 10 minutes. The response does not reveal whether another member uses the
/// address.
#[utoipa::path(post, path = "/api/account/email", operation_id = "changeEmail", tag = "account", request_body = EmailRequest,
    responses((status = 200, body = Message), RequestErrors))]
pub async fn request_email_change(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
    Body(body): Body<EmailRequest>,
) -> Result<Json<Message>> {
    let email = Email::parse_quotable(body.email.as_deref().unwrap_or_default())?;
    state.rate_limiter.check_member(MemberAction::ChangeEmail, auth.member)?;
    let request = RequestEmailChange {
        auth,
        email,
        change: state.id(),
        jobs: [state.id(), state.id()],
        now: state.now(),
    };
    let written = state.db.write(request);
    let is_first = security_log::attempt(Event::EmailChangeRequested, written).await?;
    state.mail.notify_one();
    Ok(Message::new(if is_first {
        "We've emailed your new address. Confirm from it to make the change."
    } else {
        "We've emailed your new and your current address. Confirm from both to make the change."
    }))
}

documented_errors!(RequestErrors: same_email(), login_too_old());

fn same_email() -> ApiError {
    ApiError::invalid_field("email", "That's already your email address.")
}

fn login_too_old() -> ApiError {
    ApiError::forbidden(
        "login_too_old",
        "For security, log in again before adding your first email address. You have 10 minutes after logging in.",
    )
}

struct RequestEmailChange {
    auth: AuthenticatedMember,
    email: Email,
    change: Id,
    jobs: [Id; 2],
    now: Millis,
}

impl kith_db::Write for RequestEmailChange {
    /// Whether the address is the account's first.
    type Out = bool;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<bool> {
        let member = self.auth.member;
        members::lock_active(tx, member).await?;
        // The session may have ended while this request waited for the lock.
        let started = sessions::started_at(tx, &self.auth.session_hash).await?;
        let started = started.ok_or_else(ApiError::unauthorized)?;
        let old_email = members::load_email(&tx.reader(), member).await?;
        if old_email.as_deref() == Some(self.email.as_str()) {
            return Err(same_email());
        }
        let is_first = old_email.is_none();
        if is_first && self.now >= started + MAX_LOGIN_AGE {
            return Err(login_too_old());
        }
        store::cancel_pending(tx, member, self.now).await?;
        let [new_job, old_job] = self.jobs;
        enqueue(tx, &Job::email_change_mail(new_job, member, self.change, true, self.now)).await?;
        if !is_first {
            let job = Job::email_change_mail(old_job, member, self.change, false, self.now);
            enqueue(tx, &job).await?;
        }
        let change = EmailChange {
            id: self.change,
            old_email,
            new_email: self.email.as_str().to_owned(),
            session_hash: self.auth.session_hash.clone(),
            expires_at: self.now + LOGIN_LINK_LIFETIME,
            new_confirmed_at: None,
            old_confirmed_at: None,
            done_at: None,
            ended_at: None,
            tries: 0,
        };
        store::insert(tx, member, &change).await?;
        Ok(is_first)
    }
}

/// Cancels the pending email change of the authenticated member. Idempotent.
#[utoipa::path(delete, path = "/api/account/email", operation_id = "cancelEmailChange", tag = "account",
    responses((status = 204, description = "Email change canceled")))]
pub async fn cancel_email_change(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    let cancel = CancelEmailChange { member: auth.member, now: state.now() };
    security_log::attempt(Event::EmailChangeCancelled, state.db.write(cancel)).await?;
    Ok(StatusCode::NO_CONTENT)
}

struct CancelEmailChange {
    member: Id,
    now: Millis,
}

impl kith_db::Write for CancelEmailChange {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::lock_member(tx, self.member).await?;
        store::cancel_pending(tx, self.member, self.now).await?;
        Ok(())
    }
}
