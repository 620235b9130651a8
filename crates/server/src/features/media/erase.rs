//! Erases the uploads of a deleted member.

use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// Rows per statement; a transaction has one statement per table.
const BATCH: u32 = 200;

const END_UPLOADS: Sql = sql!(
    "update uploads set ended_at = $2 where owner_id = $1 and ended_at is null and id in (
       select id from uploads where owner_id = $1 and ended_at is null order by id limit $3)"
);
const DELETE_SOURCES: Sql = sql!(
    "delete from image_sources where owner_id = $1 and (upload_id, hash) in (
       select upload_id, hash from image_sources where owner_id = $1 order by upload_id, hash limit $2)"
);

/// Ends a batch of a member's uploads, whose files the sweeper deletes. Returns the number of changed rows.
pub async fn erase(tx: &mut Tx, member: Id, now: Millis) -> Result<u64> {
    let sources = tx.exec(&DELETE_SOURCES, params![member.0, BATCH]).await?;
    let uploads = tx.exec(&END_UPLOADS, params![member.0, now, BATCH]).await?;
    Ok(sources + uploads)
}
