//! Email change by the operator, for members who cannot access their mailbox.

use super::store;
use crate::features::auth::{Email, emails, login_links};
use crate::features::members;
use crate::features::sessions::{self, Cause};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::Tx;

/// Sets a member's email without confirmation and revokes all sessions.
#[derive(Debug)]
pub struct SetEmail {
    /// Current or former username, in any case.
    pub username: String,
    /// The new email.
    pub email: Email,
    /// Current time.
    pub now: Millis,
}

/// Result of [`SetEmail`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetEmailOutcome {
    /// The member has the email.
    Set(Id),
    /// Another member has the email.
    Taken,
    /// No member has the username.
    UnknownMember,
}

impl kith_db::Write for SetEmail {
    type Out = SetEmailOutcome;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<SetEmailOutcome> {
        let found = members::find_by_username(&tx.reader(), &self.username).await?;
        let Some(member) = found else {
            return Ok(SetEmailOutcome::UnknownMember);
        };
        members::lock_member(tx, member).await?;
        let old = members::load_email(&tx.reader(), member).await?;
        // An unchanged email still revokes links, pending changes and sessions.
        let is_same = old.as_deref() == Some(self.email.as_str());
        if !is_same && !emails::replace(tx, member, self.email.as_str()).await? {
            return Ok(SetEmailOutcome::Taken);
        }
        if let Some(old) = old {
            login_links::expire_older(tx, &old, Id(i64::MAX), self.now).await?;
        }
        login_links::expire_operator_links(tx, member, Id(i64::MAX), self.now).await?;
        // No earlier request or mailed link may change the email again.
        store::cancel_from(tx, member, Id::NONE, self.now).await?;
        sessions::end_all(tx, member, Cause::Elsewhere, self.now).await?;
        Ok(SetEmailOutcome::Set(member))
    }
}
