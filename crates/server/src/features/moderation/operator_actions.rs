//! Transactions of the operator's commands, each with its audit row. Email addresses never enter the audit log.

use crate::features::account::deletion::{RequestDeletion, ScheduledDeletion};
use crate::features::auth::{
    Email, RevokeAllCredentials, RevokeMemberSessions, SetEmail, SetEmailOutcome,
};
use crate::features::invites::{self, RevokeOutcome};
use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::staff;
use crate::features::waitlist::{self, AdmitApplicants, AdmitError, AdmitOutcome, RemovalOutcome};
use crate::http::error::{ApiError, Result};
use crate::platform::Platform;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use kith_db::Tx;

/// Transaction that admits applicants from the waitlist.
#[derive(Debug)]
pub struct AdmitPeople {
    actor: Actor,
    admit: AdmitApplicants,
    /// Waitlist entry that the audit row names when only one applicant is admitted.
    entry: Option<Id>,
}

impl AdmitPeople {
    /// Admits several applicants, each with a new invite code.
    #[must_use]
    pub fn new(platform: &Platform, actor: Actor, emails: Vec<Email>) -> Self {
        Self { actor, admit: AdmitApplicants::new(platform, emails), entry: None }
    }

    /// Admits the applicant of one waitlist entry.
    #[must_use]
    pub fn one(platform: &Platform, actor: Actor, entry: Id, email: Email) -> Self {
        Self { entry: Some(entry), ..Self::new(platform, actor, vec![email]) }
    }
}

/// Builds a message that names the unknown email, which the client sent.
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
        let outcomes = self.admit.run(tx).await?;
        let is_admitted =
            |(_, outcome): &&(String, AdmitOutcome)| *outcome == AdmitOutcome::Admitted;
        let admitted = outcomes.iter().filter(is_admitted).count();
        if admitted > 0 {
            let record = AuditRecord {
                detail: match self.entry {
                    Some(entry) => format!("entry {}", entry.0),
                    None => admitted.to_string(),
                },
                ..AuditRecord::new(self.admit.now, self.actor, AuditAction::AdmitPeople)
            };
            log.append(tx, &record).await?;
        }
        Ok(outcomes)
    }
}

/// Transaction that removes applicants from the waitlist.
#[derive(Debug)]
pub struct RemovePeople {
    /// Normalized emails.
    pub emails: Vec<String>,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for RemovePeople {
    type Out = Vec<RemovalOutcome>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<RemovalOutcome>> {
        let log = AuditWriter::lock(tx).await?;
        let mut outcomes = Vec::new();
        for email in &self.emails {
            outcomes.push(if waitlist::remove_entry(tx, email).await? {
                RemovalOutcome::Removed
            } else {
                RemovalOutcome::Unknown
            });
        }
        let is_removed = |outcome: &&RemovalOutcome| **outcome == RemovalOutcome::Removed;
        let removed = outcomes.iter().filter(is_removed).count();
        append_count(log, tx, self.now, AuditAction::RemovePeople, removed).await?;
        Ok(outcomes)
    }
}

/// Transaction that creates invite codes without an inviter.
#[derive(Debug)]
pub struct IssueCodes {
    /// Invite codes.
    pub codes: Vec<String>,
    /// Time until they expire.
    pub lifetime: Millis,
    /// How many people can join with each.
    pub uses: i64,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for IssueCodes {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let log = AuditWriter::lock(tx).await?;
        for code in &self.codes {
            let expires_at = self.now + self.lifetime;
            invites::insert_operator_code(tx, code, expires_at, self.uses).await?;
        }
        append_count(log, tx, self.now, AuditAction::CreateInvites, self.codes.len()).await
    }
}

/// Transaction that revokes unused invite codes of the operator or of members.
#[derive(Debug)]
pub struct RevokeCodes {
    /// Invite codes.
    pub codes: Vec<String>,
    /// Current time.
    pub now: Millis,
}

impl kith_db::Write for RevokeCodes {
    type Out = Vec<RevokeOutcome>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<RevokeOutcome>> {
        let log = AuditWriter::lock(tx).await?;
        let mut outcomes = Vec::new();
        for code in &self.codes {
            outcomes.push(invites::revoke_code(tx, code, self.now).await?);
        }
        let is_revoked = |outcome: &&RevokeOutcome| **outcome == RevokeOutcome::Revoked;
        let revoked = outcomes.iter().filter(is_revoked).count();
        append_count(log, tx, self.now, AuditAction::RevokeInvites, revoked).await?;
        Ok(outcomes)
    }
}

/// Transaction that adds applicants to the waitlist; returns for each whether it was added.
#[derive(Debug)]
pub struct AddPeople {
    /// Email, id of the entry, and time of joining.
    people: Vec<(Email, Id, Millis)>,
    now: Millis,
}

impl AddPeople {
    /// Adds emails as if each joined a millisecond after the one before, the first at `joined_at`.
    #[must_use]
    pub fn new(platform: &Platform, emails: Vec<Email>, joined_at: Millis) -> Self {
        let people = emails.into_iter().zip(joined_at..);
        let people = people.map(|(email, joined_at)| (email, platform.id(), joined_at));
        Self { people: people.collect(), now: platform.now() }
    }
}

impl kith_db::Write for AddPeople {
    type Out = Vec<bool>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<bool>> {
        let log = AuditWriter::lock(tx).await?;
        let mut outcomes = Vec::new();
        for (email, id, joined_at) in &self.people {
            outcomes.push(waitlist::add_entry(tx, email, *joined_at, *id).await?);
        }
        let added = outcomes.iter().filter(|is_added| **is_added).count();
        append_count(log, tx, self.now, AuditAction::AddPeople, added).await?;
        Ok(outcomes)
    }
}

/// Appends a row of the operator with the number of changed rows as its detail; no row if nothing was changed.
async fn append_count(
    log: AuditWriter,
    tx: &mut Tx,
    now: Millis,
    action: AuditAction,
    count: usize,
) -> kith_db::Result<()> {
    if count == 0 {
        return Ok(());
    }
    let record =
        AuditRecord { detail: count.to_string(), ..AuditRecord::new(now, Actor::Operator, action) };
    log.append(tx, &record).await
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
pub struct ChangeEmail(pub SetEmail);

impl kith_db::Write for ChangeEmail {
    type Out = SetEmailOutcome;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<SetEmailOutcome> {
        let log = AuditWriter::lock(tx).await?;
        let outcome = self.0.run(tx).await?;
        if let SetEmailOutcome::Set(member) = outcome {
            let record = AuditRecord {
                member: Some(member.0),
                ..AuditRecord::new(self.0.now, Actor::Operator, AuditAction::ChangeAddress)
            };
            log.append(tx, &record).await?;
        }
        Ok(outcome)
    }
}

/// Transaction that revokes the sessions, login links and pending email change of a member.
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

/// Transaction that revokes the sessions, login links and pending email changes of all members; returns the number of
/// sessions.
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
        let scheduled = self.0.run(tx).await?;
        let record = AuditRecord {
            member: Some(self.0.member.0),
            detail: rfc3339(scheduled.delete_at),
            ..AuditRecord::new(self.0.now, Actor::Operator, AuditAction::DeleteMember)
        };
        log.append(tx, &record).await?;
        Ok(scheduled)
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
