//! Erases the blocks and mutes of a deleted member.

use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// Rows per kind and transaction.
const ROWS_PER_BATCH: u32 = 100;

const BLOCKED: Sql =
    sql!("select blocked_id from blocks where member_id = $1 order by blocked_id limit $2");
const BLOCKERS: Sql =
    sql!("select blocker_id from blockers where member_id = $1 order by blocker_id limit $2");
const DELETE_BLOCK: Sql = sql!("delete from blocks where member_id = $1 and blocked_id = $2");
const DELETE_BLOCKER: Sql = sql!("delete from blockers where member_id = $1 and blocker_id = $2");
const MUTED: Sql =
    sql!("select muted_id from mutes where member_id = $1 order by muted_id limit $2");
const MUTERS: Sql =
    sql!("select member_id from mutes where muted_id = $1 order by member_id limit $2");
const DELETE_MUTE: Sql = sql!("delete from mutes where member_id = $1 and muted_id = $2");

/// Deletes a batch of blocks and mutes by and of a member. Returns the number deleted.
pub async fn erase_relationships(tx: &mut Tx, member: Id) -> Result<u64> {
    let mut deleted = 0;
    for other in list_members(tx, &BLOCKED, member).await? {
        deleted += delete_block(tx, member.0, other).await?;
    }
    for other in list_members(tx, &BLOCKERS, member).await? {
        deleted += delete_block(tx, other, member.0).await?;
    }
    for other in list_members(tx, &MUTED, member).await? {
        deleted += tx.exec(&DELETE_MUTE, params![member.0, other]).await?;
    }
    for other in list_members(tx, &MUTERS, member).await? {
        deleted += tx.exec(&DELETE_MUTE, params![other, member.0]).await?;
    }
    Ok(deleted)
}

async fn list_members(tx: &mut Tx, list: &'static Sql, member: Id) -> Result<Vec<i64>> {
    tx.all(list, params![member.0, ROWS_PER_BATCH], |row| row.int(0)).await
}

async fn delete_block(tx: &mut Tx, blocker: i64, blocked: i64) -> Result<u64> {
    let rows = tx.exec(&DELETE_BLOCK, params![blocker, blocked]).await?;
    Ok(rows + tx.exec(&DELETE_BLOCKER, params![blocked, blocker]).await?)
}
