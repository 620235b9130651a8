//! Another address from the operator's side, when a mailbox is out of reach.

use super::store;
use crate::features::auth::{Email, emails, login_links};
use crate::features::members;
use crate::features::sessions::{self, Cause};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::Tx;

/// Gives a member another address without asking anybody; all their sessions end.
#[derive(Debug)]
pub struct SetEmail {
    /// A present or earlier username, in any case.
    pub username: String,
    /// The new address.
    pub email: Email,
    /// The time now.
    pub now: Millis,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewAddress {
    /// The member has it.
    Set(Id),
    /// Another member has it.
    Taken,
    /// There is no such member.
    Nobody,
}

impl kith_db::Write for SetEmail {
    type Out = NewAddress;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<NewAddress> {
        let name = self.username.to_ascii_lowercase();
        let Some(member) = members::find_by_username_in(tx, &name).await? else {
            return Ok(NewAddress::Nobody);
        };
        members::lock(tx, member).await?;
        let old = members::load_email(&tx.reader(), member).await?;
        // With the address that they have already, all that else happens does too.
        let has_it = old.as_deref() == Some(self.email.as_str());
        if !has_it && !emails::swap(tx, member, self.email.as_str()).await? {
            return Ok(NewAddress::Taken);
        }
        if let Some(old) = old {
            login_links::end_older(tx, &old, Id(i64::MAX), self.now).await?;
        }
        login_links::end_printed(tx, member, Id(i64::MAX), self.now).await?;
        // Nobody's earlier wish or mailed link may change it again.
        store::end_from(tx, member, Id::NONE, self.now).await?;
        sessions::end_all(tx, member, Cause::Elsewhere, self.now).await?;
        Ok(NewAddress::Set(member))
    }
}
