//! Deleting what a member who leaves was told, and what others were told of them.

use crate::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Rows that one transaction deletes.
const ROWS: u32 = 200;

const DELETE_OWN: Sql = sql!(
    "delete from notifications where member_id = $1 and id in (select id from notifications
       where member_id = $1 order by id limit $2)"
);
// No index leads from the actor: each deed would pay for it, and members leave seldom.
const BY_ACTOR: Sql = sql!(
    "select member_id, id from notifications where actor_id = $1 and (member_id, id) > ($2, $3)
     order by member_id, id limit $4"
);
const DELETE: Sql = sql!("delete from notifications where member_id = $1 and id = $2");

/// Deletes some of what a member was told; answers how many.
pub async fn leave(tx: &mut Tx, member: Id) -> Result<u64> {
    tx.exec(&DELETE_OWN, params![member.0, ROWS]).await
}

/// Some of what others were told of a member's deeds, behind a place: whom, and which.
pub async fn told_of(db: &Reader<'_>, actor: Id, after: (i64, i64)) -> Result<Vec<(i64, i64)>> {
    let bound = params![actor.0, after.0, after.1, ROWS];
    db.all(&BY_ACTOR, bound, |row| Ok((row.int(0)?, row.int(1)?)))
        .await
}

/// Deletes these.
pub async fn delete(tx: &mut Tx, rows: &[(i64, i64)]) -> Result<()> {
    for (member, id) in rows {
        tx.exec(&DELETE, params![*member, *id]).await?;
    }
    Ok(())
}
