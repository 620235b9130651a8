//! Erases the row of a deleted member.

use crate::features::media;
use crate::features::members::search_index;
use crate::http::error::Result;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::{Row, Sql, Tx, params, sql};

/// How long a deleted member's username stays reserved, so that no other member can impersonate them.
const USERNAME_RETENTION: Millis = 30 * DAY;

const HIDE: Sql = sql!(
    "update members set suspended_at = coalesce(suspended_at, $2), suspended_until = null where id = $1"
);
const RELEASE_NAMES: Sql =
    sql!("update usernames set member_id = 0, released_at = $2 where member_id = $1");
const PICTURES: Sql = sql!("select profile_image_url, header_image_url from members where id = $1");
// The anonymized row remains as the author of the member's tombstones in threads.
const ANONYMIZE: Sql = sql!(
    "update members set username = 'deleted', display_name = 'Deleted member', bio = '', website = '',
       profile_image_url = null, header_image_url = null, email = null, language = null,
       accepted_rules_version = 0, role = 0, invited_by = null,
       username_chosen_at = null, invites_made = 0, suspended_at = coalesce(suspended_at, $2),
       suspended_until = null, invites_frozen_until = null
     where id = $1"
);
const CLEAR_INVITER: Sql =
    sql!("update members set invited_by = null where id = $1 and invited_by = $2");
const PURGE_NAMES: Sql = sql!(
    "delete from usernames where name in (select name from usernames
       where member_id = 0 and released_at <= $1 order by released_at limit $2)
     and member_id = 0 and released_at <= $1"
);

/// Suspends a member and releases their usernames.
pub async fn hide_member(tx: &mut Tx, member: Id, now: Millis) -> kith_db::Result<()> {
    tx.exec(&HIDE, params![member.0, now]).await?;
    tx.exec(&RELEASE_NAMES, params![member.0, now]).await.map(drop)
}

/// Anonymizes the row of a deleted member and releases their pictures.
pub async fn anonymize_member(tx: &mut Tx, member: Id, now: Millis) -> Result<()> {
    search_index::remove_member(tx, member).await?;
    let read = |row: &Row<'_>| Ok([row.opt_text(0)?, row.opt_text(1)?]);
    let pictures = tx.opt(&PICTURES, params![member.0], read).await?;
    for url in pictures.into_iter().flatten().flatten() {
        media::drop_reference(tx, &url, now + media::AFTER_USE).await?;
    }
    tx.exec(&ANONYMIZE, params![member.0, now]).await?;
    Ok(())
}

/// Clears a member's inviter if it is `inviter`.
pub async fn clear_inviter(tx: &mut Tx, invited: Id, inviter: Id) -> kith_db::Result<()> {
    tx.exec(&CLEAR_INVITER, params![invited.0, inviter.0]).await.map(drop)
}

/// Frees at most `limit` usernames whose members were deleted 30 days ago. Returns the number freed.
pub async fn purge_names(tx: &mut Tx, now: Millis, limit: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE_NAMES, params![now - USERNAME_RETENTION, limit]).await
}
