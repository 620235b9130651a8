//! `/api/push`: the subscription of this browser.

use crate::features::members;
use crate::features::push::client::{PushOutcome, parse_keys};
use crate::features::push::message;
use crate::features::push::state::PushState;
use crate::features::push::subscriptions::{self, Subscription};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::settings;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Web push of a browser.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Push {
    /// Key that the browser subscribes with: a point of P-256 in base64url.
    #[schema(
        min_length = 87,
        max_length = 87,
        pattern = "^[A-Za-z0-9_-]+$",
        example = "BOHVsfl9bw-z8r9npRvnXJJcSBejzlal85V2fu385pixaMQ0CNfvUweM2kg22mSjA7WSYcA0vf5QO2ze2Ptw72o"
    )]
    pub public_key: String,
    /// Subscription of the authenticated session; null if it has none.
    pub subscription: Option<PushSubscription>,
}

/// A subscription of a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushSubscription {
    /// URL of the browser's push service.
    #[schema(max_length = 1000, example = "https://push.example/send/1")]
    pub endpoint: String,
    /// Whether pushes contain the text of posts.
    pub shows_text: bool,
}

/// A subscription of the browser, as its `PushSubscription.toJSON()` has it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveSubscription {
    /// URL of the browser's push service.
    #[schema(max_length = 1000, example = "https://push.example/send/1")]
    endpoint: String,
    /// The browser's public key: a point of P-256 in base64url.
    #[schema(
        min_length = 87,
        max_length = 88,
        pattern = "^[A-Za-z0-9_-]+=?$",
        example = "BOHVsfl9bw-z8r9npRvnXJJcSBejzlal85V2fu385pixaMQ0CNfvUweM2kg22mSjA7WSYcA0vf5QO2ze2Ptw72o"
    )]
    p256dh: String,
    /// The browser's secret of 16 bytes, in base64url.
    #[schema(
        min_length = 22,
        max_length = 24,
        pattern = "^[A-Za-z0-9_-]+=*$",
        example = "AAAAAAAAAAAAAAAAAAAAAA"
    )]
    auth: String,
    /// Whether pushes contain the text of posts.
    shows_text: bool,
}

const MAX_ENDPOINT: usize = 1_000;

fn unknown_service() -> ApiError {
    let sentence = "Your browser's push service is not known to this network.";
    ApiError::invalid_field("endpoint", sentence)
}

fn invalid_key() -> ApiError {
    ApiError::invalid_field("p256dh", "This is not a browser's key.")
}

fn not_subscribed() -> ApiError {
    ApiError::conflict("not_subscribed", "Push is off in this browser.")
}

fn not_sent() -> ApiError {
    ApiError::conflict(
        "push_failed",
        "Your browser's push service did not accept the message. Please try again later.",
    )
}

documented_errors!(SaveSubscriptionErrors: unknown_service(), invalid_key());
documented_errors!(SendTestErrors: not_subscribed(), not_sent());

/// Returns the key to subscribe with and the subscription of this session.
#[utoipa::path(get, path = "/api/push", operation_id = "getPush", tag = "notifications",
    responses((status = 200, body = Push)))]
pub async fn get_push(
    State(state): State<Arc<PushState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Push>> {
    let db = state.db.reader();
    let found = subscriptions::find(&db, auth.member, &auth.session_hash).await?;
    let subscription = found
        .map(|found| PushSubscription { endpoint: found.endpoint, shows_text: found.shows_text });
    Ok(Json(Push { public_key: state.client.public_key(), subscription }))
}

/// Pushes notifications to this session's browser, until the session ends. Replaces its earlier subscription.
#[utoipa::path(put, path = "/api/push/subscription", operation_id = "savePushSubscription", tag = "notifications", request_body = SaveSubscription,
    responses((status = 204, description = "Subscribed"), SaveSubscriptionErrors))]
pub async fn save_subscription(
    State(state): State<Arc<PushState>>,
    auth: AuthenticatedMember,
    Body(body): Body<SaveSubscription>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    if body.endpoint.len() > MAX_ENDPOINT || !state.client.is_allowed(&body.endpoint) {
        return Err(unknown_service());
    }
    parse_keys(&body.p256dh, &body.auth).ok_or_else(invalid_key)?;
    let keys = (body.p256dh, body.auth);
    let now = state.now();
    let subscription =
        Subscription::new(auth.session_hash, body.endpoint, keys, body.shows_text, now);
    state.db.write(Subscribe { member: auth.member, subscription }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the pushes to this session's browser. Idempotent.
#[utoipa::path(delete, path = "/api/push/subscription", operation_id = "deletePushSubscription", tag = "notifications",
    responses((status = 204, description = "Not subscribed")))]
pub async fn delete_subscription(
    State(state): State<Arc<PushState>>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    subscriptions::delete(&state.db, auth.member, &auth.session_hash).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pushes a test message to this session's browser.
#[utoipa::path(post, path = "/api/push/test", operation_id = "sendTestPush", tag = "notifications",
    responses((status = 204, description = "Sent"), SendTestErrors))]
pub async fn send_test(
    State(state): State<Arc<PushState>>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    let db = state.db.reader();
    let found = subscriptions::find(&db, auth.member, &auth.session_hash).await?;
    let subscription = found.ok_or_else(not_subscribed)?;
    let network = settings::load_mail_identity(&db).await?;
    let language = members::load_language(&db, auth.member).await?.unwrap_or(network.language);
    drop(db);
    let text = message::test_message(language, &network.name);
    match state.client.send(&subscription, text, state.now()).await {
        PushOutcome::Sent => Ok(StatusCode::NO_CONTENT),
        PushOutcome::Gone => {
            subscriptions::delete(&state.db, auth.member, &auth.session_hash).await?;
            Err(not_subscribed())
        }
        PushOutcome::Failed => Err(not_sent()),
    }
}

struct Subscribe {
    member: Id,
    subscription: Subscription,
}

impl kith_db::Write for Subscribe {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::ensure_active(tx, self.member).await?;
        Ok(self.subscription.save(tx, self.member).await?)
    }
}
