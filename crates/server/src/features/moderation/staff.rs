//! Role extractors. The role is read for each request and again inside the transaction; other members get a 404.

use crate::features::members::{self, ActorRank, MemberStatus, Role};
use crate::features::moderation::Actor;
use crate::features::sessions::SessionsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::fallback::route_not_found;
use crate::platform::Platform;
use crate::platform::ids::Id;
use crate::platform::telemetry::security_log::{self, Event};
use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use kith_db::Tx;
use std::sync::Arc;

/// A member who is a moderator or an admin.
#[derive(Debug, Clone, Copy)]
pub struct Moderator(pub Id);

/// A member who is an admin.
#[derive(Debug, Clone, Copy)]
pub struct Admin(pub Id);

impl<S> FromRequestParts<S> for Moderator
where
    S: Send + Sync,
    Platform: FromRef<S>,
    Arc<SessionsState>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        require_role(parts, state, Role::Moderator).await.map(Self)
    }
}

impl<S> FromRequestParts<S> for Admin
where
    S: Send + Sync,
    Platform: FromRef<S>,
    Arc<SessionsState>: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        require_role(parts, state, Role::Admin).await.map(Self)
    }
}

async fn require_role<S>(parts: &mut Parts, state: &S, min_role: Role) -> Result<Id>
where
    S: Send + Sync,
    Platform: FromRef<S>,
    Arc<SessionsState>: FromRef<S>,
{
    let auth = AuthenticatedMember::from_request_parts(parts, state).await?;
    let platform = Platform::from_ref(state);
    let status = members::load_status(&platform.db.reader(), auth.member).await?;
    match status {
        Some(status) if status.role >= min_role => Ok(auth.member),
        _ => {
            let error = route_not_found();
            security_log::emit_rejected(Event::Rejected, error.code(), None);
            Err(error)
        }
    }
}

/// Rejects an actor that lost the role or was suspended since the request began.
pub(super) async fn ensure_role(tx: &mut Tx, actor: Actor, min_role: Role) -> Result<()> {
    let Actor::Member(me) = actor else {
        return Ok(());
    };
    match members::load_status(&tx.reader(), me).await? {
        Some(own_status) if own_status.role >= min_role && own_status.suspended_at.is_none() => {
            Ok(())
        }
        _ => Err(route_not_found()),
    }
}

/// Returns the target's status and the actor's rank. Fails unless the actor's role is above the target's.
pub(super) async fn actor_rank(
    tx: &mut Tx,
    actor: Actor,
    target: Id,
) -> Result<(MemberStatus, ActorRank)> {
    let found = members::load_status(&tx.reader(), target).await?;
    let status = found.ok_or_else(members::user_not_found)?;
    let Actor::Member(me) = actor else {
        return Ok((status, ActorRank::Operator));
    };
    if me == target {
        return Err(yourself());
    }
    let own_status = members::load_status(&tx.reader(), me).await?;
    let own_status = own_status.filter(|own_status| own_status.role > status.role);
    let own_status = own_status.ok_or_else(insufficient_role)?;
    Ok((status, ActorRank::for_role(own_status.role)))
}

pub(super) fn yourself() -> ApiError {
    ApiError::forbidden("yourself", "You cannot do this to yourself.")
}

pub(super) fn insufficient_role() -> ApiError {
    let message = "You can do this only to members whose role is below yours.";
    ApiError::forbidden("outranked", message)
}

/// Error for lifting a sanction that an actor of a higher rank applied.
pub(super) fn done_above() -> ApiError {
    let message = "This was done by someone with a higher role, so you can't undo it.";
    ApiError::forbidden("done_above", message)
}
