//! Many members at once, as one reader sees them.

use crate::features::members::MemberCache;
use crate::features::members::cache::remembered_refs;
use crate::features::members::dto::User;
use crate::features::relationships::follows;
use crate::features::relationships::{KeptAway, Unseen};
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Row, SqlIn, sql_in};
use std::collections::HashMap;

static FIND: SqlIn = sql_in!(
    "select id, username, display_name, bio, website, profile_image_url, header_image_url,
       follower_count, following_count, post_count, invited_by
     from members where id in ($ids) and suspended_at is null"
);

/// Members in the order of `ids`. Who is not here is left out.
pub async fn list(
    cache: &MemberCache,
    db: &Reader<'_>,
    reader: Id,
    unseen: &Unseen,
    ids: &[i64],
) -> Result<Vec<User>> {
    let (rows, followed, fans) = futures_util::try_join!(
        db.all_in(&FIND, &[], ids, read),
        follows::among(db, reader, ids),
        follows::followers_among(db, reader, ids),
    )?;
    let inviters = rows.iter().filter_map(|(_, inviter)| *inviter);
    let inviters = inviters.filter(|inviter| !unseen.is_apart(*inviter));
    let inviters = remembered_refs(cache, db, &inviters.collect::<Vec<_>>()).await?;
    let mut found = HashMap::new();
    for (mut user, inviter) in rows {
        let id = user.id.0;
        user.is_following = followed.contains(&id);
        user.follows_you = fans.contains(&id);
        user.kept_away = unseen.ties(id).into();
        user.invited_by = inviter.and_then(|inviter| inviters.get(&inviter).cloned());
        found.insert(id, user);
    }
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

/// A member's row and who invited them; what depends on the reader is not in it.
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
        kept_away: KeptAway::default(),
        invited_by: None,
        suspended_at: None,
    };
    Ok((user, row.opt_int(10)?))
}
