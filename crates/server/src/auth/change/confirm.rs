//! What the mailed links and the mailed code do.

use super::rows::{self, Change, TRIES, UNDO};
use super::tokens::{self, Side};
use crate::app::App;
use crate::auth::refusals::{no_code, no_token, unknown, wrong_code};
use crate::auth::{addresses, links};
use crate::client::Client;
use crate::clock::Millis;
use crate::error::{ApiError, Result};
use crate::extract::Body;
use crate::ids::Id;
use crate::leaving;
use crate::limits::Act;
use crate::openapi::refusals;
use crate::session::Session;
use crate::{secrets, session, users};
use axum::Json;
use axum::extract::State;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a mailed link carries.
#[derive(Debug, Deserialize, ToSchema)]
pub struct EmailToken {
    /// From the link.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA")]
    pub token: Option<String>,
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
    /// The change was called off.
    Cancelled,
    /// The old address is back, and all sessions have ended.
    Restored,
}

/// What became of a change of address.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmailConfirmation {
    /// The present state.
    pub state: EmailState,
}

refusals!(Refused: no_token(), unknown(), taken(), expired(), ended());
refusals!(RefusedCode: no_code(), wrong_code(), taken(), expired(), ended());

fn expired() -> ApiError {
    let message = "This link has expired. Please ask for the change again.";
    ApiError::gone("change_expired", message)
}

fn ended() -> ApiError {
    let message = "This change was called off or replaced by a newer one.";
    ApiError::gone("change_ended", message)
}

fn taken() -> ApiError {
    let message = "Another member has this address.";
    ApiError::conflict("email_taken", message)
}

/// Does what a mailed link is for: confirms a change of address from one of the two mailboxes, or calls it
/// off from the old one. Within 7 days the old mailbox can also take the change back. A second time is the
/// same as once.
#[utoipa::path(post, path = "/api/account/email/confirm", operation_id = "confirmEmail", tag = "account", request_body = EmailToken, security(()),
    responses((status = 200, body = EmailConfirmation), Refused))]
pub async fn confirm_email(
    State(app): State<App>,
    client: Client,
    Body(body): Body<EmailToken>,
) -> Result<Json<EmailConfirmation>> {
    let token = body.token.filter(|token| !token.is_empty());
    let link = token
        .as_deref()
        .and_then(|token| tokens::open(&app.key, token));
    let counted = link.map(|(side, _, change)| side.counted(change));
    links::count(&app, client, counted)?;
    token.ok_or_else(no_token)?;
    let (side, member, change) = link.ok_or_else(unknown)?;
    let confirm = Confirm {
        member,
        change,
        side,
        now: app.now(),
    };
    let state = app.db.write(confirm).await?;
    Ok(Json(EmailConfirmation { state }))
}

/// Confirms the new address by the code that was mailed there. Five wrong codes call the change off.
#[utoipa::path(post, path = "/api/account/email/code", operation_id = "confirmEmailCode", tag = "account", request_body = EmailCode,
    responses((status = 200, body = EmailConfirmation), RefusedCode))]
pub async fn confirm_email_code(
    State(app): State<App>,
    session: Session,
    Body(body): Body<EmailCode>,
) -> Result<Json<EmailConfirmation>> {
    app.limits.act(Act::Link, session.member)?;
    let code = secrets::clean_code(body.code.as_deref().unwrap_or_default());
    if code.is_empty() {
        return Err(no_code());
    }
    let pending = rows::pending(&app.db.reader(), session.member, app.now()).await?;
    let change = pending.ok_or_else(expired)?.id;
    let right = tokens::code(&app.key, change);
    let confirm = Confirm {
        member: session.member,
        change,
        side: Side::New,
        now: app.now(),
    };
    if secrets::same(right.as_bytes(), code.as_bytes()) {
        let state = app.db.write(confirm).await?;
        return Ok(Json(EmailConfirmation { state }));
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
        // Whatever happens to a member's address happens one after the other.
        users::hold(tx, self.member).await?;
        let change = rows::find(tx, self.member, self.change).await?;
        // Its id was signed here, so there was such a change: it was deleted after its time.
        let change = change.ok_or_else(expired)?;
        match self.side {
            Side::New => self.agree(tx, change, true).await,
            Side::Old => self.agree(tx, change, false).await,
            Side::Undo => self.undo(tx, &change).await,
        }
    }
}

impl Confirm {
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
        if !session::hold(tx, &change.session_hash).await? {
            return Err(ended());
        }
        rows::agree(tx, self.member, change.id, is_new, self.now).await?;
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
        if !addresses::swap(tx, self.member, &change.new_email).await? {
            return Err(taken());
        }
        if let Some(old) = &change.old_email {
            links::end_older(tx, old, Id(i64::MAX), self.now).await?;
        }
        links::end_printed(tx, self.member, Id(i64::MAX), self.now).await?;
        session::end_others(tx, self.member, &change.session_hash).await?;
        rows::done(tx, self.member, change.id, self.now).await?;
        Ok(EmailState::Changed)
    }

    /// Somebody else is in the account: besides the address, all sessions go.
    async fn undo(&self, tx: &mut Tx, change: &Change) -> Result<EmailState> {
        let old = change.old_email.as_deref().ok_or_else(ended)?;
        let present = users::email(tx, self.member).await?;
        let is_back = present.as_deref() == Some(old);
        if change.ended_at.is_some() && !is_back {
            return Err(ended());
        }
        let state = match change.done_at {
            None => EmailState::Cancelled,
            Some(_) if is_back => EmailState::Restored,
            Some(done) if self.now >= done + UNDO => return Err(expired()),
            Some(_) => {
                if !addresses::swap(tx, self.member, old).await? {
                    return Err(taken());
                }
                if let Some(present) = &present {
                    links::end_older(tx, present, Id(i64::MAX), self.now).await?;
                }
                EmailState::Restored
            }
        };
        // Also when the change was called off before: whoever asked for it may have done that, and
        // may have asked for another one, or for the end of the account.
        rows::end_from(tx, self.member, change.id, self.now).await?;
        links::end_printed(tx, self.member, Id(i64::MAX), self.now).await?;
        session::end_all(tx, self.member).await?;
        // Whoever is suspended stays so, and what they asked for waits; an operator's word is not theirs.
        if users::exists(tx, self.member).await? {
            leaving::think_better(tx, self.member).await?;
        }
        Ok(state)
    }
}

/// A wrong guess.
struct WrongCode(Confirm);

impl kith_db::Write for WrongCode {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let Confirm {
            member,
            change,
            now,
            ..
        } = self.0;
        users::hold(tx, member).await?;
        let change = rows::find(tx, member, change).await?.ok_or_else(expired)?;
        if change.ended_at.is_some() {
            return Err(ended());
        }
        rows::count_try(tx, member, change.id).await?;
        if change.tries + 1 >= TRIES {
            rows::end_pending(tx, member, now).await?;
        }
        Ok(())
    }
}
