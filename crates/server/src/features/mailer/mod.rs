//! Worker that sends the jobs of the mail queue.

mod dedup;
mod finish_job;

use crate::features::account::deletion;
use crate::features::auth::{self, MailQuota};
use crate::features::invites;
use crate::features::mailer::dedup::Purpose;
use crate::features::mailer::finish_job::FinishJob;
use crate::platform::Platform;
use crate::platform::clock::{MINUTE, Millis, SECOND};
use crate::platform::ids::Id;
use crate::platform::jobs::{self, DueJob, JobUpdate, MailJob, QueuePriority, UpdateDuplicates};
use crate::platform::mail::{Failure, Letter, Transport, Written, invite_letter, login_letter};
use crate::platform::supervisor::Ending;
use crate::platform::telemetry::security_log;
use kith_db::Reader;
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::{self, JoinError, JoinSet};

/// Mails in flight. Some SMTP services allow a sender only three connections.
const MAX_IN_FLIGHT: usize = 3;
/// Invite mails in flight.
const MAX_INVITES_IN_FLIGHT: usize = 1;
/// Queries behind blocked jobs per pass, so that finished mails are handled in between. Queries that return only cached jobs
/// do not count.
const MAX_QUERIES: usize = 10;
/// Poll interval after a complete pass, unless a new job wakes the worker.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Poll interval after an incomplete pass; not zero, because unreadable jobs would cause a busy loop.
const SHORT_INTERVAL: Duration = Duration::from_millis(100);
/// Cached blocked jobs: as many as anonymous clients can enqueue.
const MAX_CACHED: usize = 10_000;

/// Sends mail until shutdown, woken by new jobs, and by a timer for other nodes' jobs and retries. Finishes mails in flight
/// first: the SMTP server may have accepted an interrupted mail, which would be sent twice.
pub async fn run(app: Platform, transport: Transport, mut ending: Ending) {
    for result in [SENT, DROPPED, DELAYED] {
        metrics::counter!("kith_mails_total", "result" => result).absolute(0);
    }
    let mut worker = MailWorker {
        app,
        transport,
        sending: JoinSet::new(),
        in_flight: HashMap::new(),
        waiting: HashMap::new(),
    };
    loop {
        let is_through = worker.claim_due().await;
        let pause = match is_through {
            Ok(false) => SHORT_INTERVAL,
            _ => POLL_INTERVAL,
        };
        log_error(is_through.map(drop));
        tokio::select! {
            () = worker.wait(pause) => {}
            () = ending.ordered() => break,
        }
    }
    while let Some(ended) = worker.sending.join_next_with_id().await {
        worker.complete(ended).await;
    }
    ending.finish().await;
}

fn log_error(done: kith_db::Result<()>) {
    if let Err(error) = done {
        tracing::warn!(%error, "the outbox could not be read");
    }
}

/// Mail worker with the mails in flight, which are aborted when it is dropped.
struct MailWorker {
    app: Platform,
    transport: Transport,
    sending: JoinSet<kith_db::Result<JobUpdate>>,
    in_flight: HashMap<task::Id, InFlight>,
    /// Cached blocked jobs by queue and id, so that 1,000 requests for one email are not loaded again for every mail.
    waiting: HashMap<(i64, i64), Purpose>,
}

struct InFlight {
    line: QueuePriority,
    purpose: Purpose,
}

impl MailWorker {
    /// Counts the mails of a queue that can be sent now. Requested mails can also use the slots of invites.
    fn free_slots(&self, line: QueuePriority) -> usize {
        let all = MAX_IN_FLIGHT.saturating_sub(self.in_flight.len());
        match line {
            QueuePriority::UserInitiated => all,
            QueuePriority::Bulk => {
                let invites = self.in_flight.values().filter(|mail| mail.line == line);
                all.min(MAX_INVITES_IN_FLIGHT.saturating_sub(invites.count()))
            }
        }
    }

    /// Checks whether a mail in flight uses a quota of this one.
    fn is_blocked(&self, purpose: &Purpose) -> bool {
        let mut sending = self.in_flight.values().flat_map(|mail| &mail.purpose.keys);
        sending.any(|key| purpose.keys.contains(key))
    }

