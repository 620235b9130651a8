//! Logins and session revocation by the operator.

use crate::features::auth::email_change::cancel_pending;
use crate::features::auth::login_links::{
    LOGIN_LINK_LIFETIME, NewLoginLink, expire_older, expire_operator_links, insert_login_link,
    login_url,
};
use crate::features::sessions::{self, Cause};
use crate::features::{members, moderation};
use crate::http::error::ApiError;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::Tx;

/// Creates a login URL that works once, for 15 minutes, for a member who cannot receive mail, and records it in the
/// audit log. Fails with 404 for an unknown username.
pub async fn create_operator_login_url(
    platform: &Platform,
    username: &str,
) -> Result<String, ApiError> {
    let name = username.trim_start_matches('@');
    let found = members::find_by_username(&platform.db.reader(), name).await?;
    let member = found.ok_or_else(members::user_not_found)?;
    let id = platform.id();
    platform.db.write(CreateOperatorLink { id, member, now: platform.now() }).await?;
    Ok(login_url(platform, id, None))
}

struct CreateOperatorLink {
    id: Id,
    member: Id,
    now: Millis,
}

impl kith_db::Write for CreateOperatorLink {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let link = NewLoginLink {
            id: self.id,
            email: None,
            member: Some(self.member),
            invite: None,
            nonce_hash: None,
            expires_at: self.now + LOGIN_LINK_LIFETIME,
            language: None,
        };
        insert_login_link(tx, &link).await?;
        moderation::record_operator_login(tx, self.member, self.now).await
    }
}

/// Revokes a member's sessions, login links and pending email change, which an attacker may have requested. Returns
/// the member, or `None` for an unknown username.
#[derive(Debug)]
pub struct RevokeMemberSessions {
    /// Current or former username, in any case.
    pub username: String,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for RevokeMemberSessions {
    type Out = Option<Id>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<Id>> {
        let found = members::find_by_username(&tx.reader(), &self.username).await?;
        let Some(member) = found else {
            return Ok(None);
        };
        members::lock_member(tx, member).await?;
        expire_operator_links(tx, member, Id(i64::MAX), self.now).await?;
        if let Some(email) = members::load_email(&tx.reader(), member).await? {
            expire_older(tx, &email, Id(i64::MAX), self.now).await?;
        }
        cancel_pending(tx, member, self.now).await?;
        sessions::end_all(tx, member, Cause::Elsewhere, self.now).await?;
        Ok(Some(member))
    }
}
