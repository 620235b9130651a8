//! Updates a mail job and records its outcome.

use crate::features::{auth, digest};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::jobs::{DueJob, JobUpdate, MailJob, MailOutcome};
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
            JobUpdate::Done(outcome) => {
                match outcome {
                    MailOutcome::Sent => self.record_sent(tx).await?,
                    MailOutcome::Rejected => self.record_rejected(tx).await?,
                    MailOutcome::Obsolete => {}
                }
                self.job.delete(tx).await?;
            }
        }
        Ok(true)
    }
}

impl UpdateJob {
    /// Counts a sent mail against the quotas of its email and invite code, or as the member's last digest.
    async fn record_sent(&self, tx: &mut Tx) -> kith_db::Result<()> {
        match self.job.mail {
            MailJob::Login(link) => auth::record_login_mail(tx, link, self.now).await,
            MailJob::EmailChange { member, change, is_new: true } => {
                auth::record_email_change_mail(tx, Id(self.job.id), member, change, self.now).await
            }
            MailJob::Digest(member) => {
                digest::record_sent(tx, member, Id(self.job.id).time()).await
            }
            _ => Ok(()),
        }
    }

    /// Counts a rejected digest, because the third in a row turns digests off.
    async fn record_rejected(&self, tx: &mut Tx) -> kith_db::Result<()> {
        match self.job.mail {
            MailJob::Digest(member) => digest::record_bounce(tx, member).await,
            _ => Ok(()),
        }
    }
}