    /// Claims due jobs in order and sends them, as far as slots are free. Returns whether all due jobs were examined.
    async fn claim_due(&mut self) -> kith_db::Result<bool> {
        let mut is_through = true;
        for line in QueuePriority::ALL {
            // Blocked jobs per queue partition, which the next query skips.
            let mut waiting = HashMap::new();
            let mut queries = 0;
            while self.free_slots(line) > 0 {
                if queries == MAX_QUERIES {
                    is_through = false;
                    break;
                }
                let now = self.app.now();
                let due = jobs::load_due(&self.app.db.reader(), line, now, &waiting).await?;
                if due.is_empty() {
                    break;
                }
                let is_known = |job: &DueJob| self.waiting.contains_key(&(job.part, job.id));
                queries += usize::from(!due.iter().all(is_known));
                for job in due {
                    let part = job.part;
                    if self.free_slots(line) > 0 && !self.try_send(line, job).await? {
                        *waiting.entry(part).or_default() += 1;
                    }
                }
            }
        }
        Ok(is_through)
    }

    /// Claims a job and sends it, unless another node claimed it. Returns `false` for a job that stays in the queue.
    async fn try_send(&mut self, line: QueuePriority, job: DueJob) -> kith_db::Result<bool> {
        let at = (job.part, job.id);
        if self.waiting.get(&at).is_some_and(|it| self.is_blocked(it)) {
            return Ok(false);
        }
        // Loads the keys again once the job is unblocked: a link that expired meanwhile has none.
        self.waiting.remove(&at);
        let purpose = match Purpose::load(&self.app, &job).await {
            Ok(purpose) => purpose,
            // Skips an unreadable job, so that it does not block others.
            Err(error) => {
                log_error(Err(error));
                return Ok(false);
            }
        };
        if self.is_blocked(&purpose) {
            // Drops entries of jobs that other nodes have sent.
            if self.waiting.len() >= MAX_CACHED {
                self.waiting.clear();
            }
            self.waiting.insert(at, purpose);
            return Ok(false);
        }
        let claim = FinishJob {
            job: job.clone(),
            now: self.app.now(),
            update: JobUpdate::Claim,
        };
        let is_ours = match self.app.db.write(claim).await {
            // A statement error concerns this row only; skips the job, so that it does not block others.
            Err(error @ kith_db::Error::Statement(_)) => {
                log_error(Err(error));
                return Ok(false);
            }
            claimed => claimed?,
        };
        if is_ours {
            let sent = send(self.app.clone(), self.transport.clone(), job);
            let task = self.sending.spawn(sent).id();
            self.in_flight.insert(task, InFlight { line, purpose });
        }
        Ok(true)
    }

    /// Waits until a mail is finished, a new job arrives or `pause` is over.
    async fn wait(&mut self, pause: Duration) {
        tokio::select! {
            Some(ended) = self.sending.join_next_with_id() => self.complete(ended).await,
            // Timeouts are expected.
            _ = tokio::time::timeout(pause, self.app.mail.notified()) => {}
        }
    }

    async fn complete(&mut self, ended: Result<(task::Id, kith_db::Result<JobUpdate>), JoinError>) {
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
            (Some(mail), Ok(update)) => self.complete_duplicates(&mail.purpose, update).await,
            (_, update) => update.map(drop),
        };
        log_error(done);
    }

    /// Applies the outcome of a login mail to blocked duplicates with equal email and invite code. Drops blocked jobs with its
    /// invite code once the code's mail quota is used up.
    async fn complete_duplicates(
        &mut self,
        purpose: &Purpose,
        update: JobUpdate,
    ) -> kith_db::Result<()> {
        let spent = match update {
            JobUpdate::Done { .. } => purpose.spent_code(&self.app).await?,
            _ => None,
        };
        let same = self.waiting.extract_if(|_, other| {
            let is_spent = spent.is_some_and(|code| other.is_login && other.keys.contains(code));
            is_spent || purpose.is_login && other == purpose
        });
        let jobs = same.map(|(job, _)| job).collect::<Vec<_>>();
        if jobs.is_empty() {
            return Ok(());
        }
        let now = self.app.now();
        let count = self
            .app
            .db
            .write(UpdateDuplicates { jobs, now, update })
            .await?;
        let result = match update {
            JobUpdate::Done { .. } => DROPPED,
            _ => result(&update),
        };
        metrics::counter!("kith_mails_total", "result" => result).increment(count as u64);
        Ok(())
    }
}

async fn send(app: Platform, transport: Transport, job: DueJob) -> kith_db::Result<JobUpdate> {
    let update = attempt(&app, &transport, &job).await?;
    metrics::counter!("kith_mails_total", "result" => result(&update)).increment(1);
    let now = app.now();
    app.db.write(FinishJob { job, now, update }).await?;
    Ok(update)
}

