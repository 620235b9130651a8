//! Asking for a link. The answer and its timing are the same for members and strangers.

use crate::features::auth::AuthState;
use crate::features::auth::Email;
use crate::features::auth::login_links::{self, LIFETIME, NewLink, insert_link};
use crate::features::invites;
use crate::http::client_ip::ClientIp;
use crate::http::cookies::{self, Cookies};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::clock::{MINUTE, Millis, SECOND};
use crate::platform::crypto;
use crate::platform::jobs::{Job, enqueue, is_queue_full};
use crate::platform::rate_limit::AnonymousAction;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::AppendHeaders;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// A stranger with an invite code.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MagicLinkRequest {
    /// Where the link goes. Case, spaces around it and compatibility forms do not matter.
    #[schema(value_type = String)]
    pub email: Option<String>,
    /// A friend's code: 12 letters and digits; case, spaces and dashes do not matter.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "K7QXM3TD9WBE")]
    pub invite_code: Option<String>,
}

/// A member who wants to log in.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LoginLinkRequest {
    /// The member's address. Case, spaces around it and compatibility forms do not matter.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// A link was asked for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkRequested {
    /// A sentence for a person.
    #[schema(
        min_length = 1,
        max_length = 500,
        example = "We sent you a magic link to log in."
    )]
    pub message: &'static str,
    /// Seconds until this browser can ask for another mail to this address; sooner, none is sent. It says nothing of
    /// whether there was one.
    #[schema(minimum = 1, maximum = 60, example = 60)]
    pub next_mail_in_seconds: i64,
}

type Requested = Result<(Cookies<1>, Json<LinkRequested>)>;

/// Asks for a sign-up link. An address that is a member's already gets a login link, and the code stays unspent.
#[utoipa::path(post, path = "/api/auth/request-magic-link", operation_id = "requestMagicLink", tag = "auth", request_body = MagicLinkRequest, security(()),
    responses((status = 200, body = LinkRequested, headers(("Set-Cookie"))), BadInvite))]
pub async fn request_magic_link(
    State(app): State<Arc<AuthState>>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<MagicLinkRequest>,
) -> Requested {
    let email = named(&app, client, body.email.as_deref())?;
    let code = crypto::normalize_code(body.invite_code.as_deref().unwrap_or_default());
    if code.is_empty() {
        return Err(no_code());
    }
    invites::ensure_open(&app, &code).await?;
    let message = "We sent you a magic link to log in.";
    let link = enqueue_link(&app, &headers, email, Some(code), message);
    security_log::attempt(Event::LoginRequested, link).await
}

/// Asks for a login link. Says the same whether or not the address is a member's.
#[utoipa::path(post, path = "/api/auth/request-login-link", operation_id = "requestLoginLink", tag = "auth", request_body = LoginLinkRequest, security(()),
    responses((status = 200, body = LinkRequested, headers(("Set-Cookie")))))]
pub async fn request_login_link(
    State(app): State<Arc<AuthState>>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<LoginLinkRequest>,
) -> Requested {
    let email = named(&app, client, body.email.as_deref())?;
    let message = "If an account exists, we've sent you a magic link.";
    let link = enqueue_link(&app, &headers, email, None, message);
    security_log::attempt(Event::LoginRequested, link).await
}

documented_errors!(BadInvite: no_code(), invites::not_valid());

fn no_code() -> ApiError {
    ApiError::missing_field("inviteCode", "Please enter your invite code.")
}

fn named(app: &AuthState, client: ClientIp, typed: Option<&str>) -> Result<Email> {
    let email = Email::parse(typed.unwrap_or_default());
    app.rate_limiter
        .check_ip_for_input(AnonymousAction::LoginMail, client.0, email)
}

async fn enqueue_link(
    app: &AuthState,
    headers: &HeaderMap,
    email: Email,
    invite: Option<String>,
    message: &'static str,
) -> Requested {
    // A browser that asks twice keeps its nonce, so that either mail works in it.
    let known = cookies::value(headers, nonce_cookie(app))
        .filter(|value| crypto::decode(value).is_some_and(|bytes| bytes.len() == 32));
    let nonce = known.map_or_else(new_nonce, str::to_owned);
    let next = new_nonce();
    let now = app.now();
    let link = NewLink {
        id: app.id(),
        email: Some(email),
        member: None,
        invite,
        nonce_hash: Some(crypto::hash_secret(&nonce)),
        expires_at: now + LIFETIME,
    };
    let ask = Ask {
        job: Job::login_mail(app.id(), link.id, now),
        next_hash: crypto::hash_secret(&next),
        link,
        now,
    };
    let (nonce, asked_at) = match app.db.write(ask).await? {
        Asked::Here => (nonce, now),
        Asked::Anew => (next, now),
        Asked::Before(time) => (nonce, time),
        Asked::Full => {
            metrics::counter!("kith_mails_refused_total").increment(1);
            return Err(ApiError::unavailable());
        }
    };
    app.mail.notify_one();
    let cookie = cookies::set_cookie(app, nonce_cookie(app), &nonce, LIFETIME / 1_000);
    let wait = asked_at + MINUTE - now;
    let requested = LinkRequested {
        message,
        next_mail_in_seconds: (wait + SECOND - 1).div_euclid(SECOND).clamp(1, 60),
    };
    Ok((AppendHeaders([cookie]), Json(requested)))
}

fn new_nonce() -> String {
    crypto::encode(&crypto::random_bytes())
}

/// The cookie that ties a link to the browser that asked for it.
pub(super) fn nonce_cookie(app: &AuthState) -> &'static str {
    if app.settings.https() {
        "__Host-login"
    } else {
        "login"
    }
}

/// The hash of that cookie, if it came along.
pub(super) fn nonce_in(app: &AuthState, headers: &HeaderMap) -> Option<String> {
    cookies::value(headers, nonce_cookie(app)).map(crypto::hash_secret)
}

/// A wish for a link.
struct Ask {
    link: NewLink,
    job: Job,
    /// The hash of another cookie, for a browser whose own is worn.
    next_hash: String,
    now: Millis,
}

/// What became of a wish.
enum Asked {
    /// It belongs to the cookie that came along.
    Here,
    /// It belongs to the next one.
    Anew,
    /// This link was requested at this time, less than a minute ago; the earlier request stays as it is.
    Before(Millis),
    /// There was no room for the mail.
    Full,
}

impl kith_db::Write for Ask {
    type Out = Asked;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Asked> {
        if is_queue_full(tx, &self.job).await? {
            return Ok(Asked::Full);
        }
        let mut link = self.link.clone();
        let own_hash = link.nonce_hash.as_deref().unwrap_or_default();
        let earlier = login_links::requested_lately(tx, own_hash, self.now).await?;
        let since = self.now - MINUTE;
        if let Some(time) = earlier.last_for(&link).filter(|time| *time > since) {
            return Ok(Asked::Before(time));
        }
        let is_worn = earlier.are_many();
        if is_worn {
            link.nonce_hash = Some(self.next_hash.clone());
        }
        insert_link(tx, &link).await?;
        enqueue(tx, &self.job).await?;
        Ok(if is_worn { Asked::Anew } else { Asked::Here })
    }
}
