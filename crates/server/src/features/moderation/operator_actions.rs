//! Transactions of the operator's commands, each with its audit row. Email addresses never enter the audit log.

use crate::features::account::deletion::{RequestDeletion, ScheduledDeletion};
use crate::features::auth::{
    Email, RevokeAllCredentials, RevokeMemberSessions, SetEmail, SetEmailOutcome,
};
use crate::features::invites;
use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::staff;
use crate::features::waitlist::{self, Admit, AdmitOutcome, AdmitError, RemovalOutcome};
use crate::http::error::{ApiError, Result};
use crate::platform::Platform;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use kith_db::Tx;

/// Transaction that admits people from the waitlist.
#[derive(Debug)]
pub struct AdmitPeople {
    actor: Actor,
    admit: Admit,
    /// Waitlist entry that the audit row names when only one person is admitted.
    entry: Option<Id>,
    now: Millis,
}

impl AdmitPeople {
    /// Admits several people, each with a new invite code.
    #[must_use]
    pub fn new(platform: &Platform, actor: Actor, emails: Vec<Email>) -> Self {
        Self { actor, admit: Admit::new(platform, emails), entry: None, now: platform.now() }
    }

    /// Admits the person of one waitlist entry.
    #[must_use]
    pub fn one(platform: &Platform, actor: Actor, entry: Id, email: Email) -> Self {
        Self { entry: Some(entry), ..Self::new(platform, actor, vec![email]) }
    }
}

/// The message names the unknown email, which the caller sent.
impl From<AdmitError> for ApiError {
    fn from(error: AdmitError) -> Self {
        match error {
            AdmitError::Database(database) => database.into(),
            AdmitError::Unknown(_) => Self::not_found("entry_not_found", format!("{error}.")),
        }
    }
}

impl kith_db::Write for AdmitPeople {
    type Out = Vec<(String, AdmitOutcome)>;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out> {
        let log = AuditWriter::lock(tx).await?;
        staff::ensure_role(tx, self.actor, Role::Admin).await?;
        let out = self.admit.run(tx).await?;
        let new = out.iter().filter(|one| one.1 == AdmitOutcome::Admitted);
        let new = new.count();
        if new > 0 {
            let record = AuditRecord {
                detail: match self.entry {
                    Some(entry) => format!("entry {}", entry.0),
                    None => new.to_string(),
                },
                ..AuditRecord::new(self.now, self.actor, AuditAction::AdmitPeople)
            };
            log.append(tx, &record).await?;
        }
        Ok(out)
    }
}

/// Transaction that removes people from the waitlist.
#[derive(Debug)]
pub struct RemovePeople {
    /// Normalized email addresses.
    pub emails: Vec<String>,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for RemovePeople {
    type Out = Vec<RemovalOutcome>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<RemovalOutcome>> {
        let log = AuditWriter::lock(tx).await?;
        let mut out = Vec::new();
        for email in &self.emails {
            out.push(if waitlist::remove(tx, email).await? {
                RemovalOutcome::Removed
            } else {
                RemovalOutcome::Unknown
            });
        }
        let removed = out.iter().filter(|one| **one == RemovalOutcome::Removed).count();
        if removed > 0 {
            let record = AuditRecord {
                detail: removed.to_string(),
                ..AuditRecord::new(self.now, Actor::Operator, AuditAction::RemovePeople)
            };
            log.append(tx, &record).await?;
        }
        Ok(out)
    }
}

/// Transaction that creates invite codes without an inviter.
#[derive(Debug)]
pub struct IssueCodes {
    /// Invite codes.
    pub codes: Vec<String>,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for IssueCodes {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let log = AuditWriter::lock(tx).await?;
        for code in &self.codes {
            invites::insert_invite(tx, None, Id::NONE, code, self.now).await?;
        }
        let record = AuditRecord {
            detail: self.codes.len().to_string(),
            ..AuditRecord::new(self.now, Actor::Operator, AuditAction::CreateInvites)
        };
        log.append(tx, &record).await
    }
}

/// Records that the operator printed a login link of a member.
pub async fn record_operator_login(tx: &mut Tx, member: Id, now: Millis) -> kith_db::Result<()> {
    let log = AuditWriter::lock(tx).await?;
    let record = AuditRecord {
        member: Some(member.0),
        ..AuditRecord::new(now, Actor::Operator, AuditAction::PrintSignIn)
    };
    log.append(tx, &record).await
}

/// Transaction that changes a member's email.
#[derive(Debug)]
pub struct ChangeAddress(pub SetEmail);

impl kith_db::Write for ChangeAddress {
    type Out = SetEmailOutcome;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<SetEmailOutcome> {
        let log = AuditWriter::lock(tx).await?;
        let out = self.0.run(tx).await?;
        if let SetEmailOutcome::Set(member) = out {
            let record = AuditRecord {
                member: Some(member.0),
                ..AuditRecord::new(self.0.now, Actor::Operator, AuditAction::ChangeAddress)
            };
            log.append(tx, &record).await?;
        }
        Ok(out)
    }
}

/// Transaction that revokes all sessions of a member.
#[derive(Debug)]
pub struct EndSessions(pub RevokeMemberSessions);

impl kith_db::Write for EndSessions {
    type Out = Option<Id>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Option<Id>> {
        let log = AuditWriter::lock(tx).await?;
        let found = self.0.run(tx).await?;
        if let Some(member) = found {
            let record = AuditRecord {
                member: Some(member.0),
                ..AuditRecord::new(self.0.now, Actor::Operator, AuditAction::SignOut)
            };
            log.append(tx, &record).await?;
        }
        Ok(found)
    }
}

/// Transaction that revokes the sessions of all members; returns their number.
#[derive(Debug)]
pub struct RevokeAllSessions {
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for RevokeAllSessions {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        let log = AuditWriter::lock(tx).await?;
        let ended = RevokeAllCredentials.run(tx).await?;
        let record = AuditRecord {
            detail: "everybody".to_owned(),
            ..AuditRecord::new(self.now, Actor::Operator, AuditAction::SignOut)
        };
        log.append(tx, &record).await?;
        Ok(ended)
    }
}

/// Transaction that schedules the deletion of an account.
#[derive(Debug)]
pub struct DeleteMember(pub RequestDeletion);

impl kith_db::Write for DeleteMember {
    type Out = ScheduledDeletion;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<ScheduledDeletion> {
        let log = AuditWriter::lock(tx).await?;
        let asked = self.0.run(tx).await?;
        let record = AuditRecord {
            member: Some(self.0.member.0),
            detail: rfc3339(asked.delete_at),
            ..AuditRecord::new(self.0.now, Actor::Operator, AuditAction::DeleteMember)
        };
        log.append(tx, &record).await?;
        Ok(asked)
    }
}

/// Transaction that records an export of a member's data to a file.
#[derive(Debug)]
pub struct ExportMember {
    /// Exported member.
    pub member: Id,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for ExportMember {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let log = AuditWriter::lock(tx).await?;
        let record = AuditRecord {
            member: Some(self.member.0),
            ..AuditRecord::new(self.now, Actor::Operator, AuditAction::ExportMember)
        };
        log.append(tx, &record).await
    }
}
