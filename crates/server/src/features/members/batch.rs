//! Loads the profiles of several members for one viewer.

use crate::features::members::MemberCache;
use crate::features::members::cache::load_refs_cached;
use crate::features::members::dto::User;
use crate::features::relationships::follows;
use crate::features::relationships::{BlocksAndMutes, HiddenMembers};
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Row, SqlIn, sql_in};
use std::collections::HashMap;

static FIND: SqlIn = sql_in!(
    "select id, username, display_name, bio, website, profile_image_url, header_image_url,
       follower_count, following_count, post_count, invited_by
     from members where id in ($ids) and suspended_at is null"
);

/// Loads active members in the order of `ids`; ids of suspended or deleted members are skipped.
pub async fn load_users(
    cache: &MemberCache,
    db: &Reader<'_>,
    viewer: Id,
    hidden: &HiddenMembers,
    ids: &[i64],
) -> Result<Vec<User>> {
    let (rows, followed, followers) = futures_util::try_join!(
        db.all_in(&FIND, &[], ids, read),
        follows::filter_followed(db, viewer, ids),
        follows::filter_followers(db, viewer, ids),
    )?;
    let inviters = rows.iter().filter_map(|(_, inviter)| *inviter);
    let inviters = inviters.filter(|inviter| !hidden.is_hidden_everywhere(*inviter));
    let inviters = load_refs_cached(cache, db, &inviters.collect::<Vec<_>>()).await?;
    let mut users = HashMap::new();
    for (mut user, inviter) in rows {
        let id = user.id.0;
        user.is_following = followed.contains(&id);
        user.follows_you = followers.contains(&id);
        user.kept_away = hidden.relationship(id).into();
        user.invited_by = inviter.and_then(|inviter| inviters.get(&inviter).cloned());
        users.insert(id, user);
    }
    Ok(ids.iter().filter_map(|id| users.remove(id)).collect())
}

/// Reads a member's row and their inviter. Viewer-dependent fields keep their defaults.
pub(super) fn read(row: &Row<'_>) -> Result<(User, Option<i64>)> {
    let id = Id(row.int(0)?);
    let user = User {
        id,
        username: row.text(1)?,
        display_name: row.text(2)?,
        bio: row.text(3)?,
        website: row.text(4)?,
        profile_image_url: row.opt_text(5)?,
        header_image_url: row.opt_text(6)?,
        created_at: rfc3339(id.time()),
        follower_count: row.int(7)?,
        following_count: row.int(8)?,
        post_count: row.int(9)?,
        is_following: false,
        follows_you: false,
        kept_away: BlocksAndMutes::default(),
        invited_by: None,
        suspended_at: None,
    };
    Ok((user, row.opt_int(10)?))
}
