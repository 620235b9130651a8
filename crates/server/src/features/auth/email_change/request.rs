//! Asking for another address, and calling that off.

use super::store::{self, Change};
use crate::features::auth::AuthState;
use crate::features::auth::{Email, LIFETIME};
use crate::features::members;
use crate::features::sessions;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::waitlist::Message;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
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
use std::sync::Arc;
use utoipa::ToSchema;

/// How young a login must be to give an account its first address: no mailbox can object yet.
const FRESH: Millis = 10 * MINUTE;

/// The address that login links should go to.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EmailRequest {
    /// The new address. Case, spaces around it and compatibility forms do not matter.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// A change of my address that waits to be confirmed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingEmail {
    /// The new address.
    pub email: String,
    /// Until when it can be confirmed.
    pub expires_at: String,
    /// Whether the new address has confirmed.
    pub is_new_confirmed: bool,
    /// Whether the old address has confirmed, or there is none.
    pub is_old_confirmed: bool,
}

impl From<Change> for PendingEmail {
    fn from(change: Change) -> Self {
        Self {
            is_new_confirmed: change.new_confirmed_at.is_some(),
            is_old_confirmed: change.old_email.is_none() || change.old_confirmed_at.is_some(),
            expires_at: rfc3339(change.expires_at),
            email: change.new_email,
        }
    }
}

/// Asks for another address. Mails go to the new and to the old one; it changes once both have confirmed,
/// within 15 minutes. Who has no address yet must have logged in within the last 10 minutes. The answer is
/// the same whether or not another member has that address.
#[utoipa::path(post, path = "/api/account/email", operation_id = "changeEmail", tag = "account", request_body = EmailRequest,
    responses((status = 200, body = Message), Refused))]
pub async fn ask_email(
    State(app): State<Arc<AuthState>>,
    auth: AuthenticatedMember,
    Body(body): Body<EmailRequest>,
) -> Result<Json<Message>> {
    let email = Email::named(body.email.as_deref().unwrap_or_default())?;
    app.rate_limiter
        .check_member(MemberAction::ChangeEmail, auth.member)?;
    let ask = Ask {
        auth,
        email,
        change: app.id(),
        jobs: [app.id(), app.id()],
        now: app.now(),
    };
    security_log::attempt(Event::EmailChangeRequested, app.db.write(ask)).await?;
    app.mail.notify_one();
    Ok(Message::new(
        "We've emailed your new and your current address. Confirm from both to make the change.",
    ))
}

documented_errors!(Refused: same(), stale());

fn same() -> ApiError {
    ApiError::invalid_field("email", "That's already your email address.")
}

fn stale() -> ApiError {
    ApiError::forbidden(
        "login_too_old",
        "For security, log in again before adding your first email address. You have 10 minutes after logging in.",
    )
}

struct Ask {
    auth: AuthenticatedMember,
    email: Email,
    change: Id,
    jobs: [Id; 2],
    now: Millis,
}

impl kith_db::Write for Ask {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let member = self.auth.member;
        members::lock_active(tx, member).await?;
        // It may have been ended while this call waited for its turn, and with it what it asked for.
        let started = sessions::started_at(tx, &self.auth.session_hash).await?;
        let started = started.ok_or_else(ApiError::unauthorized)?;
        let old_email = members::load_email(&tx.reader(), member).await?;
        if old_email.as_deref() == Some(self.email.as_str()) {
            return Err(same());
        }
        if old_email.is_none() && self.now >= started + FRESH {
            return Err(stale());
        }
        store::end_pending(tx, member, self.now).await?;
        let [new_job, old_job] = self.jobs;
        enqueue(
            tx,
            &Job::email_change_mail(new_job, member, self.change, true, self.now),
        )
        .await?;
        if old_email.is_some() {
            let job = Job::email_change_mail(old_job, member, self.change, false, self.now);
            enqueue(tx, &job).await?;
        }
        let change = Change {
            id: self.change,
            old_email,
            new_email: self.email.as_str().to_owned(),
            session_hash: self.auth.session_hash.clone(),
            expires_at: self.now + LIFETIME,
            new_confirmed_at: None,
            old_confirmed_at: None,
            done_at: None,
            ended_at: None,
            tries: 0,
        };
        store::insert(tx, member, &change).await?;
        Ok(())
    }
}

/// Calls off the change of my address that waits. It is the same when none does.
#[utoipa::path(delete, path = "/api/account/email", operation_id = "cancelEmailChange", tag = "account",
    responses((status = 204, description = "Called off")))]
pub async fn cancel_email(
    State(app): State<Arc<AuthState>>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    let cancel = Cancel {
        member: auth.member,
        now: app.now(),
    };
    security_log::attempt(Event::EmailChangeCancelled, app.db.write(cancel)).await?;
    Ok(StatusCode::NO_CONTENT)
}

struct Cancel {
    member: Id,
    now: Millis,
}

impl kith_db::Write for Cancel {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::lock(tx, self.member).await?;
        store::end_pending(tx, self.member, self.now).await?;
        Ok(())
    }
}
