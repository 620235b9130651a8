//! A way in without mail, and the way out of every browser, from whoever runs the server.

use crate::features::auth::email_change::end_pending;
use crate::features::auth::login_links::{
    LIFETIME, NewLink, address, end_older, end_printed, insert_link,
};
use crate::features::sessions::{self, Cause};
use crate::features::{members, moderation};
use crate::http::error::ApiError;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::Tx;

/// A one-time login address, valid for 15 minutes, for members whose mail does not arrive. The audit log records it.
pub async fn sign_in_address(platform: &Platform, username: &str) -> Result<String, ApiError> {
    let name = username.trim_start_matches('@');
    let found = members::find_by_username(&platform.db.reader(), name).await?;
    let member = found.ok_or_else(members::user_not_found)?;
    let link = NewLink {
        id: platform.id(),
        email: None,
        member: Some(member),
        invite: None,
        nonce_hash: None,
        expires_at: platform.now() + LIFETIME,
    };
    let id = link.id;
    let print = Print {
        link,
        member,
        now: platform.now(),
    };
    platform.db.write(print).await?;
    Ok(address(platform, id, None))
}

struct Print {
    link: NewLink,
    member: Id,
    now: Millis,
}

impl kith_db::Write for Print {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        insert_link(tx, &self.link).await?;
        moderation::record_operator_login(tx, self.member, self.now).await
    }
}

/// Ends a member's sessions, pending links and email change: a thief may have requested them. Returns the member.
#[derive(Debug)]
pub struct SignOut {
    /// A present or earlier username, in any case.
    pub username: String,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for SignOut {
    type Out = Option<Id>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<Id>> {
        let name = self.username.to_ascii_lowercase();
        let Some(member) = members::find_by_username_in(tx, &name).await? else {
            return Ok(None);
        };
        members::lock(tx, member).await?;
        end_printed(tx, member, Id(i64::MAX), self.now).await?;
        if let Some(email) = members::load_email(&tx.reader(), member).await? {
            end_older(tx, &email, Id(i64::MAX), self.now).await?;
        }
        end_pending(tx, member, self.now).await?;
        sessions::end_all(tx, member, Cause::Elsewhere, self.now).await?;
        Ok(Some(member))
    }
}
