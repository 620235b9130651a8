//! Reports sent by a member, for the data export.

use crate::features::moderation::CaseKind;
use crate::features::moderation::report::{Report, ReportReason};
use crate::http::pagination;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, SqlIn, params, sql, sql_in};
use serde::Serialize;
use std::collections::HashMap;

/// Reports per query.
const PAGE_SIZE: usize = 100;

const SENT: Sql = sql!(
    "select case_id, id, reason, note from reports where reporter_id = $1 and case_id < $2
     order by case_id desc limit $3"
);
static TARGETS: SqlIn = sql_in!("select id, kind, target_id from report_cases where id in ($ids)");

/// Report with its target.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SentReport {
    #[serde(flatten)]
    report: Report,
    post_id: Option<Id>,
    user_id: Option<Id>,
}

/// Loads a page of a member's reports, newest case first, and the cursor of the next page.
pub async fn load_sent_reports(
    db: &Reader<'_>,
    member: Id,
    before: i64,
) -> Result<(Vec<SentReport>, Option<i64>)> {
    let parameters = params![member.0, before, PAGE_SIZE];
    let read = |row: &kith_db::Row<'_>| {
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
    let cases = reports.iter().map(|(case, _)| *case).collect::<Vec<_>>();
    let read_target = |row: &kith_db::Row<'_>| Ok((row.int(0)?, (row.int(1)?, Id(row.int(2)?))));
    let targets = db.all_in(&TARGETS, &[], &cases, read_target).await?;
    let targets = targets.into_iter().collect::<HashMap<_, _>>();
    let next = pagination::next_cursor(&cases, PAGE_SIZE, |case| *case);
    let sent = reports.into_iter().map(|(case, report)| {
        let target_of = |kind: CaseKind| {
            let target = targets.get(&case);
            target.filter(|(stored, _)| *stored == kind as i64)
        };
        SentReport {
            report,
            post_id: target_of(CaseKind::Post).map(|(_, id)| *id),
            user_id: target_of(CaseKind::Member).map(|(_, id)| *id),
        }
    });
    Ok((sent.collect(), next))
}
