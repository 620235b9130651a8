//! Sanctions of members: suspension, invite freeze and role.

use crate::features::account::deletion;
use crate::features::auth;
use crate::features::members::{self, Role, SanctionKind};
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::notices::{
    self, NewNotice, NoticeKind, NoticeText, long_message, long_rule,
};
use crate::features::moderation::sanction_ends::{invalid_end, parse_end};
use crate::features::moderation::staff::{
    Admin, Moderator, actor_rank, done_above, ensure_role, insufficient_role, yourself,
};
use crate::features::moderation::{clean_note, long_note};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use crate::platform::telemetry::security_log::{self, Event};
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::Deserialize;
use utoipa::ToSchema;

/// A sanction, which ends by itself if it has an end.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct NewSanction {
    /// Note for the audit log.
    #[schema(max_length = 1000, example = "Asked twice to stop")]
    pub note: Option<String>,
    /// Rule that was broken, for the notice to the member.
    #[schema(max_length = 300, example = "Be kind.")]
    pub rule: Option<String>,
    /// Message to the member, which the notice contains.
    #[schema(max_length = 1000, example = "Please don't insult others.")]
    pub message: Option<String>,
    /// Time at which the sanction ends, within the next two years. If absent, it lasts until it is lifted.
    #[schema(format = "date-time", max_length = 40, example = "2026-11-28T09:30:00.000Z")]
    pub until: Option<String>,
}

/// A change of a member's role.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewRole {
    /// The new role.
    #[schema(value_type = Role)]
    pub role: Option<Role>,
    /// Reason for the change, for the audit log.
    #[schema(max_length = 1000, example = "Helps with reports from now on")]
    pub note: Option<String>,
}

documented_errors!(UnfreezeErrors: yourself(), insufficient_role(), done_above(), last_admin());
documented_errors!(UnsuspendErrors: yourself(), insufficient_role(), done_above(), deletion::in_progress_error());
documented_errors!(SanctionErrors: yourself(), insufficient_role(), last_admin(), invalid_end(), long_note(), long_rule(), long_message());
documented_errors!(ChangeRoleErrors: yourself(), insufficient_role(), last_admin(), no_role(), long_note());

fn no_role() -> ApiError {
    ApiError::missing_field("role", "Please choose a role.")
}

/// Error for an action that would leave no admin.
pub(super) fn last_admin() -> ApiError {
    let message = "This is the last admin. Make someone else an admin first.";
    ApiError::conflict("last_admin", message)
}

/// Sanctioned member.
#[derive(Debug, Clone)]
pub enum Target {
    /// By id.
    Id(Id),
    /// By current or former username, in any case.
    Name(String),
}

/// Transaction that applies a sanction and writes an audit row. Idempotent: a repetition writes no second row.
#[derive(Debug)]
pub struct Sanction {
    /// Moderator, admin or operator.
    pub actor: Actor,
    /// Sanctioned member.
    pub target: Target,
    /// Kind of sanction.
    pub kind: SanctionKind,
    /// Cleaned note.
    pub note: String,
    /// Rule and message of the notice of a suspension or freeze.
    pub notice_text: NoticeText,
    /// New id of the notice.
    pub notice: Id,
    /// Time at which a suspension or freeze ends by itself.
    pub until: Option<Millis>,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for Sanction {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = AuditWriter::lock(tx).await?;
        let min_role = match self.kind {
            SanctionKind::Role(_) => Role::Admin,
            _ => Role::Moderator,
        };
        ensure_role(tx, self.actor, min_role).await?;
        let target = match &self.target {
            Target::Id(id) => *id,
            Target::Name(name) => members::find_by_username(&tx.reader(), name)
                .await?
                .ok_or_else(members::user_not_found)?,
        };
        if apply_sanction(tx, self.actor, target, self.kind, self.until, self.now).await? {
            self.create_notice(tx, target).await?;
            let until = self.until.map(rfc3339).unwrap_or_default();
            let (action, detail) = match self.kind {
                SanctionKind::Role(role) => (AuditAction::ChangeRole, role.as_str().to_owned()),
                SanctionKind::Suspend => (AuditAction::Suspend, until),
                SanctionKind::Unsuspend => (AuditAction::Unsuspend, String::new()),
                SanctionKind::FreezeInvites => (AuditAction::FreezeInvites, until),
                SanctionKind::UnfreezeInvites => (AuditAction::UnfreezeInvites, String::new()),
            };
            let row = AuditRecord {
                member: Some(target.0),
                detail,
                note: self.note.clone(),
                ..AuditRecord::new(self.now, self.actor, action)
            };
            log.append(tx, &row).await?;
        }
        Ok(())
    }
}

impl Sanction {
    /// Notifies the member of a suspension or freeze.
    async fn create_notice(&self, tx: &mut Tx, member: Id) -> Result<()> {
        let kind = match self.kind {
            SanctionKind::Suspend => NoticeKind::Suspended,
            SanctionKind::FreezeInvites => NoticeKind::InvitesFrozen,
            _ => return Ok(()),
        };
        let (_, rank) = actor_rank(tx, self.actor, member).await?;
        let notice = NewNotice {
            id: self.notice,
            member,
            kind,
            actor: self.actor,
            rank,
            post: None,
            text: &self.notice_text,
            ends_at: self.until,
            now: self.now,
        };
        Ok(notice.create(tx).await?)
    }
}

