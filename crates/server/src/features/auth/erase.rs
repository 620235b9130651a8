//! Erases login links, emails and email changes when an account is deleted.

use crate::features::auth::{email_change, emails};
use crate::features::{members, waitlist};
use crate::platform::ids::Id;
use kith_db::{Sql, Tx, params, sql};

/// Rows deleted per transaction.
const BATCH: u32 = 200;

const DELETE_BY_EMAIL: Sql = sql!(
    "delete from login_links where id in (select id from login_links where email = $1 order by id limit $2)"
);
// Without a limit: operator links are few and purged after a day.
const DELETE_BY_MEMBER: Sql = sql!("delete from login_links where member_id = $1");

/// Releases the member's email and deletes email changes, so that no mail can log the member in.
pub(crate) async fn erase_credentials(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    if let Some(email) = members::load_email(&tx.reader(), member).await? {
        emails::release(tx, &email, member).await?;
    }
    email_change::delete_by_member(tx, member).await
}

/// Deletes a batch of the member's mailed and printed links. Returns the number of deleted rows.
pub(crate) async fn erase_login_links(tx: &mut Tx, member: Id) -> kith_db::Result<u64> {
    let mut count = tx.exec(&DELETE_BY_MEMBER, params![member.0]).await?;
    if let Some(email) = members::load_email(&tx.reader(), member).await? {
        count += tx.exec(&DELETE_BY_EMAIL, params![&email, BATCH]).await?;
    }
    Ok(count)
}

/// Erases the member's email, also from the waitlist.
pub(crate) async fn erase_email(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    if let Some(email) = members::load_email(&tx.reader(), member).await? {
        waitlist::erase_email(tx, &email).await?;
    }
    members::set_email(tx, member, None).await
}
