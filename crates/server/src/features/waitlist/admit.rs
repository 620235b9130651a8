//! Transaction that admits people from the waitlist.

use crate::features::auth::Email;
use crate::features::invites;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::jobs;
use crate::platform::jobs::Job;
use kith_db::{Sql, Tx, params, sql};
use serde::Serialize;
const ADMIT: Sql = sql!(
    "update waitlist set admitted_at = $2 where email = $1 and admitted_at is null returning email"
);
const KNOWN: Sql = sql!("select email from waitlist where email = $1");

/// Outcome of admitting an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AdmitOutcome {
    /// A code will be mailed.
    Admitted,
    /// A code was mailed before.
    Before,
}

/// Transaction that admits people from the waitlist, all or none. Creates an invite without inviter for each; the running
/// server mails it.
#[derive(Debug)]
pub struct Admit {
    places: Vec<(Email, String, Id)>,
    now: Millis,
}

/// Reason for admitting none of the emails.
#[derive(Debug, thiserror::Error)]
pub enum NotAdmitted {
    /// An email is not on the list.
    #[error("{0} is not on the waitlist; no applicant was admitted")]
    Unknown(String),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] kith_db::Error),
}

impl Admit {
    /// Creates an invite code for each email.
    #[must_use]
    pub fn new(platform: &Platform, emails: Vec<Email>) -> Self {
        let place = |email| (email, crypto::random_code(12), platform.id());
        Self { places: emails.into_iter().map(place).collect(), now: platform.now() }
    }
}

impl kith_db::Write for Admit {
    type Out = Vec<(String, AdmitOutcome)>;
    type Err = NotAdmitted;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out, NotAdmitted> {
        let mut out = Vec::new();
        for (email, code, job) in &self.places {
            let address = email.as_str();
            let bound = params![address, self.now];
            let admitted = tx.opt(&ADMIT, bound, |_| Ok(())).await?;
            let admission = if admitted.is_some() {
                invites::insert_invite(tx, None, Id::NONE, code, self.now).await?;
                let mail = Job::invite_mail(*job, address, code, self.now);
                jobs::enqueue(tx, &mail).await?;
                AdmitOutcome::Admitted
            } else {
                let known = tx.opt(&KNOWN, params![address], |_| Ok(())).await?;
                known.ok_or_else(|| NotAdmitted::Unknown(address.to_owned()))?;
                AdmitOutcome::Before
            };
            out.push((address.to_owned(), admission));
        }
        Ok(out)
    }
}
