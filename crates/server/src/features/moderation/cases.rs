//! GET /api/admin/reports: cases, which group the reports of one post or member.

use crate::features::members::{self, MemberRef};
use crate::features::moderation::context::{self, CasePost};
use crate::features::moderation::decide::Decision;
use crate::features::moderation::members::{MemberRecord, load_records};
use crate::features::moderation::report::ReportReason;
use crate::features::moderation::report_snapshot::{self, Evidence};
use crate::features::moderation::staff::Moderator;
use crate::http::error::Result;
use crate::http::extract::{Page, PageQuery, Query};
use crate::http::pagination::{self, ListResponse};
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use axum::extract::State;
use futures_util::try_join;
use kith_db::{Reader, Row, Sql, SqlIn, params, sql, sql_in};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::{IntoParams, ToSchema};

const OPEN: Sql = sql!(
    "select id, target_id, kind, member_id, report_count, newest_id, closed_id, closed_by, decision, note
     from report_cases where closed_id is null and newest_id < $1 and member_id <> $2
     order by newest_id desc limit $3 offset $4"
);
const CLOSED: Sql = sql!(
    "select id, target_id, kind, member_id, report_count, newest_id, closed_id, closed_by, decision, note
     from report_cases where closed_id is not null and closed_id < $1 and member_id <> $2
     order by closed_id desc limit $3 offset $4"
);
static REASONS: SqlIn = sql_in!(
    "select case_id, reason, count(*) from reports where case_id in ($ids) group by case_id, reason"
);
static NEWEST: SqlIn = sql_in!(
    "select case_id, reports.id, reason, reports.note from report_cases
     join reports on case_id = report_cases.id
     where report_cases.id in ($ids) and reports.id >= coalesce((select other.id from reports as other
       where other.case_id = report_cases.id order by other.id desc limit 1 offset $1), 0)"
);
static OLDEST: SqlIn = sql_in!(
    "select case_id, reports.id, reason, reports.note from report_cases
     join reports on case_id = report_cases.id
     where report_cases.id in ($ids) and reports.id <= coalesce((select other.id from reports as other
       where other.case_id = report_cases.id order by other.id limit 1 offset $1), 9223372036854775807)"
);

/// State of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaseState {
    /// Not decided yet.
    #[default]
    Open,
    /// Decided.
    Resolved,
}

/// Query parameters of the list of cases.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct QueueQuery {
    /// State of the cases to list. Defaults to `open`.
    #[param(inline)]
    pub state: Option<CaseState>,
}

/// Kind of the reported item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaseKind {
    /// A post.
    Post,
    /// A member.
    Member,
}

impl CaseKind {
    /// Decodes a stored number.
    pub(super) const fn from_stored(stored: i64) -> Self {
        match stored {
            0 => Self::Post,
            _ => Self::Member,
        }
    }
}

/// All reports of one post or member up to a decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    /// Id of the case.
    pub id: Id,
    /// Whether a post or a member was reported.
    pub kind: CaseKind,
    /// Id of the reported post; null if a member was reported.
    pub post_id: Option<Id>,
    /// The reported post in its current state; null if a member was reported.
    pub post: Option<CasePost>,
    /// The reported member, or the author of the reported post.
    pub member: MemberRecord,
    /// Number of reports.
    pub report_count: i64,
    /// Number of reports per reason, most frequent first.
    #[schema(max_items = 7)]
    pub reasons: Vec<ReasonCount>,
    /// The newest reports, without their authors. If there are more than ten, the five newest and the five
    /// oldest.
    #[schema(max_items = 10)]
    pub reports: Vec<CaseReport>,
    /// Snapshots of the reported post or member at the time of the reports, newest first. More than one if it
    /// changed between reports; if there are more than ten, the five newest and the five oldest.
    #[schema(max_items = 10)]
    pub evidence: Vec<Evidence>,
    /// Time of the newest report.
    pub reported_at: String,
    /// The decision; null while the case is open.
    pub resolution: Option<Resolution>,
}

/// Number of reports with one reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReasonCount {
    /// Reason of the reports.
    pub reason: ReportReason,
    /// Number of reports.
    pub count: i64,
}

/// A report of a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseReport {
    /// Reason of the report.
    pub reason: ReportReason,
    /// Additional details; may be empty.
    #[schema(max_length = 1000, example = "The tenth one today")]
    pub note: String,
    /// Time of the report.
    pub created_at: String,
}

/// The decision about a case.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resolution {
    /// Action taken.
    pub action: Decision,
    /// Reason for the decision; may be empty.
    #[schema(max_length = 1000, example = "Asked twice to stop")]
    pub note: String,
    /// Time of the decision.
    pub created_at: String,
    /// Moderator or admin who decided; null for the operator.
    pub by: Option<MemberRef>,
}

