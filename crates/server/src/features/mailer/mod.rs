//! The worker that sends what the outbox holds.

mod dedup;
mod finish_job;

use crate::features::account::deletion;
use crate::features::auth::{self, Share};
use crate::features::invites;
use crate::features::mailer::dedup::Purpose;
use crate::features::mailer::finish_job::FinishJob;
use crate::platform::Platform;
use crate::platform::clock::{MINUTE, Millis, SECOND};
use crate::platform::ids::Id;
use crate::platform::jobs::{self, Due, Errand, Likewise, Line, What};
use crate::platform::mail::{Failure, Letter, Transport, Written, invite_letter, login_letter};
use crate::platform::supervisor::Ending;
use crate::platform::telemetry::security_log;
use kith_db::Reader;
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::{self, JoinError, JoinSet};

/// Mails in flight, so that a slow one does not block others. Some services allow a sender only three connections.
const AT_ONCE: usize = 3;
/// Invites among them.
const INVITES: usize = 1;
/// How often more is looked for behind mails that must wait before anything else is seen to, unless it is known that they must.
const LOOKS: usize = 10;
/// How long nothing is looked for when all was looked at and nobody says that there is more.
const PAUSE: Duration = Duration::from_secs(2);
/// The same when there is more to look at: what cannot be read may be among it, again and again.
const SOON: Duration = Duration::from_millis(100);
/// Jobs that must wait whose purpose is cached: as many as may wait that anybody can cause.
const REMEMBERED: usize = 10_000;

/// Sends mail until the process ends, woken by new jobs and a timer for those of other nodes and retries. At the end
/// mails in flight still leave: one that is cut off may have been taken and would be sent twice.
pub async fn run(app: Platform, transport: Transport, mut ending: Ending) {
    for result in [SENT, DROPPED, DELAYED] {
        metrics::counter!("kith_mails_total", "result" => result).absolute(0);
    }
    let mut sender = Sender {
        app,
        transport,
        sending: JoinSet::new(),
        in_hand: HashMap::new(),
        waiting: HashMap::new(),
    };
    loop {
        let is_through = sender.take_up().await;
        let pause = match is_through {
            Ok(false) => SOON,
            _ => PAUSE,
        };
        told(is_through.map(drop));
        tokio::select! {
            () = sender.wait(pause) => {}
            () = ending.ordered() => break,
        }
    }
    while let Some(ended) = sender.sending.join_next_with_id().await {
        sender.put_down(ended).await;
    }
    ending.finish().await;
}

fn told(done: kith_db::Result<()>) {
    if let Err(error) = done {
        tracing::warn!(%error, "the outbox could not be read");
    }
}

/// Mails on their way; they end with it.
struct Sender {
    app: Platform,
    transport: Transport,
    sending: JoinSet<kith_db::Result<What>>,
    in_hand: HashMap<task::Id, InHand>,
    /// Waiting jobs by queue and id, so that a thousand requests for one address are not looked up before every mail.
    waiting: HashMap<(i64, i64), Purpose>,
}

struct InHand {
    line: Line,
    purpose: Purpose,
}

impl Sender {
    /// How many more of a line may go now. What is asked for also takes the places of invites.
    fn places(&self, line: Line) -> usize {
        let all = AT_ONCE.saturating_sub(self.in_hand.len());
        match line {
            Line::Asked => all,
            Line::Invites => {
                let invites = self.in_hand.values().filter(|mail| mail.line == line);
                all.min(INVITES.saturating_sub(invites.count()))
            }
        }
    }

    /// Whether a mail on its way counts against the same email address or invite code.
    fn is_blocked(&self, purpose: &Purpose) -> bool {
        let mut sending = self.in_hand.values().flat_map(|mail| &mail.purpose.keys);
        sending.any(|key| purpose.keys.contains(key))
    }

