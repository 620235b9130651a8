//! Exchanges the code of a login mail for a session, in the browser that requested the mail.

use crate::features::auth::errors::{self, missing_code, too_many_attempts, wrong_code};
use crate::features::auth::group_sign_ups;
use crate::features::auth::login_links::{self, MAX_ATTEMPTS, REPLAY_WINDOW};
use crate::features::auth::request_link::nonce_hash;
use crate::features::auth::verify::{BrowserProof, LoginResponse, log_in, log_login};
use crate::http::client_ip::ClientIp;
use crate::http::extract::Body;
use crate::http::message::Message;
use crate::platform::Platform;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::network_limit;
use axum::extract::State;
use axum::http::HeaderMap;
use kith_db::params;
use serde::Deserialize;
use utoipa::ToSchema;

/// The code from a login mail.
#[derive(Debug, Deserialize, ToSchema)]
pub struct CodeRequest {
    /// Code of 8 letters and digits. Case, spaces and dashes are ignored.
    #[schema(value_type = String, min_length = 1, max_length = 100, example = "K7QXM3TD")]
    pub code: Option<String>,
}

/// Logs in with the code from a mail, in the browser that requested it. Five wrong codes invalidate all codes
/// mailed for this browser so far; their links remain valid.
#[utoipa::path(post, path = "/api/auth/verify-code", operation_id = "verifyCode", tag = "auth", request_body = CodeRequest, security(()),
    responses((status = 200, body = Message, headers(("Set-Cookie"))), errors::CodeErrors))]
pub async fn verify_code(
    State(state): State<Platform>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<CodeRequest>,
) -> LoginResponse {
    let nonce = nonce_hash(&state, &headers);
    let limit = group_sign_ups::code_limit(&state, nonce.as_deref()).await?;
    state.rate_limiter.check_ip(limit, client.0)?;
    network_limit::check(&state, limit, client.0).await??;
    let typed = body.code.unwrap_or_default();
    log_login(log_in_by_code(&state, &headers, nonce, &typed)).await
}

async fn log_in_by_code(
    state: &Platform,
    headers: &HeaderMap,
    nonce: Option<String>,
    typed: &str,
) -> LoginResponse {
    let code = crypto::normalize_code(typed);
    if code.is_empty() {
        return Err(missing_code());
    }
    let nonce = nonce.ok_or_else(wrong_code)?;
    let now = state.now();
    let since = login_links::min_usable_id(now);
    let parameters = params![&nonce, since, now, now - REPLAY_WINDOW];
    let read = |row: &kith_db::Row<'_>| Ok((Id(row.int(0)?), row.int(1)? == 1));
    let links = state.db.all(&login_links::FIND_BY_NONCE, parameters, read).await?;
    // Each mail has its own code.
    let is_match = |(link, is_usable): &&(Id, bool)| {
        let expected = login_links::login_code(&state.key, *link);
        *is_usable && crypto::constant_time_eq(expected.as_bytes(), code.as_bytes())
    };
    if let Some((link, _)) = links.iter().find(is_match) {
        return log_in(state, headers, *link, BrowserProof::Code).await;
    }
    if links.is_empty() {
        return Err(wrong_code());
    }
    // The counter is checked and incremented in one statement, so that concurrent guesses cannot exceed `MAX_ATTEMPTS`.
    let parameters = params![&nonce, since, MAX_ATTEMPTS];
    let counted = state.db.exec(&login_links::COUNT_WRONG_CODE, parameters).await?;
    Err(if counted > 0 { wrong_code() } else { too_many_attempts() })
}