/// Lists cases: reports grouped by the reported post or member. Sorts open cases by their newest report and
/// resolved cases by the time of the decision, newest first. Omits cases about the viewer or the viewer's
/// posts. Requires the moderator or admin role; other members get 404.
#[utoipa::path(get, path = "/api/admin/reports", operation_id = "listReports", tag = "moderation", params(QueueQuery, PageQuery),
    responses((status = 200, body = [Case], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_reports(
    State(state): State<Platform>,
    Moderator(me): Moderator,
    Query(query): Query<QueueQuery>,
    Query(page): Query<PageQuery>,
) -> Result<ListResponse<Case>> {
    let (page, case_state) = (page.page(20)?, query.state.unwrap_or_default());
    let db = state.db.reader();
    let (cases, next) = load_cases(&db, case_state, page, me).await?;
    pagination::check_offset(page, &cases)?;
    let path = match case_state {
        CaseState::Open => "/api/admin/reports?state=open&",
        CaseState::Resolved => "/api/admin/reports?state=resolved&",
    };
    Ok(ListResponse::new(cases, path, page.limit, next))
}

struct CaseRow {
    id: i64,
    target: i64,
    kind: CaseKind,
    member: i64,
    count: i64,
    newest: Id,
    closed: Option<Id>,
    by: Option<i64>,
    decision: Option<Decision>,
    note: String,
}

fn read_case(row: &Row<'_>) -> kith_db::Result<CaseRow> {
    Ok(CaseRow {
        id: row.int(0)?,
        target: row.int(1)?,
        kind: CaseKind::from_stored(row.int(2)?),
        member: row.int(3)?,
        count: row.int(4)?,
        newest: Id(row.int(5)?),
        closed: row.opt_int(6)?.map(Id),
        by: row.opt_int(7)?,
        decision: row.opt_int(8)?.map(Decision::from_stored),
        note: row.opt_text(9)?.unwrap_or_default(),
    })
}

/// Loads a page of cases that are not about `viewer`, and the cursor of the next page.
pub async fn load_cases(
    db: &Reader<'_>,
    state: CaseState,
    page: Page,
    viewer: Id,
) -> kith_db::Result<(Vec<Case>, Option<i64>)> {
    let sql = match state {
        CaseState::Open => &OPEN,
        CaseState::Resolved => &CLOSED,
    };
    let parameters = params![page.before, viewer.0, page.limit, page.statement_offset()];
    let stored = db.all(sql, parameters, read_case).await?;
    let cursor = |case: &CaseRow| case.closed.unwrap_or(case.newest).0;
    let next = pagination::next_cursor(&stored, page.limit, cursor);
    let ids = stored.iter().map(|case| case.id).collect::<Vec<_>>();
    let members = stored.iter().map(|case| case.member).collect::<Vec<_>>();
    let deciders = stored.iter().filter_map(|case| case.by).collect::<Vec<_>>();
    let (mut reasons, mut reports, mut evidence) = try_join!(
        count_reasons(db, &ids),
        report_snapshot::load_ends(db, &ids, [&NEWEST, &OLDEST], read_report),
        report_snapshot::load_for_cases(db, &ids),
    )?;
    let members = load_records(db, &members).await?;
    let posts = stored.iter().filter(|case| case.kind == CaseKind::Post);
    let posts = posts.map(|case| case.target).collect::<Vec<_>>();
    let posts = context::load_posts(db, &posts).await?;
    let deciders = members::load_all_refs(db, &deciders).await?;
    let mut cases = Vec::new();
    for case in stored {
        let Some(member) = members.get(&case.member).cloned() else {
            continue;
        };
        let resolution = case.closed.zip(case.decision);
        cases.push(Case {
            id: Id(case.id),
            kind: case.kind,
            post_id: (case.kind == CaseKind::Post).then_some(Id(case.target)),
            post: (case.kind == CaseKind::Post).then(|| posts.get(&case.target).cloned()).flatten(),
            member,
            report_count: case.count,
            reasons: reasons.remove(&case.id).unwrap_or_default(),
            reports: reports.remove(&case.id).unwrap_or_default(),
            evidence: evidence.remove(&case.id).unwrap_or_default(),
            reported_at: rfc3339(case.newest.time()),
            resolution: resolution.map(|(closed, action)| Resolution {
                action,
                note: case.note,
                created_at: rfc3339(closed.time()),
                by: case.by.and_then(|id| deciders.get(&id).cloned()),
            }),
        });
    }
    Ok((cases, next))
}

async fn count_reasons(
    db: &Reader<'_>,
    cases: &[i64],
) -> kith_db::Result<HashMap<i64, Vec<ReasonCount>>> {
    let read =
        |row: &Row<'_>| Ok((row.int(0)?, ReportReason::from_stored(row.int(1)?), row.int(2)?));
    let mut rows = db.all_in(&REASONS, &[], cases, read).await?;
    rows.sort_unstable_by_key(|(_, reason, count)| (-count, *reason));
    let mut found = HashMap::<i64, Vec<ReasonCount>>::new();
    for (case, reason, count) in rows {
        let counts = found.entry(case).or_default();
        counts.push(ReasonCount { reason, count });
    }
    Ok(found)
}

fn read_report(row: &Row<'_>) -> kith_db::Result<CaseReport> {
    Ok(CaseReport {
        reason: ReportReason::from_stored(row.int(2)?),
        note: row.text(3)?,
        created_at: rfc3339(Id(row.int(1)?).time()),
    })
}