    /// Claims what is due, in its order, and sends it, as far as there are places; whether all of it was looked at.
    async fn take_up(&mut self) -> kith_db::Result<bool> {
        let mut is_through = true;
        for line in Line::ALL {
            // Of each queue, how many must wait of those that come first.
            let mut waiting = HashMap::new();
            let mut looks = 0;
            while self.places(line) > 0 {
                if looks == LOOKS {
                    is_through = false;
                    break;
                }
                let now = self.app.now();
                let due = jobs::due(&self.app.db.reader(), line, now, &waiting).await?;
                if due.is_empty() {
                    break;
                }
                let is_known = |job: &Due| self.waiting.contains_key(&(job.part, job.id));
                looks += usize::from(!due.iter().all(is_known));
                for job in due {
                    let part = job.part;
                    if self.places(line) > 0 && !self.take(line, job).await? {
                        *waiting.entry(part).or_default() += 1;
                    }
                }
            }
        }
        Ok(is_through)
    }

    /// Claims a mail and sends it, unless another node was faster; whether it need not wait.
    async fn take(&mut self, line: Line, job: Due) -> kith_db::Result<bool> {
        let at = (job.part, job.id);
        if self.waiting.get(&at).is_some_and(|it| self.is_blocked(it)) {
            return Ok(false);
        }
        // Once its turn has come it is looked at again: a link that has expired meanwhile says nothing of others.
        self.waiting.remove(&at);
        let purpose = match Purpose::load(&self.app, &job).await {
            Ok(purpose) => purpose,
            // What cannot be read keeps nothing else from being sent.
            Err(error) => {
                told(Err(error));
                return Ok(false);
            }
        };
        // Its turn comes when that mail has been counted.
        if self.is_blocked(&purpose) {
            // Another node may have sent what is still remembered here.
            if self.waiting.len() >= REMEMBERED {
                self.waiting.clear();
            }
            self.waiting.insert(at, purpose);
            return Ok(false);
        }
        let claim = FinishJob {
            job: job.clone(),
            now: self.app.now(),
            what: What::Claim,
        };
        let is_ours = match self.app.db.write(claim).await {
            // It is about this row alone, and keeps nothing else from being sent either.
            Err(error @ kith_db::Error::Statement(_)) => {
                told(Err(error));
                return Ok(false);
            }
            claimed => claimed?,
        };
        if is_ours {
            let sent = send(self.app.clone(), self.transport.clone(), job);
            let task = self.sending.spawn(sent).id();
            self.in_hand.insert(task, InHand { line, purpose });
        }
        Ok(true)
    }

    /// Waits until a mail has left, or there may be new ones.
    async fn wait(&mut self, pause: Duration) {
        tokio::select! {
            Some(ended) = self.sending.join_next_with_id() => self.put_down(ended).await,
            // A timeout is the ordinary case.
            _ = tokio::time::timeout(pause, self.app.mail.notified()) => {}
        }
    }

    async fn put_down(&mut self, ended: Result<(task::Id, kith_db::Result<What>), JoinError>) {
        let (task, what) = match ended {
            Ok(ended) => ended,
            // A panic is in the log. One bad row must not end the others; it is tried again in a minute.
            Err(error) => {
                self.in_hand.remove(&error.id());
                return;
            }
        };
        let mail = self.in_hand.remove(&task);
        let done = match (mail, what) {
            (Some(mail), Ok(what)) => self.likewise(&mail.purpose, what).await,
            (_, what) => what.map(drop),
        };
        told(done);
    }

