//! Updates a mail job and counts a sent mail against the quotas.

use crate::features::auth;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::jobs::{DueJob, JobUpdate, MailJob};
use kith_db::Tx;

/// Transaction that claims, delays or deletes a job. Returns whether a claim succeeded.
pub(super) struct UpdateJob {
    pub(super) job: DueJob,
    pub(super) now: Millis,
    pub(super) update: JobUpdate,
}

impl kith_db::Write for UpdateJob {
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<bool> {
        match self.update {
            JobUpdate::Claim => return self.job.claim(tx, self.now).await,
            JobUpdate::Delay(until) => self.job.delay(tx, until).await?,
            JobUpdate::Done { sent } => {
                if sent {
                    self.count_mail(tx).await?;
                }
                self.job.delete(tx).await?;
            }
        }
        Ok(true)
    }
}

impl UpdateJob {
    /// Counts a sent mail against the quotas of its email and invite code.
    async fn count_mail(&self, tx: &mut Tx) -> kith_db::Result<()> {
        match self.job.mail {
            MailJob::Login(link) => auth::record_login_mail(tx, link, self.now).await,
            MailJob::EmailChange { member, change, is_new: true } => {
                auth::record_email_change_mail(tx, Id(self.job.id), member, change, self.now).await
            }
            _ => Ok(()),
        }
    }
}
