//! GET /api/admin/objections, and the decision about an objection.

use crate::features::members::{self, ActorRank, MemberRef, Role, SanctionKind};
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::members::{MemberRecord, load_records};
use crate::features::moderation::notices::{self, ModerationNotice, NoticeKind, NoticeRow};
use crate::features::moderation::removed_posts::{self, removal_not_found};
use crate::features::moderation::staff::{Moderator, done_above, ensure_role, insufficient_role};
use crate::features::moderation::{MAX_NOTE_LENGTH, clean_text, sanctions};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::jobs::{self, Job};
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Reader, Tx};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Objections in a list.
const MAX_LISTED: usize = 100;
/// Open objections that are read, of which some are hidden from a moderator.
const MAX_READ: usize = 1_000;
/// Detail of the audit row of a sanction that was lifted after an objection.
const OBJECTION: &str = "objection";

/// A member's objection that is not decided.
#[derive(Debug, Serialize, ToSchema)]
pub struct Objection {
    /// Id of the notice.
    pub id: Id,
    /// The notice with the objection.
    pub notice: ModerationNotice,
    /// The member who objects.
    pub member: MemberRecord,
    /// Moderator or admin who sanctioned the member; null for the operator or a deleted member.
    pub by: Option<MemberRef>,
}

/// Decision about an objection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ObjectionAction {
    /// Lifts the suspension or freeze, or restores the post.
    Accept,
    /// Keeps the sanction.
    Reject,
}

/// Decision about an objection, and an answer to the member.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewObjectionDecision {
    /// Decision.
    #[schema(value_type = ObjectionAction)]
    pub action: Option<ObjectionAction>,
    /// Answer, which is mailed to the member.
    #[schema(max_length = 1000, example = "We had overlooked that.")]
    pub answer: Option<String>,
}

documented_errors!(ResolveObjectionErrors: no_action(), objection_not_found(), objection_resolved(), insufficient_role(), done_above(), long_answer());

fn no_action() -> ApiError {
    ApiError::missing_field("action", "Please choose what to do.")
}

fn objection_not_found() -> ApiError {
    ApiError::not_found("objection_not_found", "There is no such objection.")
}

fn objection_resolved() -> ApiError {
    let message = "Someone has already decided about this objection.";
    ApiError::conflict("objection_resolved", message)
}

fn long_answer() -> ApiError {
    ApiError::invalid_field("answer", "An answer can have at most 1,000 characters.")
}

/// Lists objections that are not decided, oldest first, at most 100. Omits those that the viewer may not decide about:
/// their own, those of members and sanctions of a higher role, and those to their own sanctions if another moderator
/// may decide. Requires the moderator or admin role; other members get 404.
#[utoipa::path(get, path = "/api/admin/objections", operation_id = "listObjections", tag = "moderation", extensions(("x-max-items" = json!(100))),
    responses((status = 200, body = [Objection])))]
pub async fn list_objections(
    State(state): State<Platform>,
    Moderator(me): Moderator,
) -> Result<Json<Vec<Objection>>> {
    Ok(Json(load_objections(&state.db.reader(), Some(me)).await?))
}

/// Loads the open objections that a moderator may decide about, or all of them for the operator.
pub async fn load_objections(
    db: &Reader<'_>,
    viewer: Option<Id>,
) -> kith_db::Result<Vec<Objection>> {
    let mut rows = notices::load_open_objections(db, MAX_READ).await?;
    let ids = rows.iter().map(|row| row.member.0).collect::<Vec<_>>();
    let records = load_records(db, &ids).await?;
    if let Some(viewer) = viewer {
        let staff = members::load_staff(db).await?;
        rows.retain(|row| {
            let record = records.get(&row.member.0);
            record.is_some_and(|record| may_decide(row, record.role, &staff, viewer))
        });
    }
    rows.truncate(MAX_LISTED);
    let actors = rows.iter().filter_map(|row| row.actor).map(|actor| actor.0).collect::<Vec<_>>();
    let actors = members::load_all_refs(db, &actors).await?;
    let keys = rows.iter().map(|row| (row.member, row.actor)).collect::<Vec<_>>();
    let dtos = notices::load_dtos(db, rows).await?;
    let objection = |(notice, (member, actor)): (ModerationNotice, (Id, Option<Id>))| {
        Some(Objection {
            id: notice.id,
            notice,
            member: records.get(&member.0).cloned()?,
            by: actor.and_then(|actor| actors.get(&actor.0).cloned()),
        })
    };
    Ok(dtos.into_iter().zip(keys).filter_map(objection).collect())
}

