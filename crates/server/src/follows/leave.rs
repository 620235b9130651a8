//! A member's edges, a page at a time: for a copy of them, and to end them.

use crate::ids::Id;
use crate::listing;
use crate::users;
use kith_db::{Reader, Result, Sql, Tx, params, sql};

/// Edges that one transaction ends.
const ROWS: u32 = 100;

const FOLLOWING: Sql = sql!(
    "select followee_id, id from follows where follower_id = $1 and id < $2 order by id desc limit $3"
);
const FOLLOWERS: Sql = sql!(
    "select follower_id, id from followers where followee_id = $1 and id < $2 order by id desc limit $3"
);
const DELETE: Sql = sql!("delete from follows where follower_id = $1 and followee_id = $2");
const DELETE_MIRROR: Sql =
    sql!("delete from followers where followee_id = $1 and follower_id = $2");

/// Which end of an edge a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Whom the member follows.
    Following,
    /// Who follows the member.
    Followers,
}

impl Side {
    const fn sql(self) -> &'static Sql {
        match self {
            Self::Following => &FOLLOWING,
            Self::Followers => &FOLLOWERS,
        }
    }
}

/// The members at the other ends below a place, newest first, each with its place; and where the
/// next page begins.
pub async fn edges_of(
    db: &Reader<'_>,
    member: Id,
    side: Side,
    before: i64,
) -> Result<(Vec<(i64, Id)>, Option<i64>)> {
    listing::edges_below(db, side.sql(), member, before).await
}

/// Ends some edges of a member, on both sides; answers how many.
pub async fn leave(tx: &mut Tx, member: Id) -> Result<u64> {
    let mut ended = 0;
    for side in [Side::Following, Side::Followers] {
        let bound = params![member.0, i64::MAX, ROWS];
        for other in tx.all(side.sql(), bound, |row| Ok(Id(row.int(0)?))).await? {
            let (follower, followee) = match side {
                Side::Following => (member, other),
                Side::Followers => (other, member),
            };
            let edge = params![follower.0, followee.0];
            if tx.exec(&DELETE, edge).await? > 0 {
                let mirror = params![followee.0, follower.0];
                tx.exec(&DELETE_MIRROR, mirror).await?;
                users::count_follow(tx, follower, followee, -1).await?;
            }
            ended += 1;
        }
    }
    Ok(ended)
}
