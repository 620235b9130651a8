//! Blocks and mutes between two members.

use crate::features::relationships::visibility::Relationship;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Yields the bits of [`Relationship`]: 1 blocked by $1, 2 blocks $1, 4 muted by $1.
const LOAD_PAIR: Sql = sql!(
    "select blocked_id, 1 from blocks where member_id = $1 and blocked_id = $2
     union all select blocker_id, 2 from blockers where member_id = $1 and blocker_id = $2
     union all select muted_id, 4 from mutes where member_id = $1 and muted_id = $2"
);

/// Loads block and mute flags between a viewer and one member, without suspensions.
pub async fn load_relationship(db: &Reader<'_>, viewer: Id, member: Id) -> Result<Relationship> {
    let mut found = Relationship::default();
    let bound = params![viewer.0, member.0];
    for bits in db.all(&LOAD_PAIR, bound, |row| row.int(1)).await? {
        found.add(bits);
    }
    Ok(found)
}

/// Returns whether `member` must not be notified of `actor`: a block either way, or a mute.
pub async fn suppresses_notifications(tx: &Tx, member: Id, actor: Id) -> Result<bool> {
    let bound = params![member.0, actor.0];
    Ok(tx.opt(&LOAD_PAIR, bound, |_| Ok(())).await?.is_some())
}