/// Applies a sanction; returns whether anything changed. Fails unless the actor outranks the target and the actor of a
/// sanction to be lifted, and an admin remains.
pub(super) async fn apply_sanction(
    tx: &mut Tx,
    actor: Actor,
    target: Id,
    kind: SanctionKind,
    until: Option<Millis>,
    now: Millis,
) -> Result<bool> {
    let (status, by) = actor_rank(tx, actor, target).await?;
    let removes_admin = match kind {
        SanctionKind::Role(role) => role != Role::Admin,
        SanctionKind::Suspend => true,
        _ => false,
    };
    let is_admin = status.role == Role::Admin && status.suspended_at.is_none();
    if removes_admin && is_admin {
        members::lock_admins(tx, target).await?;
        if !deletion::has_other_admins(tx, target).await? {
            return Err(last_admin());
        }
    }
    let has_changed = members::apply_action(tx, target, kind, by, until, now).await?;
    let sanctioned_at = match kind {
        SanctionKind::Unsuspend => status.suspended_at,
        SanctionKind::UnfreezeInvites => status.invites_frozen_at,
        _ => None,
    };
    if sanctioned_at.is_some() && !has_changed {
        return Err(done_above());
    }
    match kind {
        SanctionKind::Suspend if has_changed => {
            auth::expire_operator_links(tx, target, Id(i64::MAX), now).await?;
            deletion::pause(tx, target).await?;
        }
        SanctionKind::Unsuspend if has_changed => {
            deletion::resume(tx, target, now).await?;
            notices::mark_lifted(tx, target, NoticeKind::Suspended, now).await?;
        }
        SanctionKind::UnfreezeInvites if has_changed => {
            notices::mark_lifted(tx, target, NoticeKind::InvitesFrozen, now).await?;
        }
        _ => {}
    }
    Ok(has_changed)
}

async fn handle_sanction(
    state: &Platform,
    me: Id,
    target: Id,
    kind: SanctionKind,
    request: NewSanction,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let sanction = Sanction {
        actor: Actor::Member(me),
        target: Target::Id(target),
        kind,
        note: clean_note(request.note.as_deref())?,
        notice_text: NoticeText::clean(request.rule.as_deref(), request.message.as_deref())?,
        notice: state.id(),
        until: parse_end(request.until.as_deref(), state.now())?,
        now: state.now(),
    };
    state.db.write(sanction).await?;
    state.mail.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Suspends a member: ends all their sessions immediately, blocks their logins and hides them from other
/// members, until the given time if there is one. Repeating it changes the end. Requires the moderator or admin role; other members get 404.
#[utoipa::path(put, path = "/api/admin/members/{userId}/suspension", operation_id = "suspendMember", tag = "moderation",
    params(("userId" = Id, Path)), request_body = NewSanction,
    responses((status = 204, description = "Member suspended"), SanctionErrors))]
pub async fn suspend_member(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<NewSanction>,
) -> Result<StatusCode> {
    let sanction = handle_sanction(&state, me, id, SanctionKind::Suspend, body);
    security_log::attempt_on(Event::Suspended, Some(id), sanction).await
}

/// Lifts the suspension of a member, who can then log in again. Requires the moderator or admin role; other
/// members get 404.
#[utoipa::path(delete, path = "/api/admin/members/{userId}/suspension", operation_id = "unsuspendMember", tag = "moderation",
    params(("userId" = Id, Path)), responses((status = 204, description = "Suspension lifted"), UnsuspendErrors))]
pub async fn unsuspend_member(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    let sanction = handle_sanction(&state, me, id, SanctionKind::Unsuspend, NewSanction::default());
    security_log::attempt_on(Event::Unsuspended, Some(id), sanction).await
}

/// Freezes a member's invites: existing codes cannot be used, and the member cannot create new
/// ones, until the given time if there is one. Repeating it changes the end. Requires
/// the moderator or admin role; other members get 404.
#[utoipa::path(put, path = "/api/admin/members/{userId}/invite-freeze", operation_id = "freezeInvites", tag = "moderation",
    params(("userId" = Id, Path)), request_body = NewSanction,
    responses((status = 204, description = "Invites frozen"), SanctionErrors))]
pub async fn freeze_invites(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<NewSanction>,
) -> Result<StatusCode> {
    handle_sanction(&state, me, id, SanctionKind::FreezeInvites, body).await
}

/// Unfreezes a member's invites. Requires the moderator or admin role; other members get 404.
#[utoipa::path(delete, path = "/api/admin/members/{userId}/invite-freeze", operation_id = "unfreezeInvites", tag = "moderation",
    params(("userId" = Id, Path)), responses((status = 204, description = "Invites unfrozen"), UnfreezeErrors))]
pub async fn unfreeze_invites(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    handle_sanction(&state, me, id, SanctionKind::UnfreezeInvites, NewSanction::default()).await
}

/// Changes the role of a member. Requires the admin role; other members get 404.
#[utoipa::path(put, path = "/api/admin/members/{userId}/role", operation_id = "changeRole", tag = "moderation",
    params(("userId" = Id, Path)), request_body = NewRole,
    responses((status = 204, description = "Role changed"), ChangeRoleErrors))]
pub async fn change_role(
    State(state): State<Platform>,
    Admin(me): Admin,
    Path(id): Path<Id>,
    Body(body): Body<NewRole>,
) -> Result<StatusCode> {
    let role = body.role.ok_or_else(no_role)?;
    let request = NewSanction { note: body.note, ..NewSanction::default() };
    let sanction = handle_sanction(&state, me, id, SanctionKind::Role(role), request);
    security_log::attempt_on(Event::RoleChanged, Some(id), sanction).await
}
