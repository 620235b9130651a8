//! Table `emails`, which maps emails to members. It is authoritative; `members.email` is a copy.

use crate::features::{members, waitlist};
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, Tx, params, sql};

const BY_EMAIL: Sql = sql!("select member_id from emails where email = $1");
const INSERT_UNIQUE: Sql = sql!(
    "insert into emails (email, member_id) values ($1, $2) on conflict (email) do nothing returning email"
);
const RELEASE: Sql = sql!("delete from emails where email = $1 and member_id = $2");

/// Finds the member with an email.
pub async fn find_by_email(db: &Reader<'_>, email: &str) -> kith_db::Result<Option<Id>> {
    db.opt(&BY_EMAIL, params![email], |row| Ok(Id(row.int(0)?))).await
}

/// Inserts a member's email; false if the email is taken.
pub(super) async fn insert_unique(tx: &mut Tx, email: &str, member: Id) -> kith_db::Result<bool> {
    let parameters = params![email, member.0];
    let inserted = tx.opt(&INSERT_UNIQUE, parameters, |_| Ok(())).await?;
    Ok(inserted.is_some())
}

/// Deletes a member's email, so that another member can use it.
pub(super) async fn release(tx: &mut Tx, email: &str, member: Id) -> kith_db::Result<()> {
    tx.exec(&RELEASE, params![email, member.0]).await.map(drop)
}

/// Replaces a member's email; false if another member has it. The caller holds the lock on the member's row.
pub(super) async fn replace(tx: &mut Tx, member: Id, email: &str) -> kith_db::Result<bool> {
    if !insert_unique(tx, email, member).await? {
        return Ok(false);
    }
    if let Some(old) = members::load_email(&tx.reader(), member).await? {
        release(tx, &old, member).await?;
        // No member uses the old email now, so its remaining data is erased as in an account deletion.
        waitlist::erase_email(tx, &old).await?;
    }
    // Members do not wait for an invite.
    waitlist::remove_entry(tx, email).await?;
    members::set_email(tx, member, Some(email)).await?;
    Ok(true)
}
