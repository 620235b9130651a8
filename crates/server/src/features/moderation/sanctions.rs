//! What is done to a member or a post directly.

use crate::features::account::deletion;
use crate::features::auth;
use crate::features::members::{self, MemberAction, Role};
use crate::features::moderation::audit_log::{self, Actor, AuditAction, Log};
use crate::features::moderation::staff::{
    Admin, Moderator, confirm, done_above, outranked, rank, yourself,
};
use crate::features::moderation::{clean_note, long_note};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::refusals;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use crate::platform::telemetry::security_log::{self, Event};
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::Deserialize;
use utoipa::ToSchema;

/// Why something is done.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeedNote {
    /// For the audit log.
    #[schema(max_length = 1000, example = "Asked twice to stop")]
    pub note: Option<String>,
}

/// Another role for a member.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewRole {
    /// The role.
    #[schema(value_type = Role)]
    pub role: Option<Role>,
    /// Why, for the audit log.
    #[schema(max_length = 1000, example = "Helps with reports from now on")]
    pub note: Option<String>,
}

refusals!(Denied: yourself(), outranked(), done_above(), last_admin());
refusals!(StaysOut: yourself(), outranked(), done_above(), deletion::going());
refusals!(DeniedWithNote: yourself(), outranked(), last_admin(), long_note());
refusals!(NoRole: yourself(), outranked(), last_admin(), no_role(), long_note());

fn no_role() -> ApiError {
    ApiError::missing("role", "Please choose a role.")
}

/// Nobody would be left who can give roles.
pub(super) fn last_admin() -> ApiError {
    let message = "This is the last admin. Make somebody else an admin first.";
    ApiError::conflict("last_admin", message)
}

/// Whom it is done to.
#[derive(Debug, Clone)]
pub enum Target {
    /// By id.
    Id(Id),
    /// By a present or earlier username, in any case.
    Name(String),
}

/// One deed to a member, with its row in the audit log. Done twice it is the same as once, and one row.
#[derive(Debug)]
pub struct Sanction {
    /// Who does it.
    pub actor: Actor,
    /// To whom.
    pub target: Target,
    /// What.
    pub deed: MemberAction,
    /// Why; cleaned.
    pub note: String,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for Sanction {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = Log::hold(tx).await?;
        let least = match self.deed {
            MemberAction::Role(_) => Role::Admin,
            _ => Role::Moderator,
        };
        confirm(tx, self.actor, least).await?;
        let target = match &self.target {
            Target::Id(id) => *id,
            Target::Name(name) => members::find_by_username(&tx.reader(), name)
                .await?
                .ok_or_else(members::user_not_found)?,
        };
        if apply(tx, self.actor, target, self.deed, self.now).await? {
            let (action, detail) = match self.deed {
                MemberAction::Role(role) => (AuditAction::ChangeRole, role.as_str()),
                MemberAction::Suspend => (AuditAction::Suspend, ""),
                MemberAction::Unsuspend => (AuditAction::Unsuspend, ""),
                MemberAction::FreezeInvites => (AuditAction::FreezeInvites, ""),
                MemberAction::UnfreezeInvites => (AuditAction::UnfreezeInvites, ""),
            };
            let row = audit_log::Deed {
                member: Some(target.0),
                detail: detail.to_owned(),
                note: self.note.clone(),
                ..audit_log::Deed::new(self.now, self.actor, action)
            };
            log.write(tx, &row).await?;
        }
        Ok(())
    }
}

