//! Deduplication of mails: a mail waits while another one with the same key is being sent.

use crate::features::auth;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::jobs::{Due, Errand};
use kith_db::Reader;

/// An email or invite code whose quota a mail uses. A second mail with the same key waits for the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DedupKey {
    Email(String),
    InviteCode(String),
}

/// Purpose of a mail, as far as it makes other mails wait.
#[derive(PartialEq, Eq)]
pub(super) struct Purpose {
    pub(super) is_login: bool,
    /// Quotas that the mail uses: see [`dedup_keys`].
    pub(super) keys: Vec<DedupKey>,
}

impl Purpose {
    /// Loads the purpose of a job.
    pub(super) async fn load(platform: &Platform, job: &Due) -> kith_db::Result<Self> {
        Ok(Self {
            is_login: matches!(job.errand, Errand::Login(_)),
            keys: dedup_keys(&platform.db.reader(), &job.errand, platform.now()).await?,
        })
    }

    /// The key of a login mail's invite code if that code is used up: all mails that wait with it are dropped.
    pub(super) async fn spent_code(
        &self,
        platform: &Platform,
    ) -> kith_db::Result<Option<&DedupKey>> {
        for key in self.keys.iter().filter(|_| self.is_login) {
            if let DedupKey::InviteCode(code) = key
                && auth::is_code_spent(&platform.db.reader(), code, platform.now()).await?
            {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}

/// The email address and invite code whose quotas this mail uses, as the worker counts it: a second mail with one of them
/// waits for the first. None for a link that is used or expired, which becomes no mail.
async fn dedup_keys(
    db: &Reader<'_>,
    errand: &Errand,
    now: Millis,
) -> kith_db::Result<Vec<DedupKey>> {
    let (email, code) = match errand {
        Errand::Login(link) => {
            let link = auth::find_link(db, *link).await?;
            let link = link.filter(|link| link.is_open(now));
            link.map_or((None, None), |link| (link.email, link.invite))
        }
        Errand::Address {
            member,
            change,
            is_new: true,
        } => (auth::new_address(db, *member, *change).await?, None),
        _ => (None, None),
    };
    let email = email.map(DedupKey::Email);
    let code = code.map(DedupKey::InviteCode);
    Ok(email.into_iter().chain(code).collect())
}
