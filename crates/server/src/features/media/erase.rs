//! The uploads of one member: to let go of them.

use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// Rows that one transaction changes.
const ROWS: u32 = 200;

const END_UPLOADS: Sql = sql!(
    "update uploads set ended_at = $2 where owner_id = $1 and ended_at is null and id in (
       select id from uploads where owner_id = $1 and ended_at is null order by id limit $3)"
);
const FORGET_SOURCES: Sql = sql!(
    "delete from image_sources where owner_id = $1 and (upload_id, hash) in (
       select upload_id, hash from image_sources where owner_id = $1 order by upload_id, hash limit $2)"
);

/// Lets go of some uploads of a member, which the sweeper then deletes; answers how many.
pub async fn leave(tx: &mut Tx, member: Id, now: Millis) -> Result<u64> {
    let sources = tx.exec(&FORGET_SOURCES, params![member.0, ROWS]).await?;
    let uploads = tx.exec(&END_UPLOADS, params![member.0, now, ROWS]).await?;
    Ok(sources + uploads)
}
