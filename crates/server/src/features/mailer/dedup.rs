//! Deduplication keys, by which mails to one email or with one invite code are sent one after another.

use crate::features::auth;
use crate::features::invites;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::jobs::{DueJob, MailJob};
use kith_db::Reader;

/// Maximum mails in flight. Some SMTP services allow a sender only three connections.
pub(super) const MAX_IN_FLIGHT: usize = 3;

/// Quota key of a mail. A mail waits while another mail with an equal key is in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DedupKey {
    Email(String),
    InviteCode(String),
}

/// Kind and quota keys of a mail. Login mails with equal values are duplicates.
#[derive(PartialEq, Eq)]
pub(super) struct DedupKeys {
    pub(super) is_login: bool,
    /// Keys of the quotas that the mail uses.
    pub(super) quota_keys: Vec<DedupKey>,
}

impl DedupKeys {
    /// Loads the keys of a job.
    pub(super) async fn load(platform: &Platform, job: &DueJob) -> kith_db::Result<Self> {
        Ok(Self {
            is_login: matches!(job.mail, MailJob::Login(_)),
            quota_keys: load_quota_keys(&platform.db.reader(), &job.mail, platform.now()).await?,
        })
    }

    /// Returns a login mail's invite code if its mail quota is used up, so that all waiting mails with it can be
    /// dropped.
    pub(super) async fn spent_code(
        &self,
        platform: &Platform,
    ) -> kith_db::Result<Option<&DedupKey>> {
        for key in self.quota_keys.iter().filter(|_| self.is_login) {
            if let DedupKey::InviteCode(code) = key
                && auth::count_invite_mails_left(&platform.db.reader(), code, platform.now())
                    .await?
                    <= 0
            {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}

/// Loads the email and invite code whose quotas the mail uses; empty for a used or expired link, which is not mailed.
async fn load_quota_keys(
    db: &Reader<'_>,
    mail: &MailJob,
    now: Millis,
) -> kith_db::Result<Vec<DedupKey>> {
    let (email, code) = match mail {
        MailJob::Login(link) => {
            let link = auth::find_login_link(db, *link).await?;
            let link = link.filter(|link| link.is_open(now));
            link.map_or((None, None), |link| (link.email, link.invite))
        }
        MailJob::EmailChange { member, change, is_new: true } => {
            (auth::load_new_email(db, *member, *change).await?, None)
        }
        _ => (None, None),
    };
    let mut keys = email.map(DedupKey::Email).into_iter().collect::<Vec<_>>();
    if let Some(code) = code {
        // Mails with a group's code do not wait for each other while there are mails left for all that are in flight.
        let left = auth::count_invite_mails_left(db, &code, now).await?;
        let may_wait = invites::count_uses(db, &code).await? == 1
            || usize::try_from(left.max(0)).is_ok_and(|left| left <= MAX_IN_FLIGHT);
        keys.extend(may_wait.then_some(DedupKey::InviteCode(code)));
    }
    Ok(keys)
}
