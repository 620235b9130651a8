//! Snapshots of reported content at the time of each report.

use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, params, sql, sql_in};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use utoipa::ToSchema;

/// Rows loaded from each end of a case. A row is left out only between this many newer and this many older rows.
pub(super) const ROWS_PER_END: u32 = 5;

const INSERT: Sql = sql!("insert into case_evidence (case_id, id, evidence) values ($1, $2, $3)");
const NEWEST: Sql =
    sql!("select id, evidence from case_evidence where case_id = $1 order by id desc limit $2");
const OLDEST: Sql =
    sql!("select id, evidence from case_evidence where case_id = $1 order by id limit $2");
// The bound is an id from the index, so that only the rows at one end are read, whatever the number of rows.
static NEWEST_OF_CASES: SqlIn = sql_in!(
    "select case_id, case_evidence.id, evidence from report_cases
     join case_evidence on case_id = report_cases.id
     where report_cases.id in ($ids) and case_evidence.id >= coalesce((select other.id from case_evidence as other
       where other.case_id = report_cases.id order by other.id desc limit 1 offset $1), 0)"
);
static OLDEST_OF_CASES: SqlIn = sql_in!(
    "select case_id, case_evidence.id, evidence from report_cases
     join case_evidence on case_id = report_cases.id
     where report_cases.id in ($ids) and case_evidence.id <= coalesce((select other.id from case_evidence as other
       where other.case_id = report_cases.id order by other.id limit 1 offset $1), 9223372036854775807)"
);

/// A snapshot of a reported post or member, kept even if the original is deleted.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Text of the post with its poll options and alternative texts, or name, bio and website of the
    /// member.
    // 5,000 for the post, 600 for each of four options, 12,000 for each of four images, and separators.
    #[schema(max_length = 56_000, example = "Buy cheap watches now")]
    pub text: String,
    /// URLs of the post's images or of the member's pictures.
    #[schema(max_items = 4)]
    pub image_urls: Vec<String>,
}

/// Adds a snapshot unless moderators already see an equal one; returns whether it was added. The caller locks the case.
pub(super) async fn add(tx: &mut Tx, case: i64, id: Id, evidence: &Evidence) -> Result<bool> {
    let stored = serde_json::to_string(evidence).map_err(|_| ApiError::internal())?;
    for end in [&OLDEST, &NEWEST] {
        let shown = tx.all(end, params![case, ROWS_PER_END], |row| row.text(1)).await?;
        if shown.contains(&stored) {
            return Ok(false);
        }
    }
    tx.exec(&INSERT, params![case, id.0, &stored]).await?;
    Ok(true)
}

/// Loads snapshots by case, newest first.
pub(super) async fn load_for_cases(
    db: &Reader<'_>,
    cases: &[i64],
) -> kith_db::Result<HashMap<i64, Vec<Evidence>>> {
    let read = |row: &Row<'_>| Ok(serde_json::from_str(&row.text(2)?).unwrap_or_default());
    load_ends(db, cases, [&NEWEST_OF_CASES, &OLDEST_OF_CASES], read).await
}

/// Loads the newest and the oldest rows of each case, newest first, so that later rows cannot push out the first.
/// `newest` and `oldest` select case, id and further columns by the number of rows to skip at that end.
pub(super) async fn load_ends<T: Send>(
    db: &Reader<'_>,
    cases: &[i64],
    [newest, oldest]: [&'static SqlIn; 2],
    read: fn(&Row<'_>) -> kith_db::Result<T>,
) -> kith_db::Result<HashMap<i64, Vec<T>>> {
    let read = |row: &Row<'_>| Ok(((row.int(0)?, Reverse(row.int(1)?)), read(row)?));
    let parameters = params![ROWS_PER_END - 1];
    let (newest, oldest) = futures_util::try_join!(
        db.all_in(newest, parameters, cases, read),
        db.all_in(oldest, parameters, cases, read)
    )?;
    // A map, because a short case has the same rows at each end.
    let rows = newest.into_iter().chain(oldest).collect::<BTreeMap<_, _>>();
    let mut found = HashMap::<i64, Vec<T>>::new();
    for ((case, _), row) in rows {
        found.entry(case).or_default().push(row);
    }
    Ok(found)
}
