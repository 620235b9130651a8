//! Erases a deleted member from notices.

use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

const DELETE: Sql = sql!(
    "delete from moderation_notices where member_id = $1 and id in (select id from moderation_notices
       where member_id = $1 order by id limit $2)"
);
const CLEAR_ACTOR: Sql = sql!("update moderation_notices set actor_id = null where actor_id = $1");

/// Deletes at most `limit` notices of a member, and removes the member from those about others. Returns the number of
/// changed rows.
pub(crate) async fn erase(tx: &mut Tx, member: Id, limit: u32) -> Result<u64> {
    let deleted = tx.exec(&DELETE, params![member.0, limit]).await?;
    Ok(deleted + tx.exec(&CLEAR_ACTOR, params![member.0]).await?)
}
