//! Worker that sends the jobs of the mail queue.

mod dedup;
mod render;
mod update_job;

use crate::features::account::deletion;
use crate::features::announcements;
use crate::features::auth;
use crate::features::digest;
use crate::features::mailer::dedup::{DedupKeys, MAX_IN_FLIGHT};
use crate::features::mailer::render::{render_invite, render_login};
use crate::features::mailer::update_job::UpdateJob;
use crate::features::moderation;
use crate::features::settings::{self, SettingsState};
use crate::platform::Platform;
use crate::platform::clock::{HOUR, MINUTE, Millis, SECOND};
use crate::platform::ids::Id;
use crate::platform::jobs::{
    self, DueJob, JobUpdate, MailJob, MailOutcome, QueuePriority, UpdateDuplicates,
};
use crate::platform::mail::{RenderedMail, SendError, Transport};
use crate::platform::supervisor::ShutdownSignal;
use crate::platform::telemetry::security_log;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{self, JoinError, JoinSet};

/// Maximum invite mails in flight.
const MAX_INVITES_IN_FLIGHT: usize = 1;
/// Queries behind blocked jobs per pass, so that finished mails are handled in between. Queries that return only
/// cached jobs do not count.
const MAX_QUERIES: usize = 10;
/// Poll interval after a complete pass, unless a new job wakes the worker.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Poll interval after an incomplete pass; not zero, because unreadable jobs would cause a busy loop.
const SHORT_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum cached blocked jobs, equal to the capacity of the queue of user-initiated mail.
const MAX_CACHED: usize = 10_000;

/// Sends mail until shutdown, woken by new jobs, and by a timer for other nodes' jobs and retries. Finishes mails in
/// flight first: the SMTP server may have accepted an interrupted mail, which would be sent twice.
pub async fn run_worker(
    settings: Arc<SettingsState>,
    transport: Transport,
    mut shutdown: ShutdownSignal,
) {
    for result in [SENT, DROPPED, DELAYED] {
        metrics::counter!("kith_mails_total", "result" => result).absolute(0);
    }
    let mut worker = MailWorker {
        platform: (**settings).clone(),
        settings,
        transport,
        sending: JoinSet::new(),
        in_flight: HashMap::new(),
        blocked: HashMap::new(),
    };
    loop {
        let is_complete = worker.claim_due().await;
        let pause = match is_complete {
            Ok(false) => SHORT_INTERVAL,
            _ => POLL_INTERVAL,
        };
        log_error(is_complete.map(drop));
        tokio::select! {
            () = worker.wait_for_work(pause) => {}
            () = shutdown.requested() => break,
        }
    }
    while let Some(ended) = worker.sending.join_next_with_id().await {
        worker.complete_mail(ended).await;
    }
    shutdown.report_finished().await;
}

fn log_error(result: kith_db::Result<()>) {
    if let Err(error) = result {
        tracing::warn!(%error, "the mail queue could not be read");
    }
}

/// Mail worker with the mails in flight, which are aborted when it is dropped.
struct MailWorker {
    platform: Platform,
    settings: Arc<SettingsState>,
    transport: Transport,
    sending: JoinSet<kith_db::Result<JobUpdate>>,
    in_flight: HashMap<task::Id, MailInFlight>,
    /// Cached blocked jobs by queue partition and id, so that 1,000 requests for one email are not loaded again for every
    /// mail.
    blocked: HashMap<(i64, i64), DedupKeys>,
}

struct MailInFlight {
    priority: QueuePriority,
    keys: DedupKeys,
}

impl MailWorker {
    /// Counts the mails of a queue that can be sent now. User-initiated mails can also use the slot of an invite. A
    /// digest starts only while no other mail is sent, and leaves slots for a login mail and an invite.
    fn free_slots(&self, priority: QueuePriority) -> usize {
        let all = MAX_IN_FLIGHT.saturating_sub(self.in_flight.len());
        match priority {
            QueuePriority::UserInitiated => all,
            QueuePriority::Digest => usize::from(self.in_flight.is_empty()),
            QueuePriority::Bulk => {
                let invites = self.in_flight.values().filter(|mail| mail.priority == priority);
                all.min(MAX_INVITES_IN_FLIGHT.saturating_sub(invites.count()))
            }
        }
    }

    /// Checks whether a mail in flight uses a quota of this mail.
    fn is_blocked(&self, keys: &DedupKeys) -> bool {
        let mut sending = self.in_flight.values().flat_map(|mail| &mail.keys.quota_keys);
        sending.any(|key| keys.quota_keys.contains(key))
    }

