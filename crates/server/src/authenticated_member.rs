//! The extractor of every request that needs a login.

use crate::app::App;
use crate::client::Client;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::limits::{Act, Visit};
use crate::{security, session};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use futures_util::future::BoxFuture;

/// The active member whose session came with a request; 401 without one. A write checks the member once more inside
/// its transaction, with [`users::ensure_active`](crate::users::ensure_active).
#[derive(Debug, Clone)]
pub struct AuthenticatedMember {
    /// The member.
    pub member: Id,
    /// The stored form of the session cookie.
    pub session_hash: String,
}

impl FromRequestParts<App> for AuthenticatedMember {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        // Boxed: each handler would get its own copy of this future, together 157 KB of program.
        let member: BoxFuture<'_, _> = Box::pin(authenticate(parts, app));
        member.await
    }
}

async fn authenticate(parts: &mut Parts, app: &App) -> Result<AuthenticatedMember> {
    let client = match Client::from_request_parts(parts, app).await {
        Ok(client) => client,
        Err(never) => match never {},
    };
    let hash = session::hash_in(app, &parts.headers);
    let found = match &hash {
        Some(hash) => session::find(app, hash).await?,
        None => None,
    };
    // An invented cookie must not get a member's rate limit.
    let (Some(member), Some(session_hash)) = (found, &hash) else {
        app.limits.visit(Visit::Any, client)?;
        return Err(session::missing(app, hash.as_deref()).await);
    };
    security::identify(member);
    if let Err(error) = app.limits.act(Act::Any, member) {
        // A thief of the session who uses up the member's rate limit must not keep the owner from ending it.
        if !ends_sessions(parts.uri.path()) {
            return Err(error);
        }
        app.limits.visit(Visit::Any, client)?;
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
