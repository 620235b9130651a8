//! POST /api/admin/reports/{id}/resolve: decides about a case.

use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::notices::{
    NewNotice, NoticeKind, NoticeText, long_message, long_rule,
};
use crate::features::moderation::sanction_ends::{invalid_end, parse_end};
use crate::features::moderation::staff::{Moderator, actor_rank, ensure_role, insufficient_role};
use crate::features::moderation::{clean_note, long_note, pinned_images, sanctions};
use crate::features::{members, posts};
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
use kith_db::{Row, Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const SELECT_CASE: Sql =
    sql!("select target_id, kind, member_id, closed_id from report_cases where id = $1");
const CLOSE: Sql = sql!(
    "update report_cases set closed_id = $3, closed_by = $4, decision = $5, note = $6
     where target_id = $1 and id = $2 and closed_id is null
     returning held_images, report_count"
);
const UPDATE_DECISION: Sql =
    sql!("update report_cases set decision = $3 where target_id = $1 and id = $2");

// The discriminants are stored.
/// Action that resolves a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Takes no action.
    Dismiss = 0,
    /// Removes the post.
    Remove = 1,
    /// Suspends the member.
    Suspend = 2,
}

impl Decision {
    /// Decodes a stored number.
    pub(super) const fn from_stored(stored: i64) -> Self {
        match stored {
            1 => Self::Remove,
            2 => Self::Suspend,
            _ => Self::Dismiss,
        }
    }
}

/// A decision about a case.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewDecision {
    /// Action to take.
    #[schema(value_type = Decision)]
    pub action: Option<Decision>,
    /// Reason for the decision, for the audit log and other moderators.
    #[schema(max_length = 1000, example = "Asked twice to stop")]
    pub note: Option<String>,
    /// Rule that was broken, for the notice to the member. Not used by `dismiss`.
    #[schema(max_length = 300, example = "Be kind.")]
    pub rule: Option<String>,
    /// Message to the member, which the notice contains. Not used by `dismiss`.
    #[schema(max_length = 1000, example = "Please don't insult others.")]
    pub message: Option<String>,
    /// Time at which the suspension ends, within the next two years. If absent, it lasts until it is lifted. Used only
    /// by `suspend`.
    #[schema(format = "date-time", max_length = 40, example = "2026-11-28T09:30:00.000Z")]
    pub until: Option<String>,
    /// Number of reports that the moderator reviewed. If the case has more reports by now, the request fails.
    /// If absent, the decision applies to all reports.
    #[serde(default, deserialize_with = "crate::http::extract::deserialize_integer")]
    #[schema(minimum = 1, example = 2)]
    pub report_count: Option<i64>,
}

documented_errors!(ResolveErrors: no_action(), insufficient_role(), report_not_found(), report_resolved(), more_reported(), sanctions::last_admin(), no_post(), invalid_end(), long_note(), long_rule(), long_message());

fn no_action() -> ApiError {
    ApiError::missing_field("action", "Please choose what to do.")
}

fn report_not_found() -> ApiError {
    ApiError::not_found("report_not_found", "There is no such report.")
}

fn report_resolved() -> ApiError {
    let message = "Someone has already decided about these reports.";
    ApiError::conflict("report_resolved", message)
}

/// Error for reports that arrived after the moderator loaded the case; closing it would hide them unread.
fn more_reported() -> ApiError {
    let message = "New reports have come in since you opened this case. Please review them first.";
    ApiError::conflict("more_reported", message)
}

fn no_post() -> ApiError {
    let message = "A member was reported, so there is no post to remove.";
    ApiError::unprocessable("no_post", message)
}

/// Resolves all reports of a post or member and applies the decision, atomically. Requires the moderator or
/// admin role; other members get 404.
#[utoipa::path(post, path = "/api/admin/reports/{id}/resolve", operation_id = "resolveReports", tag = "moderation",
    params(("id" = Id, Path, description = "Id of the case.")), request_body = NewDecision,
    responses((status = 204, description = "Case resolved"), ResolveErrors))]
