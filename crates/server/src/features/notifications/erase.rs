//! Erases the notifications of a deleted account: received ones and those that its actions caused.

use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Rows that one transaction deletes.
const ROWS: u32 = 200;
/// Rows scanned per read; one transaction may delete all of them.
const STEP: u32 = 500;

const DELETE_OWN: Sql = sql!(
    "delete from notifications where member_id = $1 and id in (select id from notifications
       where member_id = $1 order by id limit $2)"
);
// Scans the whole table in steps: accounts are deleted too rarely to justify an index on the actor.
const ALL: Sql = sql!(
    "select member_id, id, actor_id from notifications where (member_id, id) > ($1, $2)
     order by member_id, id limit $3"
);
const DELETE: Sql = sql!("delete from notifications where member_id = $1 and id = $2");

/// Deletes up to [`ROWS`] notifications that a member received, and returns the count.
pub async fn erase_received(tx: &mut Tx, member: Id) -> Result<u64> {
    tx.exec(&DELETE_OWN, params![member.0, ROWS]).await
}

/// Scans [`STEP`] rows for notifications that `actor` caused. Returns their keys (recipient, id) and the
/// key to continue after, `None` at the end of the table.
pub async fn list_by_actor(
    db: &Reader<'_>,
    actor: Id,
    after: (i64, i64),
) -> Result<(Vec<(i64, i64)>, Option<(i64, i64)>)> {
    let bound = params![after.0, after.1, STEP];
    let rows = db.all(&ALL, bound, |row| Ok(((row.int(0)?, row.int(1)?), row.int(2)?)));
    let rows = rows.await?;
    let next = rows.last().filter(|_| rows.len() == STEP as usize);
    let next = next.map(|(place, _)| *place);
    let by_actor = rows.into_iter().filter(|(_, by)| *by == actor.0);
    Ok((by_actor.map(|(place, _)| place).collect(), next))
}

/// Deletes notifications by key (recipient, id).
pub async fn delete_rows(tx: &mut Tx, rows: &[(i64, i64)]) -> Result<()> {
    for (member, id) in rows {
        tx.exec(&DELETE, params![*member, *id]).await?;
    }
    Ok(())
}