async fn attempt(
    app: &Platform,
    transport: &Transport,
    job: &DueJob,
) -> kith_db::Result<JobUpdate> {
    let letter = match &job.mail {
        MailJob::Login(link) => render_login(app, *link).await?.into(),
        MailJob::Invite { code, email } => render_invite(app, code, email).await?.into(),
        MailJob::EmailChange {
            member,
            change,
            is_new,
        } => auth::render_email_change(app, *member, *change, *is_new).await?,
        MailJob::Deletion(member) => deletion::letter(app, *member).await?.into(),
    };
    let letter = match letter {
        Written::Letter(letter) => letter,
        Written::NotBefore(time) => return Ok(JobUpdate::Delay(time)),
        Written::Nothing => return Ok(JobUpdate::Done { sent: false }),
    };
    Ok(match transport.send(&letter).await {
        Ok(()) => {
            security_log::emit(security_log::Event::MailSent);
            JobUpdate::Done { sent: true }
        }
        Err(Failure::Hopeless(error)) => {
            tracing::error!(error, "mail rejected permanently");
            JobUpdate::Done { sent: false }
        }
        Err(Failure::Later(error)) => {
            tracing::warn!(
                error,
                attempts = job.attempts + 1,
                "a mail will be tried again"
            );
            JobUpdate::Delay(app.now() + backoff(job.attempts))
        }
    })
}

/// Values of the metric label `result`.
const SENT: &str = "sent";
const DROPPED: &str = "dropped";
const DELAYED: &str = "delayed";

const fn result(update: &JobUpdate) -> &'static str {
    match update {
        JobUpdate::Done { sent: true } => SENT,
        JobUpdate::Done { sent: false } => DROPPED,
        JobUpdate::Delay(_) => DELAYED,
        JobUpdate::Claim => "claimed",
    }
}

/// Returns the retry delay: 5 s, 15 s, 45 s, then two minutes, because a link lives 15 minutes.
fn backoff(attempts: i64) -> Millis {
    let steps = u32::try_from(attempts).unwrap_or(0).min(3);
    (5 * SECOND * 3_i64.pow(steps)).min(2 * MINUTE)
}

/// Renders a login mail; `None` for a used link, an unknown email, or an exhausted quota of email or invite code.
async fn render_login(app: &Platform, link: Id) -> kith_db::Result<Option<Letter>> {
    let db = app.db.reader();
    let now = app.now();
    let found = auth::find_login_link(&db, link).await?;
    let Some(link) = found.filter(|link| link.is_open(now)) else {
        return Ok(None);
    };
    let Some(email) = link.email else {
        return Ok(None);
    };
    let share = auth::load_mail_quota(&db, &email, now).await?;
    // Compares request times rather than send times, so that a slow delivery does not suppress the next mail.
    let since = link.id.time() - MINUTE;
    if share.requested_at.is_some_and(|time| time > since) {
        return Ok(None);
    }
    let known = auth::find_by_email(&db, &email).await?.is_some();
    // A full quota still allows a mail if none of the earlier links works for the mailbox's owner.
    if share.is_full && has_usable_link(&db, known, &share, link.id.time()).await? {
        return Ok(None);
    }
    match &link.invite {
        // Applies to members, too: mails with one code wait for each other, so the timing would reveal members.
        Some(code) => {
            let is_open = invites::is_open(&db, code, link.id.time()).await?;
            if !is_open || auth::is_invite_mail_quota_reached(&db, code, now).await? {
                return Ok(None);
            }
        }
        None if !known => return Ok(None),
        None => {}
    }
    let invite = link.invite.filter(|_| !known);
    let address = auth::login_url(app, link.id, invite.as_deref());
    let code = auth::login_code(&app.key, link.id);
    Ok(Some(login_letter(&email, &address, &code, !known)))
}

/// Checks whether an earlier mailed link still works; a sign-up also needs an invite that is not revoked.
async fn has_usable_link(
    db: &Reader<'_>,
    known: bool,
    share: &MailQuota,
    asked: Millis,
) -> kith_db::Result<bool> {
    if known {
        return Ok(!share.lasting.is_empty());
    }
    for code in share.lasting.iter().flatten() {
        if invites::is_open(db, code, asked).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Renders an invite mail; `None` once the code was used, revoked or expired, or the recipient has joined.
async fn render_invite(app: &Platform, code: &str, email: &str) -> kith_db::Result<Option<Letter>> {
    let db = app.db.reader();
    if !invites::is_open(&db, code, app.now()).await?
        || auth::find_by_email(&db, email).await?.is_some()
    {
        return Ok(None);
    }
    Ok(Some(invite_letter(email, &app.settings.origin(), code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_slow_down_and_stay_within_a_links_life() {
        assert_eq!(
            [0, 1, 2, 3, 9].map(backoff),
            [5_000, 15_000, 45_000, 120_000, 120_000]
        );
    }
}
