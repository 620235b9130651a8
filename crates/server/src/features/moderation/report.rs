//! POST /api/reports: reports a post or a member to the moderators.

use crate::features::moderation::report_snapshot::{self, Evidence};
use crate::features::moderation::{clean_note, long_note, pinned_images};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{members, posts};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::ids::{self, Id};
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::{Row, Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Finds or creates the target's open case and locks it, so that a concurrent decision comes before or after.
const OPEN: Sql = sql!(
    "insert into report_cases (target_id, id, kind, member_id, report_count, newest_id)
     values ($1, $2, $3, $4, 0, $2)
     on conflict (target_id) where closed_id is null do update set report_count = report_cases.report_count
     returning id, held_images"
);
const INSERT: Sql = sql!(
    "insert into reports (case_id, reporter_id, id, reason, note)
     values ($1, $2, $3, $4, $5) on conflict (case_id, reporter_id) do nothing"
);
const COUNT: Sql = sql!(
    "update report_cases set report_count = report_count + 1, newest_id = $3, held_images = $4
     where target_id = $1 and id = $2"
);
const UPDATE: Sql = sql!(
    "update reports set reason = $3, note = $4 where case_id = $1 and reporter_id = $2
     returning id, additions"
);
const COUNT_ADDITION: Sql =
    sql!("update reports set additions = additions + 1 where case_id = $1 and reporter_id = $2");
const UPDATE_IMAGES: Sql =
    sql!("update report_cases set held_images = $3 where target_id = $1 and id = $2");
/// Snapshots that a member can add by reporting again. Without a limit, two members could fill a case.
const MAX_ADDITIONS: i64 = 2;

// The discriminants are stored.
/// Reason of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReportReason {
    /// Unwanted advertising or repetitive posts.
    Spam = 0,
    /// Insults, threats or stalking.
    Harassment = 1,
    /// Hatred against a group of people.
    Hate = 2,
    /// Depiction, praise or announcement of violence.
    Violence = 3,
    /// Nudity or sexual content.
    Sexual = 4,
    /// Impersonation of another person.
    Impersonation = 5,
    /// Another reason, given in the note.
    Other = 6,
}

impl ReportReason {
    /// Decodes a stored number.
    #[must_use]
    pub const fn from_stored(stored: i64) -> Self {
        match stored {
            0 => Self::Spam,
            1 => Self::Harassment,
            2 => Self::Hate,
            3 => Self::Violence,
            4 => Self::Sexual,
            5 => Self::Impersonation,
            _ => Self::Other,
        }
    }
}

/// A report of a post or a member; exactly one of the two must be set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"postId": ids::EXAMPLE, "reason": "spam", "note": "The tenth one today"}))]
pub struct NewReport {
    /// Id of the post. A repost is resolved to its original.
    #[serde(default, deserialize_with = "ids::deserialize_option")]
    pub post_id: Option<Id>,
    /// Id of the member.
    #[serde(default, deserialize_with = "ids::deserialize_option")]
    pub user_id: Option<Id>,
    /// Reason of the report.
    #[schema(value_type = ReportReason)]
    pub reason: Option<ReportReason>,
    /// Additional details.
    #[schema(max_length = 1000, example = "The tenth one today")]
    pub note: Option<String>,
}

/// A report by the authenticated member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Id of the report.
    pub id: Id,
    /// Reason of the report.
    pub reason: ReportReason,
    /// Additional details; may be empty.
    #[schema(max_length = 1000, example = "The tenth one today")]
    pub note: String,
    /// Time at which the report was first filed.
    pub created_at: String,
}

documented_errors!(ReportErrors: no_target(), no_reason(), posts::post_not_found(), members::user_not_found(), own_report(), long_note());

fn no_target() -> ApiError {
    ApiError::missing_field("postId", "Say which post or which member you report.")
}

fn no_reason() -> ApiError {
    ApiError::missing_field("reason", "Please choose a reason.")
}

