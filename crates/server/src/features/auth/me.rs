//! Routes of the logged-in member and of logout.

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

/// Returns the authenticated member.
#[utoipa::path(get, path = "/api/auth/me", operation_id = "getMe", tag = "auth", responses((status = 200, body = Me)))]
pub async fn get_me(State(state): State<Platform>, auth: AuthenticatedMember) -> Result<Json<Me>> {
    members::load_me(&state, auth.member).await.map(Json)
}

/// Returns the authenticated member. Alias of `GET /api/auth/me`.
#[utoipa::path(get, path = "/api/auth/user", operation_id = "getCurrentUser", tag = "auth", responses((status = 200, body = Me)))]
pub async fn get_current_user(
    state: State<Platform>,
    auth: AuthenticatedMember,
) -> Result<Json<Me>> {
    get_me(state, auth).await
}

/// Headers that delete the session cookie and clear the browser's cache.
type ClearSession = (Cookies<1>, [(HeaderName, HeaderValue); 1]);

pub(super) fn clear_session(platform: &Platform) -> ClearSession {
    let header =
        (HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));
    (AppendHeaders([sessions::build_cookie(platform, "")]), [header])
}

/// Ends the current session. Clears the session cookie and the browser's cache.
#[utoipa::path(post, path = "/api/auth/logout", operation_id = "logout", tag = "auth",
    responses((status = 200, body = Message, headers(("Set-Cookie"), ("Clear-Site-Data")))))]
pub async fn logout(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> Result<(ClearSession, Json<Message>)> {
    let end = sessions::log_out(&state.db, &auth.session_hash);
    security_log::attempt(Event::LoggedOut, end).await?;
    Ok((clear_session(&state), Message::new("You are logged out.")))
}
