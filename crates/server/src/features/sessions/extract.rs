//! The extractor of every request that needs a login.

use crate::features::sessions;
use crate::features::sessions::SessionsState;
use crate::http::client_ip::Client;
use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use crate::platform::rate_limit::{Act, Visit};
use crate::platform::telemetry::security_log;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// The active member whose session came with a request; 401 without one. A write checks the member once more inside
/// its transaction, with [`users::ensure_active`](crate::features::members::ensure_active).
#[derive(Debug, Clone)]
pub struct AuthenticatedMember {
    /// The member.
    pub member: Id,
    /// The stored form of the session cookie.
    pub session_hash: String,
}

impl<S> FromRequestParts<S> for AuthenticatedMember
where
    S: Send + Sync,
    Arc<SessionsState>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let sessions = Arc::<SessionsState>::from_ref(state);
        // Boxed: each handler would get its own copy of this future, together 157 KB of program.
        let member: BoxFuture<'_, _> = Box::pin(authenticate(parts, &sessions));
        member.await
    }
}

async fn authenticate(parts: &mut Parts, app: &SessionsState) -> Result<AuthenticatedMember> {
    let client = Client::of(app, parts);
    let hash = sessions::hash_in(app, &parts.headers);
    let found = match &hash {
        Some(hash) => sessions::find(app, hash).await?,
        None => None,
    };
    // An invented cookie must not get a member's rate limit.
    let (Some(member), Some(session_hash)) = (found, &hash) else {
        app.limits.visit(Visit::Any, client.0)?;
        return Err(sessions::missing(app, hash.as_deref()).await);
    };
    security_log::identify(member);
    if let Err(error) = app.limits.act(Act::Any, member) {
        // A thief of the session who uses up the member's rate limit must not keep the owner from ending it.
        if !ends_sessions(parts.uri.path()) {
            return Err(error.into());
        }
        app.limits.visit(Visit::Any, client.0)?;
    }
    Ok(AuthenticatedMember {
        member,
        session_hash: session_hash.clone(),
    })
}

/// Whether a request ends sessions, or is one that the app makes before that.
fn ends_sessions(path: &str) -> bool {
    path.starts_with("/api/auth/")
}
