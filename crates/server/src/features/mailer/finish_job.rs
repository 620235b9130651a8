//! Records what happened to a job, and counts a mail that was sent.

use crate::features::auth;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::jobs::{Due, Errand, What};
use kith_db::Tx;

/// Claims, delays or deletes a job. Returns whether a claim succeeded.
pub(super) struct FinishJob {
    pub(super) job: Due,
    pub(super) now: Millis,
    pub(super) what: What,
}

impl kith_db::Write for FinishJob {
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<bool> {
        match self.what {
            What::Claim => return self.job.claim(tx, self.now).await,
            What::Delay(until) => self.job.delay(tx, until).await?,
            What::Done { sent } => {
                if sent {
                    self.count(tx).await?;
                }
                self.job.delete(tx).await?;
            }
        }
        Ok(true)
    }
}

impl FinishJob {
    /// Counts a mail against the quota of its email.
    async fn count(&self, tx: &mut Tx) -> kith_db::Result<()> {
        match self.job.errand {
            Errand::Login(link) => auth::mailed(tx, link, self.now).await,
            Errand::Address {
                member,
                change,
                is_new: true,
            } => auth::address_mailed(tx, Id(self.job.id), member, change, self.now).await,
            _ => Ok(()),
        }
    }
}
