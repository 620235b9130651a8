//! Turning the code of a mail into a session, in the browser that asked for the mail.

use crate::features::auth::AuthState;
use crate::features::auth::errors::{self, dead, no_code, wrong_code};
use crate::features::auth::login_links::{self, REPLAY, TRIES};
use crate::features::auth::request_link::nonce_in;
use crate::features::auth::verify::{LoggedIn, Proof, log_in, prove};
use crate::features::waitlist::Message;
use crate::http::client_ip::ClientIp;
use crate::http::extract::Body;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::rate_limit::AnonymousAction;
use axum::extract::State;
use axum::http::HeaderMap;
use kith_db::params;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The code from the mail.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CodeRequest {
    /// 8 letters and digits; case, spaces and dashes do not matter.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "K7QXM3TD")]
    pub code: Option<String>,
}

/// Logs in by the mail's code, in the browser that asked for it. Five wrong codes end all codes that were
/// mailed for this browser until then; their links go on working.
#[utoipa::path(post, path = "/api/auth/verify-code", operation_id = "verifyCode", tag = "auth", request_body = CodeRequest, security(()),
    responses((status = 200, body = Message, headers(("Set-Cookie"))), errors::Code))]
pub async fn verify_code(
    State(app): State<Arc<AuthState>>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<CodeRequest>,
) -> LoggedIn {
    app.rate_limiter
        .check_ip(AnonymousAction::Verify, client.0)?;
    let typed = body.code.unwrap_or_default();
    prove(log_in_by_code(&app, &headers, &typed)).await
}

async fn log_in_by_code(app: &AuthState, headers: &HeaderMap, typed: &str) -> LoggedIn {
    let code = crypto::normalize_code(typed);
    if code.is_empty() {
        return Err(no_code());
    }
    let nonce = nonce_in(app, headers).ok_or_else(wrong_code)?;
    let now = app.now();
    let since = login_links::asked_lately(now);
    let asked = params![&nonce, since, now, now - REPLAY];
    let read = |row: &kith_db::Row<'_>| Ok((Id(row.int(0)?), row.int(1)? == 1));
    let links = app.db.all(&login_links::OF_NONCE, asked, read).await?;
    // Each mail has its own code.
    let is_of = |(link, works): &&(Id, bool)| {
        let right = login_links::one_time_code(&app.key, *link);
        *works && crypto::constant_time_eq(right.as_bytes(), code.as_bytes())
    };
    if let Some((link, _)) = links.iter().find(is_of) {
        return log_in(app, headers, *link, Proof::Code).await;
    }
    if links.is_empty() {
        return Err(wrong_code());
    }
    // Of many guesses at once, no more than `TRIES` learn that they are wrong.
    let wrong = params![&nonce, since, TRIES];
    let counted = app.db.exec(&login_links::COUNT_CODE, wrong).await?;
    Err(if counted > 0 { wrong_code() } else { dead() })
}
