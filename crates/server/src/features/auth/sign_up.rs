//! Creation of a member at the first login: invite, provisional username and first two follows in one transaction.

use crate::features::relationships::follows;
use crate::features::{digest, invites, members, waitlist};
use crate::http::error::Result;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use kith_db::Tx;

/// Values of a member to create at the first login.
#[derive(Debug)]
pub(super) struct SignUp<'a> {
    /// Id of the new member.
    pub(super) id: Id,
    /// Verified email, already inserted for this member.
    pub(super) email: &'a str,
    /// Invite code.
    pub(super) code: &'a str,
    /// Provisional username.
    pub(super) name: &'a str,
    /// Ids of the follows of and by the inviter.
    pub(super) follows: [Id; 2],
    pub(super) now: Millis,
}

/// Generates a random username that reveals nothing about the member, who can change it later.
#[must_use]
pub fn provisional_name() -> String {
    format!("member_{}", crypto::random_code(8).to_lowercase())
}

/// Claims the invite and creates the member; on an error the caller's transaction is rolled back.
pub(super) async fn create_member(tx: &mut Tx, new: &SignUp<'_>) -> Result<()> {
    let inviter = invites::claim_invite(tx, new.code, new.id, new.now).await?;
    let member = members::NewMember {
        id: new.id,
        username: new.name,
        display_name: "New member",
        email: Some(new.email),
        role: members::Role::Member,
        invited_by: inviter,
    };
    members::create_member(tx, &member).await?;
    if let Some(inviter) = inviter {
        let [follow, follow_back] = new.follows;
        follows::insert_follow(tx, new.id, inviter, follow).await?;
        follows::insert_follow(tx, inviter, new.id, follow_back).await?;
    }
    digest::enable(tx, new.id, new.now).await?;
    // A member does not wait for an invite, whichever code was used.
    waitlist::remove_entry(tx, new.email).await?;
    Ok(())
}
