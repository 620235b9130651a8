//! For whom mails are, so that some wait for others.

use crate::app::App;
use crate::auth;
use crate::mail::outbox::{self, Due, Errand};

/// What a mail is for, as far as others must wait for it.
#[derive(PartialEq, Eq)]
pub(super) struct Purpose {
    /// It is a login mail.
    pub(super) is_login: bool,
    /// Whom it counts for: see [`outbox::shares`].
    pub(super) shares: Vec<String>,
}

impl Purpose {
    /// Looks up what a job is for.
    pub(super) async fn of(app: &App, job: &Due) -> kith_db::Result<Self> {
        Ok(Self {
            is_login: matches!(job.errand, Errand::Login(_)),
            shares: outbox::shares(&app.db.reader(), &job.errand, app.now()).await?,
        })
    }

    /// Its invite code, if that mails nobody any more: all that wait with it come to nothing.
    pub(super) async fn spent_code(&self, app: &App) -> kith_db::Result<Option<&String>> {
        // What is no address is a code.
        let code = self.shares.iter().find(|share| !share.contains('@'));
        let Some(code) = code.filter(|_| self.is_login) else {
            return Ok(None);
        };
        let is_spent = auth::is_code_spent(&app.db.reader(), code, app.now()).await?;
        Ok(is_spent.then_some(code))
    }
}
