//! Snapshots a member's profile for reports.

use crate::features::members::user_not_found;
use crate::http::error::Result;
use crate::platform::ids::Id;
use kith_db::{Row, Sql, Tx, params, sql};

const PROFILE: Sql = sql!(
    "select display_name, username, bio, website, profile_image_url, header_image_url
     from members where id = $1"
);

/// Loads a member's names, bio and website, one per line, and the URLs of their pictures.
pub async fn load_report_snapshot(tx: &mut Tx, member: Id) -> Result<(String, Vec<String>)> {
    let read = |row: &Row<'_>| {
        let lines = [row.text(0)?, format!("@{}", row.text(1)?), row.text(2)?, row.text(3)?];
        let lines = lines.into_iter().filter(|line| !line.is_empty());
        let pictures = [row.opt_text(4)?, row.opt_text(5)?];
        Ok((lines.collect::<Vec<_>>().join("\n"), pictures.into_iter().flatten().collect()))
    };
    let found = tx.opt(&PROFILE, params![member.0], read).await?;
    found.ok_or_else(user_not_found)
}