    /// Claims due jobs in order and sends them, as far as slots are free. Returns whether all due jobs were examined.
    async fn claim_due(&mut self) -> kith_db::Result<bool> {
        let mut is_complete = true;
        for priority in QueuePriority::ALL {
            // Number of blocked jobs per queue partition, which the next query skips.
            let mut skipped = HashMap::new();
            let mut queries = 0;
            while self.free_slots(priority) > 0 {
                if queries == MAX_QUERIES {
                    is_complete = false;
                    break;
                }
                let now = self.platform.now();
                let due =
                    jobs::load_due(&self.platform.db.reader(), priority, now, &skipped).await?;
                if due.is_empty() {
                    break;
                }
                let is_cached = |job: &DueJob| self.blocked.contains_key(&(job.part, job.id));
                queries += usize::from(!due.iter().all(is_cached));
                for job in due {
                    let part = job.part;
                    if self.free_slots(priority) > 0 && !self.try_send(priority, job).await? {
                        *skipped.entry(part).or_default() += 1;
                    }
                }
            }
        }
        Ok(is_complete)
    }

    /// Claims a job and sends it, unless another node claimed it. Returns `false` for a job that stays in the queue.
    async fn try_send(&mut self, priority: QueuePriority, job: DueJob) -> kith_db::Result<bool> {
        let key = (job.part, job.id);
        if self.blocked.get(&key).is_some_and(|keys| self.is_blocked(keys)) {
            return Ok(false);
        }
        // Loads the keys again once the job is unblocked: a link that expired meanwhile has none.
        self.blocked.remove(&key);
        let keys = match DedupKeys::load(&self.platform, &job).await {
            Ok(keys) => keys,
            // Skips an unreadable job, so that it does not block others.
            Err(error) => {
                log_error(Err(error));
                return Ok(false);
            }
        };
        if self.is_blocked(&keys) {
            // Drops entries of jobs that other nodes have sent.
            if self.blocked.len() >= MAX_CACHED {
                self.blocked.clear();
            }
            self.blocked.insert(key, keys);
            return Ok(false);
        }
        let claim =
            UpdateJob { job: job.clone(), now: self.platform.now(), update: JobUpdate::Claim };
        let is_claimed = match self.platform.db.write(claim).await {
            // A statement error concerns this row only; skips the job, so that it does not block others.
            Err(error @ kith_db::Error::Statement(_)) => {
                log_error(Err(error));
                return Ok(false);
            }
            claimed => claimed?,
        };
        if is_claimed {
            let sent = send_and_finish(Arc::clone(&self.settings), self.transport.clone(), job);
            let task = self.sending.spawn(sent).id();
            self.in_flight.insert(task, MailInFlight { priority, keys });
        }
        Ok(true)
    }

    /// Waits until a mail is finished, a new job arrives or `pause` has passed.
    async fn wait_for_work(&mut self, pause: Duration) {
        tokio::select! {
            Some(ended) = self.sending.join_next_with_id() => self.complete_mail(ended).await,
            // Timeouts are expected.
            _ = tokio::time::timeout(pause, self.platform.mail.notified()) => {}
        }
    }

    /// Frees the slot of a finished mail and applies its outcome to the blocked duplicates.
    async fn complete_mail(
        &mut self,
        ended: Result<(task::Id, kith_db::Result<JobUpdate>), JoinError>,
    ) {
        let (task, update) = match ended {
            Ok(ended) => ended,
            // The panic is logged already. The job's claim expires after a minute, and the job is retried.
            Err(error) => {
                self.in_flight.remove(&error.id());
                return;
            }
        };
        let mail = self.in_flight.remove(&task);
        let done = match (mail, update) {
            (Some(mail), Ok(update)) => self.complete_duplicates(&mail.keys, update).await,
            (_, update) => update.map(drop),
        };
        log_error(done);
    }

