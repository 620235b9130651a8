//! Deeds of whoever runs the server: letting people in, and what members else decide themselves.

use crate::features::account::deletion::{Asked, Leave};
use crate::features::auth::{Email, EndEverything, NewAddress, SetEmail, SignOut};
use crate::features::invites;
use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, Deed, Log};
use crate::features::moderation::staff;
use crate::features::waitlist::{self, Admission, Admit, Crossing, NotAdmitted};
use crate::http::error::{ApiError, Result};
use crate::platform::Platform;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use kith_db::Tx;

/// Admits people from the waitlist, with a row in the audit log. No address stands in it.
#[derive(Debug)]
pub struct AdmitPeople {
    actor: Actor,
    admit: Admit,
    /// What somebody who is admitted alone is named by in the log.
    entry: Option<Id>,
    now: Millis,
}

impl AdmitPeople {
    /// Makes a code for each address.
    #[must_use]
    pub fn new(platform: &Platform, actor: Actor, emails: Vec<Email>) -> Self {
        Self {
            actor,
            admit: Admit::new(platform, emails),
            entry: None,
            now: platform.now(),
        }
    }

    /// Makes a code for somebody whom an entry of the list names.
    #[must_use]
    pub fn one(platform: &Platform, actor: Actor, entry: Id, email: Email) -> Self {
        Self {
            entry: Some(entry),
            ..Self::new(platform, actor, vec![email])
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
                detail: match self.entry {
                    Some(entry) => format!("entry {}", entry.0),
                    None => new.to_string(),
                },
                ..Deed::new(self.now, self.actor, AuditAction::AdmitPeople)
            };
            log.write(tx, &deed).await?;
        }
        Ok(out)
    }
}

/// Takes people off the waitlist, with a row in the audit log. No address stands in it.
#[derive(Debug)]
pub struct RemovePeople {
    /// Their addresses, as they are stored.
    pub emails: Vec<String>,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for RemovePeople {
    type Out = Vec<Crossing>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<Crossing>> {
        let log = Log::hold(tx).await?;
        let mut out = Vec::new();
        for email in &self.emails {
            out.push(if waitlist::cross_off(tx, email).await? {
                Crossing::Removed
            } else {
                Crossing::Unknown
            });
        }
        let gone = out.iter().filter(|one| **one == Crossing::Removed).count();
        if gone > 0 {
            let deed = Deed {
                detail: gone.to_string(),
                ..Deed::new(self.now, Actor::Operator, AuditAction::RemovePeople)
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

/// Gives a member another address, with a row in the audit log. No address stands in it.
#[derive(Debug)]
pub struct ChangeAddress(pub SetEmail);

impl kith_db::Write for ChangeAddress {
    type Out = NewAddress;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<NewAddress> {
        let log = Log::hold(tx).await?;
        let out = self.0.run(tx).await?;
        if let NewAddress::Set(member) = out {
            let deed = Deed {
                member: Some(member.0),
                ..Deed::new(self.0.now, Actor::Operator, AuditAction::ChangeAddress)
            };
            log.write(tx, &deed).await?;
        }
        Ok(out)
    }
}

/// Ends all sessions of a member, with a row in the audit log.
#[derive(Debug)]
pub struct EndSessions(pub SignOut);

impl kith_db::Write for EndSessions {
    type Out = Option<Id>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<Id>> {
        let log = Log::hold(tx).await?;
        let found = self.0.run(tx).await?;
        if let Some(member) = found {
            let deed = Deed {
                member: Some(member.0),
                ..Deed::new(self.0.now, Actor::Operator, AuditAction::SignOut)
            };
            log.write(tx, &deed).await?;
        }
        Ok(found)
    }
}

/// Has everybody log in anew, with a row in the audit log. Answers how many sessions ended.
#[derive(Debug)]
pub struct EndEverybodys {
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for EndEverybodys {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        let log = Log::hold(tx).await?;
        let ended = EndEverything.run(tx).await?;
        let deed = Deed {
            detail: "everybody".to_owned(),
            ..Deed::new(self.now, Actor::Operator, AuditAction::SignOut)
        };
        log.write(tx, &deed).await?;
        Ok(ended)
    }
}

/// Has an account deleted, with a row in the audit log.
#[derive(Debug)]
pub struct DeleteMember(pub Leave);

impl kith_db::Write for DeleteMember {
    type Out = Asked;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Asked> {
        let log = Log::hold(tx).await?;
        let asked = self.0.run(tx).await?;
        let deed = Deed {
            member: Some(self.0.member.0),
            detail: rfc3339(asked.delete_at),
            ..Deed::new(self.0.now, Actor::Operator, AuditAction::DeleteMember)
        };
        log.write(tx, &deed).await?;
        Ok(asked)
    }
}

/// Writes that everything of a member is copied to a file.
#[derive(Debug)]
pub struct ExportMember {
    /// Whose.
    pub member: Id,
    /// The time now.
    pub now: Millis,
}

impl kith_db::Write for ExportMember {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let log = Log::hold(tx).await?;
        let deed = Deed {
            member: Some(self.member.0),
            ..Deed::new(self.now, Actor::Operator, AuditAction::ExportMember)
        };
        log.write(tx, &deed).await
    }
}
