//! Snapshots of reported content at the time of each report.

use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Rows loaded from each end of a case. A row is left out only between this many newer and this many older rows.
pub(super) const ROWS_PER_END: u32 = 5;

const INSERT: Sql = sql!("insert into case_evidence (case_id, id, evidence) values ($1, $2, $3)");
const NEWEST: Sql =
    sql!("select id, evidence from case_evidence where case_id = $1 order by id desc limit $2");
const OLDEST: Sql =
    sql!("select id, evidence from case_evidence where case_id = $1 order by id limit $2");

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

/// Loads the snapshots of a case, newest first.
pub(super) async fn load_for_case(db: &Reader<'_>, case: i64) -> kith_db::Result<Vec<Evidence>> {
    let read = |row: &Row<'_>| {
        let evidence = serde_json::from_str(&row.text(1)?);
        Ok((row.int(0)?, evidence.unwrap_or_default()))
    };
    load_ends(db, case, [&NEWEST, &OLDEST], read).await
}

/// Loads the newest and the oldest rows of a case, newest first, so that later rows cannot push out the first.
pub(super) async fn load_ends<T: Send>(
    db: &Reader<'_>,
    case: i64,
    [newest, oldest]: [&'static Sql; 2],
    read: fn(&Row<'_>) -> kith_db::Result<(i64, T)>,
) -> kith_db::Result<Vec<T>> {
    let parameters = params![case, ROWS_PER_END];
    let (mut rows, oldest) = futures_util::try_join!(
        db.all(newest, parameters, read),
        db.all(oldest, parameters, read)
    )?;
    let oldest_loaded = rows.last().map_or(i64::MAX, |(id, _)| *id);
    rows.extend(oldest.into_iter().rev().filter(|(id, _)| *id < oldest_loaded));
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}
