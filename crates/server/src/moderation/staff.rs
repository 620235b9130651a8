//! Who may call: the role is read from the database for each call, and once more inside the
//! transaction of a deed. For everybody else there is no such call.

use crate::app::App;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::moderation::Actor;
use crate::page::no_such_call;
use crate::session::Session;
use crate::users::{self, Rank, Role, Standing};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use kith_db::Tx;

/// A member who is a moderator or an admin.
#[derive(Debug, Clone, Copy)]
pub struct Moderator(pub Id);

/// A member who is an admin.
#[derive(Debug, Clone, Copy)]
pub struct Admin(pub Id);

impl FromRequestParts<App> for Moderator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        at_least(parts, app, Role::Moderator).await.map(Self)
    }
}

impl FromRequestParts<App> for Admin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        at_least(parts, app, Role::Admin).await.map(Self)
    }
}

async fn at_least(parts: &mut Parts, app: &App, least: Role) -> Result<Id> {
    let session = Session::from_request_parts(parts, app).await?;
    let standing = users::standing(&app.db.reader(), session.member).await?;
    match standing {
        Some(standing) if standing.role >= least => Ok(session.member),
        _ => Err(no_such_call()),
    }
}

/// Refuses who lost the role, or was suspended, since the call began.
pub(super) async fn confirm(tx: &mut Tx, actor: Actor, least: Role) -> Result<()> {
    let Actor::Member(me) = actor else {
        return Ok(());
    };
    match users::standing_in(tx, me).await? {
        Some(mine) if mine.role >= least && mine.suspended_at.is_none() => Ok(()),
        _ => Err(no_such_call()),
    }
}

/// Answers how the target stands, and the actor's rank, once the actor is somebody else of a higher role.
pub(super) async fn rank(tx: &mut Tx, actor: Actor, target: Id) -> Result<(Standing, Rank)> {
    let found = users::standing_in(tx, target).await?;
    let standing = found.ok_or_else(users::unknown)?;
    let Actor::Member(me) = actor else {
        return Ok((standing, Rank::Operator));
    };
    if me == target {
        return Err(yourself());
    }
    let mine = users::standing_in(tx, me).await?;
    let mine = mine.filter(|mine| mine.role > standing.role);
    let mine = mine.ok_or_else(outranked)?;
    Ok((standing, Rank::of(mine.role)))
}

/// The target is who calls.
pub(super) fn yourself() -> ApiError {
    ApiError::forbidden("yourself", "You cannot do this to yourself.")
}

/// The target's role is as high or higher.
pub(super) fn outranked() -> ApiError {
    let message = "You can do this only to members whose role is below yours.";
    ApiError::forbidden("outranked", message)
}

/// Somebody of a higher rank did what is to be taken back.
pub(super) fn done_above() -> ApiError {
    let message = "Somebody whose role is above yours did this, so you cannot take it back.";
    ApiError::forbidden("done_above", message)
}
