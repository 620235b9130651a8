//! Appends to the audit log. Triggers forbid changes, and each row stores a hash of its content and of the row before.

use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};
use serde::Serialize;
use utoipa::ToSchema;

/// Locks the head of the hash chain until the transaction ends, which serializes audited actions.
const LOCK_HEAD: Sql = sql!("update audit_head set seq = seq where part = 0 returning seq, hash");
const INSERT: Sql = sql!(
    "insert into audit_log (part, seq, at, actor_id, action, post_id, member_id, detail, note, hash)
     values (0, $1, $2, $3, $4, $5, $6, $7, $8, $9)"
);
const ADVANCE_HEAD: Sql = sql!("update audit_head set seq = $1, hash = $2 where part = 0");

/// Author of an audited action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// The operator, through a command.
    Operator,
    /// A moderator or an admin.
    Member(Id),
}

impl Actor {
    /// Returns the member id, or `None` for the operator.
    #[must_use]
    pub const fn member(self) -> Option<i64> {
        match self {
            Self::Operator => None,
            Self::Member(id) => Some(id.0),
        }
    }
}

// The discriminants are stored.
/// Action in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditAction {
    /// Dismissed reports.
    DismissReports = 1,
    /// Removed a post.
    RemovePost = 2,
    /// Suspended a member. The detail is the end of the suspension, if it has one.
    Suspend = 3,
    /// Lifted a suspension. The detail is `expired` if the server did so because its end was reached, `objection`
    /// if the member had objected.
    Unsuspend = 4,
    /// Froze a member's invites. The detail is the end of the freeze, if it has one.
    FreezeInvites = 5,
    /// Unfroze a member's invites. The detail is `expired` if the server did so because the end was reached,
    /// `objection` if the member had objected.
    UnfreezeInvites = 6,
    /// Changed a member's role. The detail is the new role.
    ChangeRole = 7,
    /// Admitted applicants from the waitlist. The detail is their number or the id of the entry.
    AdmitPeople = 8,
    /// Created invite codes without a member. The detail is their number.
    CreateInvites = 9,
    /// Printed a login link.
    PrintSignIn = 10,
    /// Changed a member's email.
    ChangeAddress = 11,
    /// Exported a member's data to a file.
    ExportMember = 12,
    /// Scheduled the deletion of a member's account. The detail is its time.
    DeleteMember = 13,
    /// Ended all sessions of a member, or of all members if the detail says so.
    SignOut = 14,
    /// Removed applicants from the waitlist. The detail is their number.
    RemovePeople = 15,
    /// Revoked invite codes. The detail is their number.
    RevokeInvites = 16,
    /// Added applicants to the waitlist. The detail is their number.
    AddPeople = 17,
    /// Changed the network's settings. The detail is their names.
    ChangeSettings = 18,
    /// Mailed the announcement to all members.
    MailAnnouncement = 19,
    /// Rejected an objection to a sanction.
    RejectObjection = 20,
    /// Restored a removed post. The detail is `objection` if its author had objected.
    RestorePost = 21,
    /// Accepted an objection to the removal of a post that cannot be restored any more.
    AcceptObjection = 22,
}

impl AuditAction {
    /// Every action.
    pub const ALL: [Self; 22] = [
        Self::DismissReports,
        Self::RemovePost,
        Self::Suspend,
        Self::Unsuspend,
        Self::FreezeInvites,
        Self::UnfreezeInvites,
        Self::ChangeRole,
        Self::AdmitPeople,
        Self::CreateInvites,
        Self::PrintSignIn,
        Self::ChangeAddress,
        Self::ExportMember,
        Self::DeleteMember,
        Self::SignOut,
        Self::RemovePeople,
        Self::RevokeInvites,
        Self::AddPeople,
        Self::ChangeSettings,
        Self::MailAnnouncement,
        Self::RejectObjection,
        Self::RestorePost,
        Self::AcceptObjection,
    ];

    /// Decodes a stored number; `None` for one that a newer version wrote.
    #[must_use]
    pub fn from_stored(stored: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|action| *action as i64 == stored)
    }
}

/// Content of an audit row, without its number and hash.
#[derive(Debug, Clone)]
pub(super) struct AuditRecord {
    pub(super) at: Millis,
    /// `None` for the operator.
    pub(super) actor: Option<i64>,
    /// A number of [`AuditAction`].
    pub(super) action: i64,
    pub(super) post: Option<i64>,
    pub(super) member: Option<i64>,
    pub(super) detail: String,
    pub(super) note: String,
}

impl AuditRecord {
    /// Creates a record without post, member, detail or note.
    pub(super) fn new(at: Millis, actor: Actor, action: AuditAction) -> Self {
        Self {
            at,
            actor: actor.member(),
            action: action as i64,
            post: None,
            member: None,
            detail: String::new(),
            note: String::new(),
        }
    }

    /// Hashes the row together with the previous hash. A JSON array keeps the boundaries between values.
    pub(super) fn hash(&self, previous: &str, seq: i64) -> String {
        let content = serde_json::json!([
            previous,
            seq,
            self.at,
            self.actor,
            self.action,
            self.post,
            self.member,
            self.detail,
            self.note,
        ]);
        crypto::hash_secret(&content.to_string())
    }
}

/// Head of the hash chain, locked by one transaction.
#[derive(Debug)]
pub(super) struct AuditWriter {
    seq: i64,
    hash: String,
}

impl AuditWriter {
    /// Locks the head of the chain. Actions call this first, so that no other audited action runs between their reads and
    /// writes.
    pub(super) async fn lock(tx: &mut Tx) -> Result<Self> {
        tx.one(&LOCK_HEAD, &[], |row| Ok(Self { seq: row.int(0)?, hash: row.text(1)? })).await
    }

    /// Appends a row and advances the head.
    pub(super) async fn append(self, tx: &mut Tx, record: &AuditRecord) -> Result<()> {
        let seq = self.seq + 1;
        let hash = record.hash(&self.hash, seq);
        let parameters = params![
            seq,
            record.at,
            record.actor,
            record.action,
            record.post,
            record.member,
            &record.detail,
            &record.note,
            &hash,
        ];
        tx.exec(&INSERT, parameters).await?;
        tx.exec(&ADVANCE_HEAD, params![seq, &hash]).await.map(drop)
    }
}
