//! Who I am, and logging out.

use crate::features::auth::AuthState;
use crate::features::members::{self, Me};
use crate::features::sessions;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::cookies::Cookies;
use crate::http::error::Result;
use crate::http::message::Message;
use crate::platform::Platform;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue};
use axum::response::AppendHeaders;
use std::sync::Arc;

/// The logged-in member.
#[utoipa::path(get, path = "/api/auth/me", operation_id = "getMe", tag = "auth", responses((status = 200, body = Me)))]
pub async fn me(State(app): State<Arc<AuthState>>, auth: AuthenticatedMember) -> Result<Json<Me>> {
    members::load_me(&app, auth.member).await.map(Json)
}

/// The logged-in member, under its second name.
#[utoipa::path(get, path = "/api/auth/user", operation_id = "getCurrentUser", tag = "auth", responses((status = 200, body = Me)))]
pub async fn user(state: State<Arc<AuthState>>, auth: AuthenticatedMember) -> Result<Json<Me>> {
    me(state, auth).await
}

/// What a browser is told whose session has ended: an empty cookie, and to forget cached answers.
type Forget = (Cookies<1>, [(HeaderName, HeaderValue); 1]);

pub(super) fn forget(platform: &Platform) -> Forget {
    let header = (
        HeaderName::from_static("clear-site-data"),
        HeaderValue::from_static("\"cache\""),
    );
    (AppendHeaders([sessions::cookie(platform, "")]), [header])
}

/// Ends this session. The cookie is emptied, and the browser forgets cached answers.
#[utoipa::path(post, path = "/api/auth/logout", operation_id = "logout", tag = "auth",
    responses((status = 200, body = Message, headers(("Set-Cookie"), ("Clear-Site-Data")))))]
pub async fn logout(
    State(app): State<Arc<AuthState>>,
    auth: AuthenticatedMember,
) -> Result<(Forget, Json<Message>)> {
    let end = sessions::log_out(&app.db, &auth.session_hash);
    security_log::attempt(Event::LoggedOut, end).await?;
    Ok((forget(&app), Message::new("You are logged out.")))
}
