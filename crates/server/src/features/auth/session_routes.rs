//! Where I am logged in, and ending that.

use crate::features::auth::AuthState;
use crate::features::auth::email_change::end_pending;
use crate::features::auth::me::forget;
use crate::features::auth::{login_links, user_agent};
use crate::features::members;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::sessions::{self, Cause};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use crate::platform::telemetry::security_log::{self, Event};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use kith_db::{Reader, Tx};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A session of mine: one browser in which I am logged in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// Its id.
    pub id: Id,
    /// Browser and system, as the browser named itself at the login.
    #[schema(min_length = 1, max_length = 60, example = "Firefox on Linux")]
    pub name: String,
    /// When I logged in.
    pub created_at: String,
    /// When it was last used, to the hour.
    pub last_used_at: String,
    /// Whether this call was made with it.
    pub is_current: bool,
}

/// Where I am logged in, the session used last first. A member has 50 sessions at most: one more ends
/// the one that was unused longest.
#[utoipa::path(get, path = "/api/auth/sessions", operation_id = "listSessions", tag = "auth", responses((status = 200, body = [Device])))]
pub async fn sessions(
    State(app): State<Arc<AuthState>>,
    auth: AuthenticatedMember,
) -> Result<Json<Vec<Device>>> {
    let db = app.db.reader();
    let devices = devices_of(&db, auth.member, app.now(), &auth.session_hash).await?;
    Ok(Json(devices))
}

/// A member's sessions; `current` is the stored form of the one that asks, if one does.
pub async fn devices_of(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
    current: &str,
) -> kith_db::Result<Vec<Device>> {
    let all = sessions::list_for_member(db, member, now).await?;
    let devices = all.into_iter().map(|one| Device {
        id: one.id,
        name: user_agent::of(&one.user_agent),
        created_at: rfc3339(one.created_at),
        last_used_at: rfc3339(one.seen_at),
        is_current: one.hash == current,
    });
    Ok(devices.collect())
}

/// Ends a session of mine, at once. Ending the present one is logging out: the cookie is emptied, and the
/// browser forgets cached answers.
#[utoipa::path(delete, path = "/api/auth/sessions/{id}", operation_id = "endSession", tag = "auth", params(("id" = Id, Path)),
    responses((status = 204, description = "Ended", headers(("Set-Cookie"), ("Clear-Site-Data"))), NotEnded))]
pub async fn end_session(
    State(app): State<Arc<AuthState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    let end = sessions::EndSession {
        member: auth.member,
        id,
        now: app.now(),
    };
    let end = async { app.db.write(end).await?.ok_or_else(no_such_session) };
    let ended = security_log::attempt(Event::SessionEnded, end).await?;
    if ended == auth.session_hash {
        return Ok((StatusCode::NO_CONTENT, forget(&app)).into_response());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends all my sessions, the present one too. The cookie is emptied, and the browser forgets cached answers.
#[utoipa::path(delete, path = "/api/auth/sessions", operation_id = "endAllSessions", tag = "auth",
    responses((status = 204, description = "Ended", headers(("Set-Cookie"), ("Clear-Site-Data")))))]
pub async fn end_all_sessions(
    State(app): State<Arc<AuthState>>,
    auth: AuthenticatedMember,
) -> Result<Response> {
    let (member, now) = (auth.member, app.now());
    let end = app.db.write(EndAll { member, now });
    security_log::attempt(Event::SessionsEnded, end).await?;
    Ok((StatusCode::NO_CONTENT, forget(&app)).into_response())
}

/// Ends all sessions of a member, and a change of address that waits: who was in may have asked for it.
struct EndAll {
    member: Id,
    now: Millis,
}

impl kith_db::Write for EndAll {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        members::lock(tx, self.member).await?;
        sessions::end_all(tx, self.member, Cause::Elsewhere, self.now).await?;
        login_links::end_printed(tx, self.member, Id(i64::MAX), self.now).await?;
        end_pending(tx, self.member, self.now).await.map(drop)
    }
}

documented_errors!(NotEnded: no_such_session());

fn no_such_session() -> ApiError {
    ApiError::not_found("session_not_found", "There is no such session.")
}
