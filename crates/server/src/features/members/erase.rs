//! Reads and changes members' email addresses, and erases the row of a deleted member.

use crate::features::media;
use crate::features::members::{lock, search_index};
use crate::http::error::Result;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// How long a deleted member's username stays reserved, so that no other member can impersonate them.
const USERNAME_RESERVED: Millis = 30 * DAY;

const EMAIL: Sql = sql!("select email from members where id = $1");
const SET_EMAIL: Sql = sql!("update members set email = $2 where id = $1");
const NAME_AND_ROLE: Sql = sql!("select username, role from members where id = $1");
const OTHER_ADMINS: Sql = sql!(
    "select id from members where role = 2 and id <> $1 and suspended_at is null order by id limit 100"
);
const HIDE: Sql =
    sql!("update members set suspended_at = coalesce(suspended_at, $2) where id = $1");
const RELEASE_NAMES: Sql =
    sql!("update usernames set member_id = 0, released_at = $2 where member_id = $1");
const PICTURES: Sql = sql!("select profile_image_url, header_image_url from members where id = $1");
// The anonymized row remains as the author of the member's tombstones in threads.
const ANONYMIZE: Sql = sql!(
    "update members set username = 'deleted', display_name = 'Deleted member', bio = '', website = '',
       profile_image_url = null, header_image_url = null, email = null, role = 0, invited_by = null,
       username_chosen_at = null, invites_made = 0, suspended_at = coalesce(suspended_at, $2)
     where id = $1"
);
const CLEAR_INVITER: Sql =
    sql!("update members set invited_by = null where id = $1 and invited_by = $2");
const PURGE_NAMES: Sql = sql!(
    "delete from usernames where name in (select name from usernames
       where member_id = 0 and released_at <= $1 order by released_at limit $2)
     and member_id = 0 and released_at <= $1"
);

/// Loads a member's email.
pub async fn load_email(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<String>> {
    let found = db.opt(&EMAIL, params![member.0], |row| row.opt_text(0)).await?;
    Ok(found.flatten())
}

/// Sets a member's email. The transaction must have locked the row and claimed the email.
pub async fn set_email(tx: &mut Tx, member: Id, email: Option<&str>) -> kith_db::Result<()> {
    tx.exec(&SET_EMAIL, params![member.0, email]).await.map(drop)
}

/// Loads a member's current username and whether the member is an admin.
pub async fn load_name_and_role(
    tx: &mut Tx,
    member: Id,
) -> kith_db::Result<Option<(String, bool)>> {
    tx.opt(&NAME_AND_ROLE, params![member.0], |row| Ok((row.text(0)?, row.int(1)? == 2))).await
}

/// Locks a member and all other admins in id order, so that concurrent deletions of admins are serialized.
pub async fn lock_admins(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    let mut admins = load_other_admins(tx, member).await?;
    admins.push(member);
    admins.sort_unstable();
    for admin in admins {
        lock(tx, admin).await?;
    }
    Ok(())
}

/// Lists the other active admins, at most 100.
pub async fn load_other_admins(tx: &mut Tx, member: Id) -> kith_db::Result<Vec<Id>> {
    tx.all(&OTHER_ADMINS, params![member.0], |row| Ok(Id(row.int(0)?))).await
}

/// Suspends a member and releases their usernames.
pub async fn hide(tx: &mut Tx, member: Id, now: Millis) -> kith_db::Result<()> {
    tx.exec(&HIDE, params![member.0, now]).await?;
    tx.exec(&RELEASE_NAMES, params![member.0, now]).await.map(drop)
}

/// Anonymizes the row of a deleted member and releases their pictures.
pub async fn anonymize(tx: &mut Tx, member: Id, now: Millis) -> Result<()> {
    search_index::remove_member(tx, member).await?;
    let read = |row: &Row<'_>| Ok([row.opt_text(0)?, row.opt_text(1)?]);
    let shown = tx.opt(&PICTURES, params![member.0], read).await?;
    for url in shown.into_iter().flatten().flatten() {
        media::drop_reference(tx, &url, now + media::AFTER_USE).await?;
    }
    tx.exec(&ANONYMIZE, params![member.0, now]).await?;
    Ok(())
}

/// Clears a member's inviter if it is `inviter`.
pub async fn clear_inviter(tx: &mut Tx, invited: Id, inviter: Id) -> kith_db::Result<()> {
    tx.exec(&CLEAR_INVITER, params![invited.0, inviter.0]).await.map(drop)
}

/// Frees up to `most` usernames whose members were deleted 30 days ago. Returns the number freed.
pub async fn purge_names(tx: &mut Tx, now: Millis, most: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE_NAMES, params![now - USERNAME_RESERVED, most]).await
}