    /// Applies what happened to a login mail to the requests that waited for it: same address, same invite code or
    /// none. Requests with the same code end, too, once it is used up.
    async fn likewise(&mut self, purpose: &Purpose, what: What) -> kith_db::Result<()> {
        let spent = match what {
            What::Done { .. } => purpose.spent_code(&self.app).await?,
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
        let count = self.app.db.write(Likewise { jobs, now, what }).await?;
        let result = match what {
            What::Done { .. } => DROPPED,
            _ => result(&what),
        };
        metrics::counter!("kith_mails_total", "result" => result).increment(count as u64);
        Ok(())
    }
}

async fn send(app: Platform, transport: Transport, job: Due) -> kith_db::Result<What> {
    let what = attempt(&app, &transport, &job).await?;
    metrics::counter!("kith_mails_total", "result" => result(&what)).increment(1);
    let now = app.now();
    app.db.write(FinishJob { job, now, what }).await?;
    Ok(what)
}

async fn attempt(app: &Platform, transport: &Transport, job: &Due) -> kith_db::Result<What> {
    let letter = match &job.errand {
        Errand::Login(link) => login(app, *link).await?.into(),
        Errand::Invite { code, email } => invitation(app, code, email).await?.into(),
        Errand::Address {
            member,
            change,
            is_new,
        } => auth::address_letter(app, *member, *change, *is_new).await?,
        Errand::Leaving(member) => deletion::letter(app, *member).await?.into(),
    };
    let letter = match letter {
        Written::Letter(letter) => letter,
        Written::NotBefore(time) => return Ok(What::Delay(time)),
        Written::Nothing => return Ok(What::Done { sent: false }),
    };
    Ok(match transport.send(&letter).await {
        Ok(()) => {
            security_log::tell(security_log::Event::MailSent);
            What::Done { sent: true }
        }
        Err(Failure::Hopeless(error)) => {
            tracing::error!(error, "a mail was refused for good");
            What::Done { sent: false }
        }
        Err(Failure::Later(error)) => {
            tracing::warn!(
                error,
                attempts = job.attempts + 1,
                "a mail will be tried again"
            );
            What::Delay(app.now() + backoff(job.attempts))
        }
    })
}

/// How an attempt can end, as the metrics call it.
const SENT: &str = "sent";
const DROPPED: &str = "dropped";
const DELAYED: &str = "delayed";

const fn result(what: &What) -> &'static str {
    match what {
        What::Done { sent: true } => SENT,
        What::Done { sent: false } => DROPPED,
        What::Delay(_) => DELAYED,
        What::Claim => "claimed",
    }
}

/// 5 s, 15 s, 45 s, then two minutes: a link lives 15 minutes.
fn backoff(attempts: i64) -> Millis {
    let steps = u32::try_from(attempts).unwrap_or(0).min(3);
    (5 * SECOND * 3_i64.pow(steps)).min(2 * MINUTE)
}

/// The login mail to send now; none for a used link, an unknown address, or a spent quota of address or code.
async fn login(app: &Platform, link: Id) -> kith_db::Result<Option<Letter>> {
    let db = app.db.reader();
    let now = app.now();
    let found = auth::find_link(&db, link).await?;
    let Some(link) = found.filter(|link| link.is_open(now)) else {
        return Ok(None);
    };
    let Some(email) = link.email else {
        return Ok(None);
    };
    let share = auth::share(&db, &email, now).await?;
    // Between requests, not mails: one that took a while to leave must not keep away the next one.
    let since = link.id.time() - MINUTE;
    if share.requested_at.is_some_and(|time| time > since) {
        return Ok(None);
    }
    let known = auth::find_by_email(&db, &email).await?.is_some();
    // Whoever asked for the five, the mailbox must hold a link that lets its owner in.
    if share.is_full && has_way_in(&db, known, &share, link.id.time()).await? {
        return Ok(None);
    }
    match &link.invite {
        // Members get none either: a code's mails wait for each other, so the timing would reveal who is a member.
        Some(code) => {
            let is_open = invites::is_open(&db, code, link.id.time()).await?;
            if !is_open || auth::is_code_spent(&db, code, now).await? {
                return Ok(None);
            }
        }
        None if !known => return Ok(None),
        None => {}
    }
    let invite = link.invite.filter(|_| !known);
    let address = auth::address(app, link.id, invite.as_deref());
    let code = auth::one_time_code(&app.key, link.id);
    Ok(Some(login_letter(&email, &address, &code, !known)))
}

/// Whether a mailed link lets the mailbox's owner in; a newcomer needs its invite, which a stranger may have revoked.
async fn has_way_in(
    db: &Reader<'_>,
    known: bool,
    share: &Share,
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

/// What to send now: nothing once the code was used, revoked or has expired, or its owner has joined.
async fn invitation(app: &Platform, code: &str, email: &str) -> kith_db::Result<Option<Letter>> {
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
