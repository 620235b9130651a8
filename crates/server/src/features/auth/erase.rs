//! Deleting the ways in of a member who leaves.

use crate::features::auth::{email_change, emails};
use crate::features::{members, waitlist};
use crate::platform::ids::Id;
use kith_db::{Sql, Tx, params, sql};

/// Rows that one transaction deletes.
const ROWS: u32 = 200;

const BY_EMAIL: Sql = sql!(
    "delete from login_links where id in (select id from login_links where email = $1 order by id limit $2)"
);
// Those that an operator printed: few, and gone a day after.
const BY_MEMBER: Sql = sql!("delete from login_links where member_id = $1");

/// Nobody can log in as the member any more, nor change the address.
pub(crate) async fn leave(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    if let Some(email) = members::load_email(&tx.reader(), member).await? {
        emails::release(tx, &email, member).await?;
    }
    email_change::forget(tx, member).await
}

/// Deletes some of the links that were mailed to the member or printed for them; answers how many.
pub(crate) async fn leave_links(tx: &mut Tx, member: Id) -> kith_db::Result<u64> {
    let mut count = tx.exec(&BY_MEMBER, params![member.0]).await?;
    if let Some(email) = members::load_email(&tx.reader(), member).await? {
        count += tx.exec(&BY_EMAIL, params![&email, ROWS]).await?;
    }
    Ok(count)
}

/// Forgets the address itself, also on the waitlist.
pub(crate) async fn forget_address(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    if let Some(email) = members::load_email(&tx.reader(), member).await? {
        waitlist::erase_email(tx, &email).await?;
    }
    members::set_email(tx, member, None).await
}
