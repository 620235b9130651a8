//! The endpoint that joins the waitlist.

use crate::features::auth::Email;
use crate::features::settings;
use crate::features::waitlist::state::WaitlistState;
use crate::features::waitlist::store;
use crate::http::client_ip::ClientIp;
use crate::http::error;
use crate::http::extract::Body;
use crate::http::language;
use crate::http::message::Message;
use crate::http::openapi::documented_errors;
use crate::platform::network_limit;
use crate::platform::rate_limit::AnonymousAction;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A request to join the waitlist.
#[derive(Debug, Deserialize, ToSchema)]
pub struct JoinWaitlist {
    /// Email address of the applicant. Must not contain `$`, `|`, `&` or backticks, nor begin with a hyphen.
    /// Case, surrounding spaces and Unicode compatibility forms are normalized.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// Joins the waitlist, unless registration is closed. Idempotent; the response does not reveal whether the email
/// address is already on the waitlist.
#[utoipa::path(post, path = "/api/waitlist", operation_id = "joinWaitlist", tag = "waitlist", request_body = JoinWaitlist, security(()),
    responses((status = 200, body = Message), JoinErrors))]
pub async fn join_waitlist(
    State(state): State<Arc<WaitlistState>>,
    client: ClientIp,
    headers: HeaderMap,
    Body(body): Body<JoinWaitlist>,
) -> error::Result<Json<Message>> {
    let email = Email::parse_unverified(body.email.as_deref().unwrap_or_default());
    let email =
        state.rate_limiter.check_ip_for_input(AnonymousAction::Waitlist, client.0, email)?;
    network_limit::check(&state, AnonymousAction::Waitlist, client.0).await??;
    if settings::load_registration(&state.db.reader()).await?.is_closed() {
        return Err(settings::registration_closed());
    }
    state.capacity.ensure_capacity()?;
    let language = language::of_request(&headers);
    store::insert_entry(&state.db, &email, state.now(), state.id(), language).await?;
    Ok(Message::new("We'll let you know when it's your turn."))
}

documented_errors!(JoinErrors: settings::registration_closed());
