//! What mails are for, so that some wait for others.

use crate::auth;
use crate::mail::outbox::{self, Due, Errand};
use crate::state::AppState;

/// What counts a mail: while one that counts is on its way, another one with the same key waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DedupKey {
    Email(String),
    InviteCode(String),
}

/// What a mail is for, as far as others must wait for it.
#[derive(PartialEq, Eq)]
pub(super) struct Purpose {
    pub(super) is_login: bool,
    /// What counts it: see [`outbox::dedup_keys`].
    pub(super) keys: Vec<DedupKey>,
}

impl Purpose {
    /// Looks up what a job is for.
    pub(super) async fn load(app: &AppState, job: &Due) -> kith_db::Result<Self> {
        Ok(Self {
            is_login: matches!(job.errand, Errand::Login(_)),
            keys: outbox::dedup_keys(&app.db.reader(), &job.errand, app.now()).await?,
        })
    }

    /// The key of a login mail's invite code if that code is used up: all mails that wait with it are dropped.
    pub(super) async fn spent_code(&self, app: &AppState) -> kith_db::Result<Option<&DedupKey>> {
        for key in self.keys.iter().filter(|_| self.is_login) {
            if let DedupKey::InviteCode(code) = key
                && auth::is_code_spent(&app.db.reader(), code, app.now()).await?
            {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}
