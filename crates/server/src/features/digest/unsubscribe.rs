//! `/api/digest/unsubscribe`: turns digests off from a mail, without a session (RFC 8058).

use crate::features::digest::store;
use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Query;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::crypto::{self, SecretKey};
use crate::platform::ids::Id;
use crate::platform::rate_limit::AnonymousAction;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Redirect;
use kith_db::Tx;
use serde::Deserialize;
use utoipa::IntoParams;

const PATH: &str = "/api/digest/unsubscribe";
/// Purpose of the token's keyed hash, which makes it worthless for anything else.
const PURPOSE: &str = "digest-unsubscribe";

/// Query parameters of an unsubscribe link.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UnsubscribeQuery {
    /// Token from the link.
    #[param(
        min_length = 1,
        max_length = 200,
        example = "A28-3g6n3ZXNQqvCuBAS5XhJ_OUt8oKzCTdQxPW6F1mgnDi4ZsQ0oA"
    )]
    pub token: String,
}

documented_errors!(UnsubscribeErrors: invalid_link());

fn invalid_link() -> ApiError {
    let message = "This unsubscribe link isn't valid. Turn the digest off in your settings.";
    ApiError::not_found("unsubscribe_link_not_found", message)
}

/// Returns the URL that unsubscribes a member. Its token never expires, and does nothing else.
#[must_use]
pub fn unsubscribe_url(platform: &Platform, member: Id) -> String {
    let token = create_token(&platform.key, member);
    platform.settings.url_for(&format!("{PATH}?token={token}"))
}

fn create_token(key: &SecretKey, member: Id) -> String {
    let id = member.0.to_be_bytes();
    crypto::encode(&[id.as_slice(), &key.mac(PURPOSE, &[&id])].concat())
}

/// Returns the member that a token names, if this server's key signed it.
fn verify_token(key: &SecretKey, text: &str) -> Option<Id> {
    let bytes = crypto::decode(text)?;
    let (id, mac) = bytes.split_at_checked(8)?;
    let is_authentic = crypto::constant_time_eq(mac, &key.mac(PURPOSE, &[id]));
    is_authentic.then(|| Id(i64::from_be_bytes(id.try_into().unwrap_or_default())))
}

/// Redirects a reader of a digest to the settings. Changes nothing, because mail scanners open links.
#[utoipa::path(get, path = "/api/digest/unsubscribe", operation_id = "openUnsubscribe", tag = "notifications", security(()),
    responses((status = 303, description = "Redirect to the settings of notifications", headers(("Location")))))]
pub async fn open_unsubscribe() -> Redirect {
    Redirect::to("/settings#notifications")
}

/// Turns off the weekly digest of the member whose digest has this link. Idempotent. Mail programs send it for their
/// users (RFC 8058): it needs no session, and ignores the body.
#[utoipa::path(post, path = "/api/digest/unsubscribe", operation_id = "unsubscribe", tag = "notifications", params(UnsubscribeQuery), security(()),
    responses((status = 204, description = "Turned off"), UnsubscribeErrors))]
pub async fn unsubscribe(
    State(state): State<Platform>,
    client: ClientIp,
    Query(query): Query<UnsubscribeQuery>,
) -> Result<StatusCode> {
    state.rate_limiter.check_ip(AnonymousAction::Any, client.0)?;
    let member = verify_token(&state.key, &query.token).ok_or_else(invalid_link)?;
    state.db.write(Unsubscribe { member }).await?;
    Ok(StatusCode::NO_CONTENT)
}

struct Unsubscribe {
    member: Id,
}

impl kith_db::Write for Unsubscribe {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        store::disable(tx, self.member).await?;
        Ok(())
    }
}
