//! Counts follows for the check of the stored counters.

use kith_db::{Reader, Result, SqlIn, sql_in};
use std::collections::HashMap;

static FOLLOWING: SqlIn = sql_in!(
    "select follower_id, count(*) from follows where follower_id in ($ids) group by follower_id"
);
static FOLLOWERS: SqlIn = sql_in!(
    "select followee_id, count(*) from followers where followee_id in ($ids) group by followee_id"
);

/// Counts followed members and followers of each member; members with none are absent from the maps.
pub async fn count_edges(
    db: &Reader<'_>,
    members: &[i64],
) -> Result<(HashMap<i64, i64>, HashMap<i64, i64>)> {
    let following = db.all_in(&FOLLOWING, &[], members, |row| Ok((row.int(0)?, row.int(1)?)));
    let following = following.await?.into_iter().collect();
    let followers = db.all_in(&FOLLOWERS, &[], members, |row| Ok((row.int(0)?, row.int(1)?)));
    Ok((following, followers.await?.into_iter().collect()))
}
