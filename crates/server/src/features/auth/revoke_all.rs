//! Revokes all credentials of all members.

use crate::features::auth::{email_change, login_links};
use crate::features::sessions;
use kith_db::Tx;

/// Revokes all sessions, login links and pending email changes. Returns the number of sessions.
///
/// A restored backup revives sessions that were ended after it was made, such as a stolen one.
#[derive(Debug)]
pub struct RevokeAllCredentials;

impl kith_db::Write for RevokeAllCredentials {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        login_links::delete_all(tx).await?;
        email_change::delete_all_pending(tx).await?;
        sessions::end_all_members(tx).await
    }
}
