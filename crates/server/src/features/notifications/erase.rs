//! Erases the notifications of a deleted account, received ones and those that its actions caused, and its settings.

use crate::features::{digest, push};
use crate::http::pagination;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Rows that one transaction deletes.
const DELETE_BATCH: u32 = 200;
/// Rows scanned per read; one transaction may delete all of them.
const SCAN_BATCH: usize = 500;

const DELETE_RECEIVED: Sql = sql!(
    "delete from notifications where member_id = $1 and id in (select id from notifications
       where member_id = $1 order by id limit $2)"
);
const DELETE_SETTINGS: Sql = sql!("delete from notification_settings where member_id = $1");
const DELETE_QUIET_HOURS: Sql = sql!("delete from quiet_hours where member_id = $1");
const DELETE_MUTED_CONVERSATIONS: Sql = sql!(
    "delete from muted_conversations where member_id = $1 and id in
       (select id from muted_conversations where member_id = $1 order by id limit $2)"
);
// Scans the whole table in steps: accounts are deleted too rarely to justify an index on the actor.
const SCAN: Sql = sql!(
    "select member_id, id, actor_id from notifications where (member_id, id) > ($1, $2)
     order by member_id, id limit $3"
);
const DELETE: Sql = sql!("delete from notifications where member_id = $1 and id = $2");

/// Deletes a member's settings, push subscriptions, digests, and up to [`DELETE_BATCH`] received notifications and muted
/// conversations each, and returns the count of rows.
pub async fn erase_received(tx: &mut Tx, member: Id) -> Result<u64> {
    let batch = params![member.0, DELETE_BATCH];
    let settings = tx.exec(&DELETE_SETTINGS, params![member.0]).await?;
    let quiet_hours = tx.exec(&DELETE_QUIET_HOURS, params![member.0]).await?;
    let muted = tx.exec(&DELETE_MUTED_CONVERSATIONS, batch).await?;
    let pushes = push::erase(tx, member).await?;
    let digests = digest::disable(tx, member).await?;
    Ok(settings + quiet_hours + muted + pushes + digests + tx.exec(&DELETE_RECEIVED, batch).await?)
}

/// Scans [`SCAN_BATCH`] rows for notifications that `actor` caused. Returns their keys (recipient, id) and the
/// key to continue after, `None` at the end of the table.
pub async fn list_by_actor(
    db: &Reader<'_>,
    actor: Id,
    after: (i64, i64),
) -> Result<(Vec<(i64, i64)>, Option<(i64, i64)>)> {
    let bound = params![after.0, after.1, SCAN_BATCH];
    let rows = db.all(&SCAN, bound, |row| Ok(((row.int(0)?, row.int(1)?), row.int(2)?)));
    let rows = rows.await?;
    let next = pagination::next_cursor(&rows, SCAN_BATCH, |(key, _)| *key);
    let by_actor = rows.into_iter().filter(|(_, by)| *by == actor.0);
    Ok((by_actor.map(|(key, _)| key).collect(), next))
}

/// Deletes notifications by key (recipient, id).
pub async fn delete_rows(tx: &mut Tx, rows: &[(i64, i64)]) -> Result<()> {
    for (member, id) in rows {
        tx.exec(&DELETE, params![*member, *id]).await?;
    }
    Ok(())
}