pub async fn resolve_reports(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Path(id): Path<Id>,
    Body(body): Body<NewDecision>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let decide = Decide {
        actor: Actor::Member(me),
        case: id,
        decision: body.action.ok_or_else(no_action)?,
        note: clean_note(body.note.as_deref())?,
        notice_text: NoticeText::clean(body.rule.as_deref(), body.message.as_deref())?,
        until: parse_end(body.until.as_deref(), state.now())?,
        seen: body.report_count.unwrap_or(i64::MAX),
        closed: state.id(),
        now: state.now(),
    };
    let decided = state.db.write(decide).await;
    decided.inspect_err(|error| {
        // A 404 means that the moderator guessed the id or is the subject of the case.
        if error.status() == StatusCode::NOT_FOUND {
            security_log::emit_rejected(Event::Rejected, error.code(), Some(id));
        }
    })?;
    state.mail.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Transaction that decides about a case and writes one audit row. The later of two concurrent decisions fails with
/// `report_resolved`.
#[derive(Debug)]
pub struct Decide {
    /// Decider.
    pub actor: Actor,
    /// Case id.
    pub case: Id,
    /// Decision to carry out.
    pub decision: Decision,
    /// Cleaned note.
    pub note: String,
    /// Rule and message of the notice to the member.
    pub notice_text: NoticeText,
    /// Time at which a suspension ends by itself.
    pub until: Option<Millis>,
    /// Number of reports that the decider saw; more of them abort the decision.
    pub seen: i64,
    /// New id, whose timestamp is the time of the decision; also of the notice.
    pub closed: Id,
    /// Current time.
    pub now: Millis,
}

struct CaseSubject {
    target: Id,
    is_post: bool,
    member: Id,
    is_closed: bool,
}

impl kith_db::Write for Decide {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = AuditWriter::lock(tx).await?;
        ensure_role(tx, self.actor, Role::Moderator).await?;
        let read = |row: &Row<'_>| {
            Ok(CaseSubject {
                target: Id(row.int(0)?),
                is_post: row.int(1)? == 0,
                member: Id(row.int(2)?),
                is_closed: row.opt_int(3)?.is_some(),
            })
        };
        let found = tx.opt(&SELECT_CASE, params![self.case.0], read).await?;
        let case = found.ok_or_else(report_not_found)?;
        // Hides the case from its subject.
        if self.actor == Actor::Member(case.member) {
            return Err(report_not_found());
        }
        if case.is_closed {
            return Err(report_resolved());
        }
        // Closing locks the case, as `FileReport` does, so that a concurrent report comes before or after.
        let parameters = params![
            case.target.0,
            self.case.0,
            self.closed.0,
            self.actor.member(),
            self.decision as i64,
            &self.note,
        ];
        let read = |row: &Row<'_>| Ok((row.opt_text(0)?, row.int(1)?));
        let closed = tx.opt(&CLOSE, parameters, read).await?;
        let (pinned, count) = closed.ok_or_else(report_resolved)?;
        if count > self.seen {
            return Err(more_reported());
        }
        let (taken, action) = self.apply_decision(tx, &case).await?;
        if taken != self.decision {
            let parameters = params![case.target.0, self.case.0, taken as i64];
            tx.exec(&UPDATE_DECISION, parameters).await?;
        }
        pinned_images::unpin(tx, pinned.as_deref(), self.now).await?;
        let record = AuditRecord {
            post: case.is_post.then_some(case.target.0),
            member: Some(case.member.0),
            detail: match (action, self.until) {
                (AuditAction::Suspend, Some(until)) => rfc3339(until),
                _ => String::new(),
            },
            note: self.note.clone(),
            ..AuditRecord::new(self.now, self.actor, action)
        };
        Ok(log.append(tx, &record).await?)
    }
}

impl Decide {
    async fn create_notice(&self, tx: &mut Tx, case: &CaseSubject) -> Result<()> {
        let (_, rank) = actor_rank(tx, self.actor, case.member).await?;
        let is_removal = self.decision == Decision::Remove;
        let notice = NewNotice {
            id: self.closed,
            member: case.member,
            kind: if is_removal { NoticeKind::PostRemoved } else { NoticeKind::Suspended },
            actor: self.actor,
            rank,
            post: is_removal.then_some(case.target),
            text: &self.notice_text,
            ends_at: self.until.filter(|_| !is_removal),
            now: self.now,
        };
        Ok(notice.create(tx).await?)
    }

    /// Applies the decision and returns what took effect: `Dismiss` if the author or another moderator was faster.
    async fn apply_decision(
        &self,
        tx: &mut Tx,
        case: &CaseSubject,
    ) -> Result<(Decision, AuditAction)> {
        let has_changed = match self.decision {
            // Allowed regardless of the subject's role, because the member is not affected.
            Decision::Dismiss => false,
            Decision::Remove if !case.is_post => return Err(no_post()),
            Decision::Remove => {
                let (_, rank) = actor_rank(tx, self.actor, case.member).await?;
                let removal = posts::Removal {
                    post: case.target,
                    author: case.member,
                    id: self.closed,
                    actor_rank: rank as i64,
                    now: self.now,
                };
                posts::remove_post(tx, removal).await?
            }
            Decision::Suspend => {
                let suspend = members::SanctionKind::Suspend;
                let (member, until) = (case.member, self.until);
                sanctions::apply_sanction(tx, self.actor, member, suspend, until, self.now).await?
            }
        };
        if has_changed {
            self.create_notice(tx, case).await?;
        }
        Ok(match self.decision {
            Decision::Remove if has_changed => (Decision::Remove, AuditAction::RemovePost),
            Decision::Suspend if has_changed => (Decision::Suspend, AuditAction::Suspend),
            _ => (Decision::Dismiss, AuditAction::DismissReports),
        })
    }
}