fn own_report() -> ApiError {
    ApiError::unprocessable("own", "You cannot report yourself.")
}

/// Reports a post or a member to the moderators and stores a snapshot of it. The reporter's identity is not
/// disclosed. Reporting it again before a decision updates the member's earlier report and adds a snapshot of
/// the current state.
#[utoipa::path(post, path = "/api/reports", operation_id = "report", tag = "moderation", request_body = NewReport,
    responses((status = 200, body = Report), ReportErrors))]
pub async fn create_report(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
    Body(body): Body<NewReport>,
) -> Result<Json<Report>> {
    state.rate_limiter.check_member(MemberAction::Report, auth.member)?;
    let target = match (body.post_id, body.user_id) {
        (Some(post), None) => ReportTarget::Post(post),
        (None, Some(member)) => ReportTarget::Member(member),
        _ => return Err(no_target()),
    };
    let reason = body.reason.ok_or_else(no_reason)?;
    let note = clean_note(body.note.as_deref())?;
    let write = FileReport {
        reporter: auth.member,
        target,
        reason,
        note: note.clone(),
        report: state.id(),
        case: state.id(),
    };
    let id = state.db.write(write).await?;
    Ok(Json(Report { id, reason, note, created_at: rfc3339(id.time()) }))
}

#[derive(Debug, Clone, Copy)]
enum ReportTarget {
    Post(Id),
    Member(Id),
}

/// Transaction that files a report, or updates the member's earlier report of the open case.
struct FileReport {
    reporter: Id,
    target: ReportTarget,
    reason: ReportReason,
    note: String,
    report: Id,
    case: Id,
}

impl kith_db::Write for FileReport {
    type Out = Id;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Id> {
        members::ensure_active(tx, self.reporter).await?;
        let (kind, target, member, (text, image_urls)) = match self.target {
            ReportTarget::Post(post) => {
                let (post, author) = posts::resolve_reported_post(tx, post, self.reporter).await?;
                (0, post, author, posts::load_report_snapshot(tx, post).await?)
            }
            ReportTarget::Member(member) => {
                if !members::is_active_in(tx, member).await? {
                    return Err(members::user_not_found());
                }
                (1, member, member, members::load_report_snapshot(tx, member).await?)
            }
        };
        if member == self.reporter {
            return Err(own_report());
        }
        let evidence = Evidence { text, image_urls };
        let parameters = params![target.0, self.case.0, kind, member.0];
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.opt_text(1)?));
        let (case, pinned) = tx.one(&OPEN, parameters, read).await?;
        let (reporter, reason) = (self.reporter.0, self.reason as i64);
        let parameters = params![case, reporter, self.report.0, reason, &self.note];
        if tx.exec(&INSERT, parameters).await? == 1 {
            report_snapshot::add(tx, case, self.report, &evidence).await?;
            let pinned = pinned_images::pin(tx, pinned, &evidence.image_urls).await?;
            let parameters = params![target.0, case, self.report.0, pinned.as_deref()];
            tx.exec(&COUNT, parameters).await?;
            // Checks again after the wait for the case's lock: the deletion of the account would not find a report that
            // is inserted after its step.
            members::ensure_active(tx, self.reporter).await?;
            return Ok(self.report);
        }
        let parameters = params![case, reporter, reason, &self.note];
        let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.int(1)?));
        let (report, additions) = tx.one(&UPDATE, parameters, read).await?;
        if additions < MAX_ADDITIONS
            && report_snapshot::add(tx, case, self.report, &evidence).await?
        {
            tx.exec(&COUNT_ADDITION, params![case, reporter]).await?;
            let pinned = pinned_images::pin(tx, pinned, &evidence.image_urls).await?;
            let parameters = params![target.0, case, pinned.as_deref()];
            tx.exec(&UPDATE_IMAGES, parameters).await?;
        }
        Ok(report)
    }
}
