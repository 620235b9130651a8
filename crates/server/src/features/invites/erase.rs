//! Erases a deleted member's invites, and the link to the invite they joined with.

use crate::features::members;
use crate::platform::ids::Id;
use kith_db::{Row, Sql, Tx, params, sql};

/// Invites that one transaction erases.
const BATCH_SIZE: u32 = 100;

const INVITES: Sql =
    sql!("select id, code from member_invites where member_id = $1 order by id limit $2");
const DELETE_OPEN: Sql = sql!("delete from invites where code = $1 and claimed_by is null");
const CLEAR_INVITER: Sql =
    sql!("update invites set inviter_id = null where code = $1 returning claimed_by");
const DELETE: Sql = sql!("delete from member_invites where member_id = $1 and id = $2");
// Keeps the code claimed, without naming the member.
const CLEAR_CLAIM: Sql = sql!("update invites set claimed_by = 0 where claimed_by = $1");
const CLEAR_INVITEE: Sql = sql!("update member_invites set used_by = null where used_by = $1");

/// Deletes a batch of a member's invites, and their name as inviter of used ones. Returns the number of invites.
pub async fn erase_invites(tx: &mut Tx, member: Id) -> kith_db::Result<u64> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.text(1)?));
    let invites = tx.all(&INVITES, params![member.0, BATCH_SIZE], read).await?;
    for (id, code) in &invites {
        // On PostgreSQL this waits for a concurrent sign-up with the code.
        tx.exec(&DELETE_OPEN, params![code]).await?;
        let read = |row: &Row<'_>| row.opt_int(0);
        let invitee = tx.opt(&CLEAR_INVITER, params![code], read).await?;
        if let Some(invitee) = invitee.flatten() {
            members::clear_inviter(tx, Id(invitee), member).await?;
        }
        tx.exec(&DELETE, params![member.0, *id]).await?;
    }
    Ok(invites.len() as u64)
}

/// Deletes which invite a member joined with; the invite stays used.
pub async fn erase_claim(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&CLEAR_CLAIM, params![member.0]).await?;
    tx.exec(&CLEAR_INVITEE, params![member.0]).await.map(drop)
}
