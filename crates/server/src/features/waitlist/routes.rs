//! The endpoint that joins the waitlist.

use crate::features::auth::Email;
use crate::features::waitlist::state::WaitlistState;
use crate::features::waitlist::store;
use crate::http::client_ip::ClientIp;
use crate::http::error;
use crate::http::extract::Body;
use crate::http::message::Message;
use crate::platform::rate_limit::AnonymousAction;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Who wants to join.
#[derive(Debug, Deserialize, ToSchema)]
pub struct JoinWaitlist {
    /// Their address, without any of `$`, `|`, `&` and backticks, and not beginning with a hyphen. Case, spaces around it and
    /// compatibility forms do not matter.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// Joins the waitlist. The answer is the same for an address that already stands on it.
#[utoipa::path(post, path = "/api/waitlist", operation_id = "joinWaitlist", tag = "waitlist", request_body = JoinWaitlist, security(()),
    responses((status = 200, body = Message)))]
pub async fn join(
    State(app): State<Arc<WaitlistState>>,
    client: ClientIp,
    Body(body): Body<JoinWaitlist>,
) -> error::Result<Json<Message>> {
    let email = Email::parse_unverified(body.email.as_deref().unwrap_or_default());
    let email = app
        .rate_limiter
        .check_ip_for_input(AnonymousAction::Waitlist, client.0, email)?;
    app.capacity.ensure_capacity()?;
    store::insert_entry(&app.db, &email, app.now(), app.id()).await?;
    Ok(Message::new("We'll let you know when it's your turn."))
}
