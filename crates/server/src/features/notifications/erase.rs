//! Deleting what a member who leaves was told, and what others were told of them.

use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Rows that one transaction deletes.
const ROWS: u32 = 200;
/// Rows that are passed over in one read, all of which one transaction may delete.
const STEP: u32 = 500;

const DELETE_OWN: Sql = sql!(
    "delete from notifications where member_id = $1 and id in (select id from notifications
       where member_id = $1 order by id limit $2)"
);
// No index leads from the actor, since members leave seldom: all rows are passed over, a step at a time.
const ALL: Sql = sql!(
    "select member_id, id, actor_id from notifications where (member_id, id) > ($1, $2)
     order by member_id, id limit $3"
);
const DELETE: Sql = sql!("delete from notifications where member_id = $1 and id = $2");

/// Deletes some of what a member was told; answers how many.
pub async fn leave(tx: &mut Tx, member: Id) -> Result<u64> {
    tx.exec(&DELETE_OWN, params![member.0, ROWS]).await
}

/// Notifications about a member's actions in the next [`STEP`] rows: recipient and id; and where to go on.
pub async fn told_of(
    db: &Reader<'_>,
    actor: Id,
    after: (i64, i64),
) -> Result<(Vec<(i64, i64)>, Option<(i64, i64)>)> {
    let bound = params![after.0, after.1, STEP];
    let rows = db.all(&ALL, bound, |row| {
        Ok(((row.int(0)?, row.int(1)?), row.int(2)?))
    });
    let rows = rows.await?;
    let next = rows.last().filter(|_| rows.len() == STEP as usize);
    let next = next.map(|(place, _)| *place);
    let told = rows.into_iter().filter(|(_, by)| *by == actor.0);
    Ok((told.map(|(place, _)| place).collect(), next))
}

/// Deletes these.
pub async fn delete(tx: &mut Tx, rows: &[(i64, i64)]) -> Result<()> {
    for (member, id) in rows {
        tx.exec(&DELETE, params![*member, *id]).await?;
    }
    Ok(())
}