/// Checks whether a moderator may decide about an objection of a member with a role: another one than who sanctioned the
/// member, unless no other may.
fn may_decide(notice: &NoticeRow, role: Role, staff: &[(Id, Role)], moderator: Id) -> bool {
    let may_lift = |(id, own_role): &&(Id, Role)| {
        *id != notice.member
            && *own_role > role
            && ActorRank::for_role(*own_role) as i64 >= notice.actor_rank
    };
    let mut eligible = staff.iter().filter(may_lift).map(|(id, _)| *id);
    let is_eligible = eligible.clone().any(|id| id == moderator);
    is_eligible && (notice.actor != Some(moderator) || eligible.all(|id| id == moderator))
}

/// Decides about an objection; accepting it lifts the suspension or freeze, or restores the post if it is not deleted yet.
/// The member gets a mail.
/// Requires the moderator or admin role; other members get 404.
#[utoipa::path(post, path = "/api/admin/objections/{id}/resolve", operation_id = "resolveObjection", tag = "moderation",
    params(("id" = Id, Path, description = "Id of the notice.")), request_body = NewObjectionDecision,
    responses((status = 204, description = "Objection resolved"), ResolveObjectionErrors))]
pub async fn resolve_objection(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<NewObjectionDecision>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let resolve = ResolveObjection {
        actor: Actor::Member(me),
        notice: id,
        action: body.action.ok_or_else(no_action)?,
        answer: clean_answer(body.answer.as_deref())?,
        decided: state.id(),
        now: state.now(),
    };
    state.db.write(resolve).await?;
    state.mail.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Cleans an answer of at most 1,000 code points.
pub fn clean_answer(typed: Option<&str>) -> Result<String> {
    clean_text(typed, MAX_NOTE_LENGTH).ok_or_else(long_answer)
}

/// Transaction that decides about an objection, writes an audit row and queues the mail.
#[derive(Debug)]
pub struct ResolveObjection {
    /// Moderator, admin or operator.
    pub actor: Actor,
    /// Id of the notice.
    pub notice: Id,
    /// Decision.
    pub action: ObjectionAction,
    /// Cleaned answer.
    pub answer: String,
    /// New id, whose timestamp is the time of the decision; also of the mail's job.
    pub decided: Id,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for ResolveObjection {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = AuditWriter::lock(tx).await?;
        ensure_role(tx, self.actor, Role::Moderator).await?;
        let notice = self.load_notice(tx).await?;
        let is_accepted = self.action == ObjectionAction::Accept;
        if !notices::decide(tx, &notice, is_accepted, &self.answer, self.decided).await? {
            return Err(objection_resolved());
        }
        let action = if is_accepted {
            self.lift_sanction(tx, &notice).await?
        } else {
            AuditAction::RejectObjection
        };
        let mail = Job::notice_mail(self.decided, notice.member, notice.id, self.now);
        jobs::enqueue(tx, &mail).await?;
        let record = AuditRecord {
            post: notice.post.map(|post| post.0),
            member: Some(notice.member.0),
            detail: if is_accepted { OBJECTION.to_owned() } else { String::new() },
            ..AuditRecord::new(self.now, self.actor, action)
        };
        Ok(log.append(tx, &record).await?)
    }
}

impl ResolveObjection {
    async fn load_notice(&self, tx: &mut Tx) -> Result<NoticeRow> {
        let db = tx.reader();
        let notice = notices::find_by_id(&db, self.notice).await?;
        let notice = notice.ok_or_else(objection_not_found)?;
        if let Actor::Member(me) = self.actor {
            let status = members::load_status(&db, notice.member).await?;
            let role = status.ok_or_else(objection_not_found)?.role;
            let staff = members::load_staff(&db).await?;
            if !may_decide(&notice, role, &staff, me) {
                return Err(objection_not_found());
            }
        }
        if notice.has_open_objection() { Ok(notice) } else { Err(objection_resolved()) }
    }

    async fn lift_sanction(&self, tx: &mut Tx, notice: &NoticeRow) -> Result<AuditAction> {
        let (kind, action) = match notice.kind {
            NoticeKind::PostRemoved => {
                let post = notice.post.ok_or_else(removal_not_found)?;
                return match removed_posts::restore(tx, self.actor, post, self.now).await {
                    Ok(_) => Ok(AuditAction::RestorePost),
                    Err(error) if error == removal_not_found() => Ok(AuditAction::AcceptObjection),
                    Err(error) => Err(error),
                };
            }
            NoticeKind::Suspended => (SanctionKind::Unsuspend, AuditAction::Unsuspend),
            NoticeKind::InvitesFrozen => {
                (SanctionKind::UnfreezeInvites, AuditAction::UnfreezeInvites)
            }
        };
        sanctions::apply_sanction(tx, self.actor, notice.member, kind, None, self.now).await?;
        Ok(action)
    }
}
