//! GET /api/reports: reports sent by a member, with their outcome.

use crate::features::members;
use crate::features::moderation::CaseKind;
use crate::features::moderation::decide::Decision;
use crate::features::moderation::report::{Report, ReportReason};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::pagination;
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Result, Row, Sql, SqlIn, params, sql, sql_in};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// Reports per query, and in a list.
const PAGE_SIZE: usize = 100;

const SENT: Sql = sql!(
    "select case_id, id, reason, note from reports where reporter_id = $1 and case_id < $2
     order by case_id desc limit $3"
);
const SENT_CASES: Sql =
    sql!("select case_id from reports where reporter_id = $1 order by case_id desc limit $2");
static CASES: SqlIn = sql_in!(
    "select id, kind, target_id, member_id, closed_id, decision from report_cases where id in ($ids)"
);
static COUNT_CLOSED: SqlIn =
    sql_in!("select count(*) from report_cases where closed_id > $1 and id in ($ids)");

/// Outcome of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportOutcome {
    /// The post was removed or the member suspended.
    ActionTaken,
    /// The moderators took no action.
    NoAction,
}

/// A report by the authenticated member, with its outcome.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SentReport {
    /// The report.
    #[serde(flatten)]
    pub report: Report,
    /// Whether a post or a member was reported; null if the reported member has deleted the account.
    pub kind: Option<CaseKind>,
    /// Id of the reported post; null if a member was reported.
    pub post_id: Option<Id>,
    /// Id of the reported member; null if a post was reported.
    pub user_id: Option<Id>,
    /// Username of the reported member, or of the post's author; null if deleted.
    pub username: Option<String>,
    /// What the moderators decided; null while nothing is decided.
    pub outcome: Option<ReportOutcome>,
    /// Time of the decision; null while nothing is decided.
    #[schema(format = "date-time", min_length = 24, max_length = 24)]
    pub resolved_at: Option<String>,
}

struct ReportedCase {
    kind: CaseKind,
    target: Id,
    member: i64,
    closed: Option<Id>,
    decision: Option<Decision>,
}

fn read_case(row: &Row<'_>) -> Result<(i64, ReportedCase)> {
    let case = ReportedCase {
        kind: CaseKind::from_stored(row.int(1)?),
        target: Id(row.int(2)?),
        member: row.int(3)?,
        closed: row.opt_int(4)?.map(Id),
        decision: row.opt_int(5)?.map(Decision::from_stored),
    };
    Ok((row.int(0)?, case))
}

/// Lists the authenticated member's reports with their outcome, newest first, at most 100.
#[utoipa::path(get, path = "/api/reports", operation_id = "listSentReports", tag = "moderation", extensions(("x-max-items" = json!(100))),
    responses((status = 200, body = [SentReport])))]
pub async fn list_sent_reports(
    State(state): State<Platform>,
    auth: AuthenticatedMember,
) -> crate::http::error::Result<Json<Vec<SentReport>>> {
    let (reports, _) = load_sent_reports(&state.db.reader(), auth.member, i64::MAX).await?;
    Ok(Json(reports))
}

/// Loads a page of a member's reports, newest case first, and the cursor of the next page.
pub async fn load_sent_reports(
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<(Vec<SentReport>, Option<i64>)> {
    let parameters = params![member.0, before, PAGE_SIZE];
    let read = |row: &Row<'_>| {
        let id = Id(row.int(1)?);
        let report = Report {
            id,
            reason: ReportReason::from_stored(row.int(2)?),
            note: row.text(3)?,
            created_at: rfc3339(id.time()),
        };
        Ok((row.int(0)?, report))
    };
    let reports = db.all(&SENT, parameters, read).await?;
    let ids = reports.iter().map(|(case, _)| *case).collect::<Vec<_>>();
    let cases = db.all_in(&CASES, &[], &ids, read_case).await?;
    let cases = cases.into_iter().collect::<HashMap<_, _>>();
    let members = cases.values().map(|case| case.member).collect::<Vec<_>>();
    let members = members::load_all_refs(db, &members).await?;
    let next = pagination::next_cursor(&ids, PAGE_SIZE, |case| *case);
    let sent = reports.into_iter().map(|(case, report)| {
        let case = cases.get(&case);
        let target_of = |kind| case.filter(|case| case.kind == kind).map(|case| case.target);
        let outcome = |decision| match decision {
            Decision::Dismiss => ReportOutcome::NoAction,
            Decision::Remove | Decision::Suspend => ReportOutcome::ActionTaken,
        };
        SentReport {
            report,
            kind: case.map(|case| case.kind),
            post_id: target_of(CaseKind::Post),
            user_id: target_of(CaseKind::Member),
            username: case
                .and_then(|case| members.get(&case.member))
                .map(|member| member.username.clone()),
            outcome: case.and_then(|case| case.decision).map(outcome),
            resolved_at: case.and_then(|case| case.closed).map(|id| rfc3339(id.time())),
        }
    });
    Ok((sent.collect(), next))
}

/// Counts the cases of a member's newest 100 reports that were decided after `read`.
pub(super) async fn count_outcomes(db: &Reader<'_>, member: Id, read: Id) -> Result<i64> {
    let cases = db.all(&SENT_CASES, params![member.0, PAGE_SIZE], |row| row.int(0)).await?;
    if cases.is_empty() {
        return Ok(0);
    }
    let counts = db.all_in(&COUNT_CLOSED, params![read.0], &cases, |row| row.int(0)).await?;
    Ok(counts.into_iter().sum())
}
