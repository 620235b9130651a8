//! Writes the audit log. Triggers forbid changes, and each row holds a hash of its content and the hash before.

use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};
use serde::Serialize;
use utoipa::ToSchema;

/// Holds the end of the chain until the transaction ends: one deed after the other.
const HOLD: Sql = sql!("update audit_head set seq = seq where part = 0 returning seq, hash");
const APPEND: Sql = sql!(
    "insert into audit_log (part, seq, at, actor_id, action, post_id, member_id, detail, note, hash)
     values (0, $1, $2, $3, $4, $5, $6, $7, $8, $9)"
);
const MOVE: Sql = sql!("update audit_head set seq = $1, hash = $2 where part = 0");

/// Who did something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// Whoever runs the server, by a command.
    Operator,
    /// A moderator or an admin.
    Member(Id),
}

impl Actor {
    /// The member, if it was one.
    #[must_use]
    pub const fn member(self) -> Option<i64> {
        match self {
            Self::Operator => None,
            Self::Member(id) => Some(id.0),
        }
    }
}

// The numbers are stored.
/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditAction {
    /// Reports were looked at, and nothing else was done.
    DismissReports = 1,
    /// A post was removed.
    RemovePost = 2,
    /// A member was suspended.
    Suspend = 3,
    /// A member may log in again.
    Unsuspend = 4,
    /// A member's invites were frozen.
    FreezeInvites = 5,
    /// A member's invites work again.
    UnfreezeInvites = 6,
    /// A member got another role: the detail.
    ChangeRole = 7,
    /// People were admitted from the waitlist: as many as the detail says, or the entry that it names.
    AdmitPeople = 8,
    /// Invite codes of nobody were made: as many as the detail says.
    CreateInvites = 9,
    /// An address that logs a member in was printed.
    PrintSignIn = 10,
    /// A member got another mail address.
    ChangeAddress = 11,
    /// A copy of everything of a member was written to a file.
    ExportMember = 12,
    /// A member's account is to be deleted: the detail says when.
    DeleteMember = 13,
    /// All sessions of a member were ended, or everybody's, if the detail says so.
    SignOut = 14,
    /// People were taken off the waitlist: as many as the detail says.
    RemovePeople = 15,
}

impl AuditAction {
    /// Every action.
    pub const ALL: [Self; 15] = [
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
    ];

    /// The action behind a stored number.
    #[must_use]
    pub fn of(stored: i64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|action| *action as i64 == stored)
    }
}

/// A row to be written, or as it was read.
#[derive(Debug, Clone)]
pub(super) struct Deed {
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

impl Deed {
    /// A deed about nobody and nothing.
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

    /// The hash of its row. A JSON list says where each value ends.
    pub(super) fn hash(&self, before: &str, seq: i64) -> String {
        let content = serde_json::json!([
            before,
            seq,
            self.at,
            self.actor,
            self.action,
            self.post,
            self.member,
            self.detail,
            self.note,
        ]);
        crypto::hash(&content.to_string())
    }
}

/// The end of the chain, held by one transaction.
#[derive(Debug)]
pub(super) struct Log {
    seq: i64,
    hash: String,
}

impl Log {
    /// Locks the end of the log, so that what an action reads next stays true until its end.
    pub(super) async fn hold(tx: &mut Tx) -> Result<Self> {
        tx.one(&HOLD, &[], |row| {
            Ok(Self {
                seq: row.int(0)?,
                hash: row.text(1)?,
            })
        })
        .await
    }

    pub(super) async fn write(self, tx: &mut Tx, deed: &Deed) -> Result<()> {
        let seq = self.seq + 1;
        let hash = deed.hash(&self.hash, seq);
        let bound = params![
            seq,
            deed.at,
            deed.actor,
            deed.action,
            deed.post,
            deed.member,
            &deed.detail,
            &deed.note,
            &hash,
        ];
        tx.exec(&APPEND, bound).await?;
        tx.exec(&MOVE, params![seq, &hash]).await.map(drop)
    }
}
