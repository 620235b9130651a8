//! Whose an address is. The row of an address decides; the member's own row repeats it.

use crate::features::{members, waitlist};
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, Tx, params, sql};

const BY_EMAIL: Sql = sql!("select member_id from emails where email = $1");
const CLAIM: Sql = sql!(
    "insert into emails (email, member_id) values ($1, $2) on conflict (email) do nothing returning email"
);
const RELEASE: Sql = sql!("delete from emails where email = $1 and member_id = $2");

/// The member behind an address.
pub async fn find_by_email(db: &Reader<'_>, email: &str) -> kith_db::Result<Option<Id>> {
    db.opt(&BY_EMAIL, params![email], |row| Ok(Id(row.int(0)?)))
        .await
}

/// Takes an address for a member; false when somebody has it.
pub(super) async fn claim(tx: &mut Tx, email: &str, member: Id) -> kith_db::Result<bool> {
    let claimed = tx.opt(&CLAIM, params![email, member.0], |_| Ok(())).await?;
    Ok(claimed.is_some())
}

pub(super) async fn release(tx: &mut Tx, email: &str, member: Id) -> kith_db::Result<()> {
    tx.exec(&RELEASE, params![email, member.0]).await.map(drop)
}

/// Replaces a member's email address; false if another member has it. The caller holds the member's row.
pub(super) async fn swap(tx: &mut Tx, member: Id, email: &str) -> kith_db::Result<bool> {
    if !claim(tx, email, member).await? {
        return Ok(false);
    }
    if let Some(old) = members::load_email(&tx.reader(), member).await? {
        release(tx, &old, member).await?;
        // It is nobody's here any more, so what is known of it goes too, as at the end of an account.
        waitlist::erase_email(tx, &old).await?;
    }
    // Whoever is in waits no longer.
    waitlist::remove(tx, email).await?;
    members::set_email(tx, member, Some(email)).await?;
    Ok(true)
}
