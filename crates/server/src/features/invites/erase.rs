//! What becomes of the invites of a member who leaves, and of the one they joined with.

use crate::features::members;
use crate::platform::ids::Id;
use kith_db::{Row, Sql, Tx, params, sql};

/// Invites that one transaction forgets.
const ROWS: u32 = 100;

const MADE: Sql =
    sql!("select id, code from member_invites where member_id = $1 order by id limit $2");
const DELETE_OPEN: Sql = sql!("delete from invites where code = $1 and claimed_by is null");
const FORGET_INVITER: Sql =
    sql!("update invites set inviter_id = null where code = $1 returning claimed_by");
const DELETE: Sql = sql!("delete from member_invites where member_id = $1 and id = $2");
// A code stays claimed, by nobody any more.
const FORGET_CLAIM: Sql = sql!("update invites set claimed_by = 0 where claimed_by = $1");
const FORGET_FRIEND: Sql = sql!("update member_invites set used_by = null where used_by = $1");

/// Deletes some of a member's invites, also as the inviter of those who joined. Returns how many.
pub async fn leave(tx: &mut Tx, member: Id) -> kith_db::Result<u64> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.text(1)?));
    let made = tx.all(&MADE, params![member.0, ROWS], read).await?;
    for (id, code) in &made {
        // On PostgreSQL it waits for somebody who is joining with the code right now.
        tx.exec(&DELETE_OPEN, params![code]).await?;
        let read = |row: &Row<'_>| row.opt_int(0);
        let friend = tx.opt(&FORGET_INVITER, params![code], read).await?;
        if let Some(friend) = friend.flatten() {
            members::clear_inviter(tx, Id(friend), member).await?;
        }
        tx.exec(&DELETE, params![member.0, *id]).await?;
    }
    Ok(made.len() as u64)
}

/// Forgets which invite a member joined with; it stays used.
pub async fn forget_joining(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&FORGET_CLAIM, params![member.0]).await?;
    tx.exec(&FORGET_FRIEND, params![member.0]).await.map(drop)
}
