//! Everybody logs in anew.

use crate::features::auth::{email_change, login_links};
use crate::features::sessions;
use kith_db::Tx;

/// Ends every session, every link on its way and every change of an address that waits, and answers how many
/// sessions those were.
///
/// A backup brings back what somebody ended after it was made: a thief's session among them.
#[derive(Debug)]
pub struct EndEverything;

impl kith_db::Write for EndEverything {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        login_links::forget_all(tx).await?;
        email_change::forget_waiting(tx).await?;
        sessions::end_all_members(tx).await
    }
}
