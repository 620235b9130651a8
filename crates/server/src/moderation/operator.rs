//! Deeds about no member in particular: letting people in.

use crate::app::App;
use crate::auth::Email;
use crate::clock::Millis;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::invites;
use crate::moderation::audit::{Actor, AuditAction, Deed, Log};
use crate::moderation::staff;
use crate::users::Role;
use crate::waitlist::{Admission, Admit, NotAdmitted};
use kith_db::Tx;

/// Admits people from the waitlist, with a row in the audit log. No address stands in it.
#[derive(Debug)]
pub struct AdmitPeople {
    actor: Actor,
    admit: Admit,
    now: Millis,
}

impl AdmitPeople {
    /// Makes a code for each address.
    #[must_use]
    pub fn new(app: &App, actor: Actor, emails: Vec<Email>) -> Self {
        Self {
            actor,
            admit: Admit::new(app, emails),
            now: app.now(),
        }
    }
}

/// Who is not on the list is told by name; the caller named them.
impl From<NotAdmitted> for ApiError {
    fn from(refused: NotAdmitted) -> Self {
        match refused {
            NotAdmitted::Database(error) => error.into(),
            NotAdmitted::Unknown(_) => Self::not_found("entry_not_found", format!("{refused}.")),
        }
    }
}

impl kith_db::Write for AdmitPeople {
    type Out = Vec<(String, Admission)>;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out> {
        let log = Log::hold(tx).await?;
        staff::confirm(tx, self.actor, Role::Admin).await?;
        let out = self.admit.run(tx).await?;
        let new = out.iter().filter(|one| one.1 == Admission::Admitted);
        let new = new.count();
        if new > 0 {
            let deed = Deed {
                detail: new.to_string(),
                ..Deed::new(self.now, self.actor, AuditAction::AdmitPeople)
            };
            log.write(tx, &deed).await?;
        }
        Ok(out)
    }
}

/// Makes codes that are nobody's, for the command line.
#[derive(Debug)]
pub struct IssueCodes {
    /// The codes.
    pub codes: Vec<String>,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for IssueCodes {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let log = Log::hold(tx).await?;
        for code in &self.codes {
            invites::add(tx, None, Id::NONE, code, self.now).await?;
        }
        let deed = Deed {
            detail: self.codes.len().to_string(),
            ..Deed::new(self.now, Actor::Operator, AuditAction::CreateInvites)
        };
        log.write(tx, &deed).await
    }
}

/// Writes that the operator printed an address which logs this member in.
pub async fn record_sign_in(tx: &mut Tx, member: Id, now: Millis) -> kith_db::Result<()> {
    let log = Log::hold(tx).await?;
    let deed = Deed {
        member: Some(member.0),
        ..Deed::new(now, Actor::Operator, AuditAction::PrintSignIn)
    };
    log.write(tx, &deed).await
}
