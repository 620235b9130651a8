//! Erases the follows of a deleted member.

use super::{FOLLOWERS, FOLLOWING};
use crate::features::members;
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// Follows deleted per direction and transaction.
const ROWS_PER_BATCH: u32 = 100;

const DELETE: Sql = sql!("delete from follows where follower_id = $1 and followee_id = $2");
const DELETE_MIRROR: Sql =
    sql!("delete from followers where followee_id = $1 and follower_id = $2");

/// Deletes a batch of follows by and of a member. Returns the number deleted.
pub async fn erase_follows(tx: &mut Tx, member: Id) -> Result<u64> {
    let mut deleted = 0;
    for (list, is_follower) in [(&FOLLOWING, true), (&FOLLOWERS, false)] {
        let parameters = params![member.0, i64::MAX, ROWS_PER_BATCH];
        for other in tx.all(list, parameters, |row| Ok(Id(row.int(0)?))).await? {
            let (follower, followee) = if is_follower { (member, other) } else { (other, member) };
            let edge = params![follower.0, followee.0];
            if tx.exec(&DELETE, edge).await? > 0 {
                let mirror = params![followee.0, follower.0];
                tx.exec(&DELETE_MIRROR, mirror).await?;
                members::count_follow(tx, follower, followee, -1).await?;
            }
            deleted += 1;
        }
    }
    Ok(deleted)
}