    /// Applies the outcome of a login mail to blocked duplicates with equal email and invite code. Drops blocked jobs
    /// with its invite code once the code's mail quota is used up.
    async fn complete_duplicates(
        &mut self,
        keys: &DedupKeys,
        update: JobUpdate,
    ) -> kith_db::Result<()> {
        let spent = match update {
            JobUpdate::Done(_) => keys.spent_code(&self.platform).await?,
            _ => None,
        };
        let duplicates = self.blocked.extract_if(|_, other| {
            let is_spent =
                spent.is_some_and(|code| other.is_login && other.quota_keys.contains(code));
            is_spent || keys.is_login && other == keys
        });
        let jobs = duplicates.map(|(job, _)| job).collect::<Vec<_>>();
        if jobs.is_empty() {
            return Ok(());
        }
        let now = self.platform.now();
        let count = self.platform.db.write(UpdateDuplicates { jobs, now, update }).await?;
        let result = match update {
            JobUpdate::Done(_) => DROPPED,
            _ => result_label(&update),
        };
        metrics::counter!("kith_mails_total", "result" => result).increment(count as u64);
        Ok(())
    }
}

async fn send_and_finish(
    platform: Arc<SettingsState>,
    transport: Transport,
    job: DueJob,
) -> kith_db::Result<JobUpdate> {
    let update = render_and_send(&platform, &transport, &job).await?;
    metrics::counter!("kith_mails_total", "result" => result_label(&update)).increment(1);
    let now = platform.now();
    platform.db.write(UpdateJob { job, now, update }).await?;
    Ok(update)
}

async fn render_and_send(
    platform: &SettingsState,
    transport: &Transport,
    job: &DueJob,
) -> kith_db::Result<JobUpdate> {
    let settings = settings::load_cached(platform).await?;
    let network = &settings.mail_identity();
    let rendered = match &job.mail {
        MailJob::Login(link) => render_login(platform, network, *link).await?.into(),
        MailJob::Invite { code, email } => {
            render_invite(platform, network, code, email).await?.into()
        }
        MailJob::EmailChange { member, change, is_new } => {
            auth::render_email_change(platform, network, *member, *change, *is_new).await?
        }
        MailJob::Deletion(member) => {
            deletion::render_mail(platform, network, *member).await?.into()
        }
        MailJob::Announcement { member, version } => {
            announcements::render_mail(platform, &settings, *member, *version).await?.into()
        }
        MailJob::Notice { member, notice } => {
            let of = (*member, *notice);
            moderation::render_notice_mail(platform, network, of, Id(job.id)).await?.into()
        }
        MailJob::Digest(member) => {
            digest::render_mail(platform, network, *member, Id(job.id).time()).await?.into()
        }
    };
    let mail = match rendered {
        RenderedMail::Mail(mail) => mail,
        RenderedMail::NotBefore(time) => return Ok(JobUpdate::Delay(time)),
        RenderedMail::Obsolete => return Ok(JobUpdate::Done(MailOutcome::Obsolete)),
    };
    Ok(match transport.send(&mail).await {
        Ok(()) => {
            security_log::emit(security_log::Event::MailSent);
            JobUpdate::Done(MailOutcome::Sent)
        }
        Err(SendError::Permanent(error)) => {
            tracing::error!(error, "mail rejected permanently");
            JobUpdate::Done(MailOutcome::Rejected)
        }
        Err(SendError::Temporary(error)) => {
            tracing::warn!(
                error,
                attempts = job.attempts + 1,
                "mail delivery failed and will be retried"
            );
            JobUpdate::Delay(platform.now() + backoff(job))
        }
    })
}

/// Values of the metric label `result`.
const SENT: &str = "sent";
const DROPPED: &str = "dropped";
const DELAYED: &str = "delayed";

const fn result_label(update: &JobUpdate) -> &'static str {
    match update {
        JobUpdate::Done(MailOutcome::Sent) => SENT,
        JobUpdate::Done(_) => DROPPED,
        JobUpdate::Delay(_) => DELAYED,
        JobUpdate::Claim => "claimed",
    }
}

/// Returns the retry delay of a job: an hour for a digest, which lives a day, and for an announcement.
fn backoff(job: &DueJob) -> Millis {
    match job.mail {
        MailJob::Digest(_) | MailJob::Announcement { .. } => HOUR,
        _ => link_backoff(job.attempts),
    }
}

/// Returns the retry delay of a mail with a link: 5 s, 15 s, 45 s, then two minutes, because a link lives 15 minutes.
fn link_backoff(attempts: i64) -> Millis {
    let steps = u32::try_from(attempts).unwrap_or(0).min(3);
    (5 * SECOND * 3_i64.pow(steps)).min(2 * MINUTE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_back_off_within_the_lifetime_of_a_link() {
        assert_eq!([0, 1, 2, 3, 9].map(link_backoff), [5_000, 15_000, 45_000, 120_000, 120_000]);
    }
}
