//! Requests for login links. Response and timing are the same whether or not the email is a member's.

use crate::features::auth::Email;
use crate::features::auth::group_sign_ups;
use crate::features::auth::login_links::{
    self, LOGIN_LINK_LIFETIME, NewLoginLink, insert_login_link,
};
use crate::features::{invites, settings};
use crate::http::client_ip::ClientIp;
use crate::http::cookies::{self, Cookies};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::language;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::{MINUTE, Millis, SECOND};
use crate::platform::crypto;
use crate::platform::jobs::{Job, enqueue, is_queue_full};
use crate::platform::network_limit;
use crate::platform::rate_limit::AnonymousAction;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::AppendHeaders;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A sign-up with an invite code.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MagicLinkRequest {
    /// Email address that the link is sent to. Case, surrounding spaces and Unicode compatibility forms are
    /// normalized.
    #[schema(value_type = String)]
    pub email: Option<String>,
    /// Invite code of 12 letters and digits. Case, spaces and dashes are ignored.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "K7QXM3TD9WBE")]
    pub invite_code: Option<String>,
}

/// A login by email.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LoginLinkRequest {
    /// Email address of the member. Case, surrounding spaces and Unicode compatibility forms are normalized.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// Confirmation that the request for a link was accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkRequested {
    /// Message for the member.
    #[schema(min_length = 1, max_length = 500, example = "We sent you a magic link to log in.")]
    pub message: &'static str,
    /// Seconds until this browser can request another mail to this email address; earlier requests send none.
    /// Does not reveal whether a mail was sent.
    #[schema(minimum = 1, maximum = 60, example = 60)]
    pub next_mail_in_seconds: i64,
}

type LinkResponse = Result<(Cookies<1>, Json<LinkRequested>)>;

/// Requests a sign-up link by email. If the email address belongs to a member, a login link is sent instead
/// and the invite code remains unused.
#[utoipa::path(post, path = "/api/auth/request-magic-link", operation_id = "requestMagicLink", tag = "auth", request_body = MagicLinkRequest, security(()),
    responses((status = 200, body = LinkRequested, headers(("Set-Cookie"))), InviteErrors))]
pub async fn request_magic_link(
    State(state): State<Platform>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<MagicLinkRequest>,
) -> LinkResponse {
    let code = crypto::normalize_code(body.invite_code.as_deref().unwrap_or_default());
    let limit = group_sign_ups::sign_up_limit(&state, &code).await?;
    let email = parse_rate_limited_email(&state, client, limit, body.email.as_deref()).await?;
    if code.is_empty() {
        return Err(missing_invite_code());
    }
    invites::ensure_open(&state.db.reader(), &code, state.now()).await?;
    let message = "We sent you a magic link to log in.";
    let link = enqueue_link(&state, &headers, email, Some(code), message);
    security_log::attempt(Event::LoginRequested, link).await
}

/// Requests a login link by email. The response does not reveal whether the email address belongs to a
/// member.
#[utoipa::path(post, path = "/api/auth/request-login-link", operation_id = "requestLoginLink", tag = "auth", request_body = LoginLinkRequest, security(()),
    responses((status = 200, body = LinkRequested, headers(("Set-Cookie")))))]
pub async fn request_login_link(
    State(state): State<Platform>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<LoginLinkRequest>,
) -> LinkResponse {
    let limit = AnonymousAction::LoginMail;
    let email = parse_rate_limited_email(&state, client, limit, body.email.as_deref()).await?;
    let message = "If an account exists, we've sent you a magic link.";
    let link = enqueue_link(&state, &headers, email, None, message);
    security_log::attempt(Event::LoginRequested, link).await
}

documented_errors!(InviteErrors: missing_invite_code(), invites::not_valid(), settings::registration_closed());

fn missing_invite_code() -> ApiError {
    ApiError::missing_field("inviteCode", "Please enter your invite code.")
}

/// Parses the email and rate-limits the request; an invalid email counts against the general quota instead.
async fn parse_rate_limited_email(
    state: &Platform,
    client: ClientIp,
    limit: AnonymousAction,
    input: Option<&str>,
) -> Result<Email> {
    let email = Email::parse(input.unwrap_or_default());
    let email = state.rate_limiter.check_ip_for_input(limit, client.0, email)?;
    network_limit::check(state, limit, client.0).await??;
    Ok(email)
}

