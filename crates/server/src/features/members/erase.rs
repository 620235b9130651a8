//! A member's address, and what becomes of the row of one who leaves.

use crate::features::media;
use crate::features::members::{hold, search_index};
use crate::http::error::Result;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// How long nobody else can take the name of a member who left, so that nobody poses as them.
const NAME_KEPT: Millis = 30 * DAY;

const EMAIL: Sql = sql!("select email from members where id = $1");
const SET_EMAIL: Sql = sql!("update members set email = $2 where id = $1");
const NAME_AND_ROLE: Sql = sql!("select username, role from members where id = $1");
const OTHER_ADMINS: Sql = sql!(
    "select id from members where role = 2 and id <> $1 and suspended_at is null order by id limit 100"
);
const HIDE: Sql =
    sql!("update members set suspended_at = coalesce(suspended_at, $2) where id = $1");
const LEAVE_NAMES: Sql =
    sql!("update usernames set member_id = 0, released_at = $2 where member_id = $1");
const PICTURES: Sql = sql!("select profile_image_url, header_image_url from members where id = $1");
// What is left says whose the tombstones in threads are: nobody's.
const EMPTY: Sql = sql!(
    "update members set username = 'deleted', display_name = 'Deleted member', bio = '', website = '',
       profile_image_url = null, header_image_url = null, email = null, role = 0, invited_by = null,
       username_chosen_at = null, invites_made = 0, suspended_at = coalesce(suspended_at, $2)
     where id = $1"
);
const FORGET_INVITER: Sql =
    sql!("update members set invited_by = null where id = $1 and invited_by = $2");
const PURGE_NAMES: Sql = sql!(
    "delete from usernames where name in (select name from usernames
       where member_id = 0 and released_at <= $1 order by released_at limit $2)
     and member_id = 0 and released_at <= $1"
);

/// A member's email address.
pub async fn email(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<String>> {
    let found = db
        .opt(&EMAIL, params![member.0], |row| row.opt_text(0))
        .await?;
    Ok(found.flatten())
}

/// Gives a member another address; the caller holds the row and has claimed the address.
pub async fn set_email(tx: &mut Tx, member: Id, email: Option<&str>) -> kith_db::Result<()> {
    tx.exec(&SET_EMAIL, params![member.0, email])
        .await
        .map(drop)
}

/// A member's present username, and whether they are an admin.
pub async fn name_and_role(tx: &mut Tx, member: Id) -> kith_db::Result<Option<(String, bool)>> {
    tx.opt(&NAME_AND_ROLE, params![member.0], |row| {
        Ok((row.text(0)?, row.int(1)? == 2))
    })
    .await
}

/// Locks a member's row and every other admin's in id order, so that two admins who leave come one after the other.
pub async fn hold_admins(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    let mut admins = other_admins(tx, member).await?;
    admins.push(member);
    admins.sort_unstable();
    for admin in admins {
        hold(tx, admin).await?;
    }
    Ok(())
}

/// The other admins who are here.
pub async fn other_admins(tx: &mut Tx, member: Id) -> kith_db::Result<Vec<Id>> {
    tx.all(&OTHER_ADMINS, params![member.0], |row| Ok(Id(row.int(0)?)))
        .await
}

/// Takes a member out of everybody's sight, and their names from them.
pub async fn hide(tx: &mut Tx, member: Id, now: Millis) -> kith_db::Result<()> {
    tx.exec(&HIDE, params![member.0, now]).await?;
    tx.exec(&LEAVE_NAMES, params![member.0, now])
        .await
        .map(drop)
}

/// Empties the row of a member who left.
pub async fn empty(tx: &mut Tx, member: Id, now: Millis) -> Result<()> {
    search_index::forget(tx, member).await?;
    let read = |row: &Row<'_>| Ok([row.opt_text(0)?, row.opt_text(1)?]);
    let shown = tx.opt(&PICTURES, params![member.0], read).await?;
    for url in shown.into_iter().flatten().flatten() {
        media::release(tx, &url, now + media::AFTER_USE).await?;
    }
    tx.exec(&EMPTY, params![member.0, now]).await?;
    Ok(())
}

/// Forgets that one member invited another.
pub async fn forget_inviter(tx: &mut Tx, invited: Id, inviter: Id) -> kith_db::Result<()> {
    tx.exec(&FORGET_INVITER, params![invited.0, inviter.0])
        .await
        .map(drop)
}

/// Frees some of the names whose members left 30 days ago, and answers how many.
pub async fn purge_names(tx: &mut Tx, now: Millis, most: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE_NAMES, params![now - NAME_KEPT, most]).await
}