/// Does it if the actor's role is above the target's, nobody of more rank did what it takes back, and an
/// admin is left; answers whether anything changed.
pub(super) async fn apply(
    tx: &mut Tx,
    actor: Actor,
    target: Id,
    deed: MemberAction,
    now: Millis,
) -> Result<bool> {
    let (standing, by) = rank(tx, actor, target).await?;
    let takes_admin = match deed {
        MemberAction::Role(role) => role != Role::Admin,
        MemberAction::Suspend => true,
        _ => false,
    };
    let is_admin = standing.role == Role::Admin && standing.suspended_at.is_none();
    if takes_admin && is_admin {
        members::lock_admins(tx, target).await?;
        if !deletion::has_other_admins(tx, target).await? {
            return Err(last_admin());
        }
    }
    let has_changed = members::apply_action(tx, target, deed, by, now).await?;
    let stays = match deed {
        MemberAction::Unsuspend => standing.suspended_at,
        MemberAction::UnfreezeInvites => standing.invites_frozen_at,
        _ => None,
    };
    if stays.is_some() && !has_changed {
        return Err(done_above());
    }
    match deed {
        MemberAction::Suspend if has_changed => {
            auth::end_printed(tx, target, Id(i64::MAX), now).await?;
            deletion::hold_back(tx, target).await?;
        }
        MemberAction::Unsuspend if has_changed => deletion::let_on(tx, target, now).await?,
        _ => {}
    }
    Ok(has_changed)
}

async fn act(
    app: &Platform,
    me: Id,
    target: Id,
    deed: MemberAction,
    note: Option<&str>,
) -> Result<StatusCode> {
    app.limits.act(Act::Decide, me)?;
    let sanction = Sanction {
        actor: Actor::Member(me),
        target: Target::Id(target),
        deed,
        note: clean_note(note)?,
        now: app.now(),
    };
    app.db.write(sanction).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Suspends a member: all their sessions end at once, they cannot log in, and nobody finds them. For
/// moderators; for others there is no such call.
#[utoipa::path(put, path = "/api/admin/members/{userId}/suspension", operation_id = "suspendMember", tag = "moderation",
    params(("userId" = Id, Path)), request_body = DeedNote,
    responses((status = 204, description = "Suspended"), DeniedWithNote))]
pub async fn suspend(
    State(app): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<DeedNote>,
) -> Result<StatusCode> {
    let act = act(&app, me, id, MemberAction::Suspend, body.note.as_deref());
    security_log::attempt_on(Event::Suspended, Some(id), act).await
}

/// Lets a suspended member log in again. For moderators; for others there is no such call.
#[utoipa::path(delete, path = "/api/admin/members/{userId}/suspension", operation_id = "unsuspendMember", tag = "moderation",
    params(("userId" = Id, Path)), responses((status = 204, description = "Not suspended any more"), StaysOut))]
pub async fn unsuspend(
    State(app): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    let act = act(&app, me, id, MemberAction::Unsuspend, None);
    security_log::attempt_on(Event::Unsuspended, Some(id), act).await
}

/// Freezes a member's invites: nobody can join with their codes, and they cannot make new ones. For
/// moderators; for others there is no such call.
#[utoipa::path(put, path = "/api/admin/members/{userId}/invite-freeze", operation_id = "freezeInvites", tag = "moderation",
    params(("userId" = Id, Path)), request_body = DeedNote,
    responses((status = 204, description = "Frozen"), DeniedWithNote))]
pub async fn freeze_invites(
    State(app): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<DeedNote>,
) -> Result<StatusCode> {
    act(
        &app,
        me,
        id,
        MemberAction::FreezeInvites,
        body.note.as_deref(),
    )
    .await
}

/// Lets a member's invites work again. For moderators; for others there is no such call.
#[utoipa::path(delete, path = "/api/admin/members/{userId}/invite-freeze", operation_id = "unfreezeInvites", tag = "moderation",
    params(("userId" = Id, Path)), responses((status = 204, description = "Not frozen any more"), Denied))]
pub async fn unfreeze_invites(
    State(app): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    act(&app, me, id, MemberAction::UnfreezeInvites, None).await
}

/// Gives a member another role. For admins; for others there is no such call.
#[utoipa::path(put, path = "/api/admin/members/{userId}/role", operation_id = "changeRole", tag = "moderation",
    params(("userId" = Id, Path)), request_body = NewRole,
    responses((status = 204, description = "Changed"), NoRole))]
pub async fn change_role(
    State(app): State<Platform>,
    Admin(me): Admin,
    Path(id): Path<Id>,
    Body(body): Body<NewRole>,
) -> Result<StatusCode> {
    let role = body.role.ok_or_else(no_role)?;
    let act = act(&app, me, id, MemberAction::Role(role), body.note.as_deref());
    security_log::attempt_on(Event::RoleChanged, Some(id), act).await
}
