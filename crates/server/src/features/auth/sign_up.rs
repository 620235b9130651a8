//! Making a member whose address is taken already: the invite, the name and the first two follows in one transaction.

use crate::features::relationships::follows;
use crate::features::{invites, members, waitlist};
use crate::http::error::Result;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use kith_db::Tx;

#[derive(Debug)]
pub(super) struct NewMember<'a> {
    pub(super) id: Id,
    /// The proven address, which is this member's.
    pub(super) email: &'a str,
    pub(super) code: &'a str,
    /// The provisional username.
    pub(super) name: &'a str,
    /// Ids of the two follows between inviter and invited.
    pub(super) follows: [Id; 2],
    pub(super) now: Millis,
}

/// A name that says nothing about its holder, until they choose one.
#[must_use]
pub fn provisional_name() -> String {
    format!("member_{}", crypto::random_code(8).to_lowercase())
}

/// Creates the member, or refuses and leaves everything as it was.
pub(super) async fn create(tx: &mut Tx, new: &NewMember<'_>) -> Result<()> {
    let inviter = invites::claim(tx, new.code, new.id, new.now).await?;
    let member = members::NewMember {
        id: new.id,
        username: new.name,
        display_name: "New member",
        email: Some(new.email),
        role: members::Role::Member,
        invited_by: inviter,
    };
    members::create(tx, &member).await?;
    if let Some(inviter) = inviter {
        let [mine, theirs] = new.follows;
        follows::insert_follow(tx, new.id, inviter, mine).await?;
        follows::insert_follow(tx, inviter, new.id, theirs).await?;
    }
    // Whoever is in waits no longer, by whatever invite they came.
    waitlist::remove(tx, new.email).await?;
    Ok(())
}
