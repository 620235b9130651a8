//! Transaction that admits applicants from the waitlist.

use crate::features::auth::Email;
use crate::features::{invites, settings};
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::jobs::{self, Job};
use kith_db::{Sql, Tx, params, sql};
use serde::Serialize;

const ADMIT: Sql = sql!(
    "update waitlist set admitted_at = $2 where email = $1 and admitted_at is null returning email"
);
const FIND: Sql = sql!("select email from waitlist where email = $1");

/// Outcome of admitting an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AdmitOutcome {
    /// A code will be mailed.
    Admitted,
    /// A code was mailed before.
    Before,
}

/// Transaction that admits applicants from the waitlist, all or none. Creates an invite without inviter for each; the
/// running server mails it.
#[derive(Debug)]
pub struct AdmitApplicants {
    /// Email, invite code and id of the mail job of each applicant.
    applicants: Vec<(Email, String, Id)>,
    /// Current time.
    pub now: Millis,
}

/// Error that admits none of the applicants.
#[derive(Debug, thiserror::Error)]
pub enum AdmitError {
    /// An email is not on the list.
    #[error("{0} is not on the waitlist; no applicant was admitted")]
    Unknown(String),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] kith_db::Error),
}

impl AdmitApplicants {
    /// Creates an invite code for each email.
    #[must_use]
    pub fn new(platform: &Platform, emails: Vec<Email>) -> Self {
        let applicant = |email| (email, crypto::random_code(12), platform.id());
        Self { applicants: emails.into_iter().map(applicant).collect(), now: platform.now() }
    }
}

impl kith_db::Write for AdmitApplicants {
    type Out = Vec<(String, AdmitOutcome)>;
    type Err = AdmitError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out, AdmitError> {
        let settings = settings::load_registration(&tx.reader()).await?;
        let expires_at = self.now + settings.invite_lifetime();
        let mut outcomes = Vec::new();
        for (email, code, job) in &self.applicants {
            let email = email.as_str();
            let parameters = params![email, self.now];
            let admitted = tx.opt(&ADMIT, parameters, |_| Ok(())).await?;
            let outcome = if admitted.is_some() {
                invites::insert_invite(tx, None, Id::NONE, code, expires_at).await?;
                let mail = Job::invite_mail(*job, email, code, self.now);
                jobs::enqueue(tx, &mail).await?;
                AdmitOutcome::Admitted
            } else {
                let found = tx.opt(&FIND, params![email], |_| Ok(())).await?;
                found.ok_or_else(|| AdmitError::Unknown(email.to_owned()))?;
                AdmitOutcome::Before
            };
            outcomes.push((email.to_owned(), outcome));
        }
        Ok(outcomes)
    }
}
