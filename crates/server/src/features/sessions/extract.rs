//! Authenticates requests: the extractor of the logged-in member.

use crate::features::sessions;
use crate::features::sessions::SessionsState;
use crate::http::client_ip::ClientIp;
use crate::http::error::{ApiError, Result};
use crate::http::middleware::request_log::LoggedMember;
use crate::platform::ids::Id;
use crate::platform::rate_limit::{AnonymousAction, MemberAction};
use crate::platform::telemetry::security_log;
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// Active member of the request's session; 401 without one. Each write checks the member again inside its
/// transaction, with [`ensure_active`](crate::features::members::ensure_active).
#[derive(Debug, Clone)]
pub struct AuthenticatedMember {
    /// Id of the member.
    pub member: Id,
    /// Hash of the session cookie, as stored.
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

async fn authenticate(parts: &mut Parts, state: &SessionsState) -> Result<AuthenticatedMember> {
    let client = ClientIp::from_parts(state, parts);
    let hash = sessions::hash_in(state, &parts.headers);
    let found = match &hash {
        Some(hash) => sessions::find_member(state, hash).await?,
        None => None,
    };
    // An invalid cookie is charged to the IP address, not to a member.
    let (Some(member), Some(session_hash)) = (found, &hash) else {
        state.rate_limiter.check_ip(AnonymousAction::Any, client.0)?;
        return Err(sessions::missing_session_error(state, hash.as_deref()).await);
    };
    if parts.extensions.get() != Some(&LoggedMember(member)) {
        security_log::record_member(member);
    }
    if let Err(error) = state.rate_limiter.check_member(MemberAction::Any, member) {
        // An attacker with a stolen session must not use up the rate limit that the owner needs to end it.
        if !ends_sessions(parts.uri.path()) {
            return Err(error.into());
        }
        state.rate_limiter.check_ip(AnonymousAction::Any, client.0)?;
    }
    Ok(AuthenticatedMember { member, session_hash: session_hash.clone() })
}

/// Returns whether a request ends sessions or is sent by the web app before one that does.
fn ends_sessions(path: &str) -> bool {
    path.starts_with("/api/auth/")
}