async fn enqueue_link(
    state: &Platform,
    headers: &HeaderMap,
    email: Email,
    invite: Option<String>,
    message: &'static str,
) -> LinkResponse {
    // A browser keeps its nonce for further requests, so that each of the mails works in it.
    let current = cookies::value(headers, nonce_cookie(state))
        .filter(|value| crypto::decode(value).is_some_and(|bytes| bytes.len() == 32));
    let nonce = current.map_or_else(new_nonce, str::to_owned);
    let replacement = new_nonce();
    let now = state.now();
    let link = NewLoginLink {
        id: state.id(),
        email: Some(email),
        member: None,
        invite,
        nonce_hash: Some(crypto::hash_secret(&nonce)),
        expires_at: now + LOGIN_LINK_LIFETIME,
        language: language::of_request(headers),
    };
    let request = RequestLoginLink {
        job: Job::login_mail(state.id(), link.id, now),
        replacement_hash: crypto::hash_secret(&replacement),
        link,
        now,
    };
    let (nonce, requested_at) = match state.db.write(request).await? {
        RequestOutcome::Accepted => (nonce, now),
        RequestOutcome::NonceRotated => (replacement, now),
        RequestOutcome::Duplicate(time) => (nonce, time),
        RequestOutcome::QueueFull => {
            metrics::counter!("kith_mails_refused_total").increment(1);
            return Err(ApiError::unavailable());
        }
    };
    state.mail.notify_one();
    let cookie =
        cookies::set_cookie(state, nonce_cookie(state), &nonce, LOGIN_LINK_LIFETIME / 1_000);
    let wait = requested_at + MINUTE - now;
    let requested = LinkRequested {
        message,
        next_mail_in_seconds: (wait + SECOND - 1).div_euclid(SECOND).clamp(1, 60),
    };
    Ok((AppendHeaders([cookie]), Json(requested)))
}

fn new_nonce() -> String {
    crypto::encode(&crypto::random_bytes())
}

/// Returns the name of the cookie that binds a link to the browser that requested it.
pub(super) fn nonce_cookie(state: &Platform) -> &'static str {
    if state.settings.is_https() { "__Host-login" } else { "login" }
}

/// Returns the hash of the request's nonce cookie.
pub(super) fn nonce_hash(state: &Platform, headers: &HeaderMap) -> Option<String> {
    cookies::value(headers, nonce_cookie(state)).map(crypto::hash_secret)
}

struct RequestLoginLink {
    link: NewLoginLink,
    job: Job,
    /// Hash of a new nonce, for a browser whose nonce is exhausted.
    replacement_hash: String,
    now: Millis,
}

enum RequestOutcome {
    /// The link is bound to the browser's nonce.
    Accepted,
    /// The link is bound to the new nonce.
    NonceRotated,
    /// Nothing was stored: this browser requested a link for this email and invite code at this time, less than a
    /// minute ago.
    Duplicate(Millis),
    /// The mail queue is full.
    QueueFull,
}

impl kith_db::Write for RequestLoginLink {
    type Out = RequestOutcome;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<RequestOutcome> {
        if is_queue_full(tx, &self.job).await? {
            return Ok(RequestOutcome::QueueFull);
        }
        let mut link = self.link.clone();
        let own_hash = link.nonce_hash.as_deref().unwrap_or_default();
        let earlier = login_links::load_recent_requests(&tx.reader(), own_hash, self.now).await?;
        let since = self.now - MINUTE;
        if let Some(time) = earlier.last_for(&link).filter(|time| *time > since) {
            return Ok(RequestOutcome::Duplicate(time));
        }
        let is_rotated = earlier.is_nonce_exhausted();
        if is_rotated {
            link.nonce_hash = Some(self.replacement_hash.clone());
        }
        insert_login_link(tx, &link).await?;
        enqueue(tx, &self.job).await?;
        Ok(if is_rotated { RequestOutcome::NonceRotated } else { RequestOutcome::Accepted })
    }
}
