//! Routes that list and end the member's sessions.

use crate::features::auth::email_change::cancel_pending;
use crate::features::auth::me::clear_session;
use crate::features::auth::{login_links, user_agent};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::sessions::{self, Cause};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use kith_db::{Reader, Tx};
use serde::Serialize;
use utoipa::ToSchema;

/// A session of the authenticated member in one browser.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Device)]
pub struct SessionInfo {
    /// Id of the session.
    pub id: Id,
    /// Browser and operating system, derived from the user agent at login.
    #[schema(min_length = 1, max_length = 60, example = "Firefox on Linux")]
    pub name: String,
    /// Time of the login.
    pub created_at: String,
    /// Time of the last use, accurate to the hour.
    pub last_used_at: String,
    /// Whether this session authenticated the request.
    pub is_current: bool,
}

/// Lists the sessions of the authenticated member, most recently used first. A member has at most 50
/// sessions; a further login ends the least recently used one.
#[utoipa::path(get, path = "/api/auth/sessions", operation_id = "listSessions", tag = "auth", responses((status = 200, body = [SessionInfo])))]
pub async fn list_sessions(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> Result<Json<Vec<SessionInfo>>> {
    let db = state.db.reader();
    let sessions = list_member_sessions(&db, auth.member, state.now(), &auth.session_hash).await?;
    Ok(Json(sessions))
}

/// Lists a member's sessions; `current` is the hash of the requesting session, or empty.
pub async fn list_member_sessions(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
    current: &str,
) -> kith_db::Result<Vec<SessionInfo>> {
    let rows = sessions::list_for_member(db, member, now).await?;
    let infos = rows.into_iter().map(|session| SessionInfo {
        id: session.id,
        name: user_agent::describe(&session.user_agent),
        created_at: rfc3339(session.created_at),
        last_used_at: rfc3339(session.seen_at),
        is_current: session.hash == current,
    });
    Ok(infos.collect())
}

/// Ends a session of the authenticated member immediately. Ending the current session logs the member out: it
/// clears the session cookie and the browser's cache.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", operation_id = "endSession", tag = "auth", params(("id" = Id, Path)),
    responses((status = 204, description = "Session ended", headers(("Set-Cookie"), ("Clear-Site-Data"))), EndSessionErrors))]
pub async fn end_session(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    let end = sessions::EndSession { member: auth.member, id, now: state.now() };
    let end = async { state.db.write(end).await?.ok_or_else(no_such_session) };
    let ended = security_log::attempt(Event::SessionEnded, end).await?;
    if ended == auth.session_hash {
        return Ok((StatusCode::NO_CONTENT, clear_session(&state)).into_response());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends all sessions of the authenticated member, including the current one. Clears the session cookie and
/// the browser's cache.
#[utoipa::path(delete, path = "/api/auth/sessions", operation_id = "endAllSessions", tag = "auth",
    responses((status = 204, description = "Sessions ended", headers(("Set-Cookie"), ("Clear-Site-Data")))))]
pub async fn end_all_sessions(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> Result<Response> {
    let (member, now) = (auth.member, state.now());
    let end = state.db.write(EndAllSessions { member, now });
    security_log::attempt(Event::SessionsEnded, end).await?;
    Ok((StatusCode::NO_CONTENT, clear_session(&state)).into_response())
}

/// Ends a member's sessions, printed links and pending email change, which an attacker may have requested.
struct EndAllSessions {
    member: Id,
    now: Millis,
}

impl kith_db::Write for EndAllSessions {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        members::lock_member(tx, self.member).await?;
        sessions::end_all(tx, self.member, Cause::Elsewhere, self.now).await?;
        login_links::expire_operator_links(tx, self.member, Id(i64::MAX), self.now).await?;
        cancel_pending(tx, self.member, self.now).await.map(drop)
    }
}

documented_errors!(EndSessionErrors: no_such_session());

fn no_such_session() -> ApiError {
    ApiError::not_found("session_not_found", "There is no such session.")
}
