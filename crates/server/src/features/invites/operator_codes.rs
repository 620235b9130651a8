//! Invite codes of the operator: list and revocation.

use crate::platform::clock::Millis;
use kith_db::{Reader, Sql, Tx, params, sql};
use serde::Serialize;

const LIST: Sql = sql!(
    "select code, expires_at, claimed_by, revoked_at, uses, used from invites
     where inviter_id is null and code > $1 order by code limit $2"
);
const INSERT: Sql = sql!("insert into invites (code, expires_at, uses) values ($1, $2, $3)");
const FIND: Sql = sql!("select claimed_by from invites where code = $1");
const REVOKE: Sql = sql!(
    "update invites set revoked_at = $2
     where code = $1 and claimed_by is null and revoked_at is null returning inviter_id"
);
const MARK_REVOKED: Sql = sql!(
    "update member_invites set revoked_at = $3 where member_id = $1 and code = $2 and revoked_at is null"
);

/// Codes per query.
const BATCH_SIZE: u32 = 500;

/// An invite code without an inviter.
#[derive(Debug, Clone)]
pub struct OperatorCode {
    /// Invite code.
    pub code: String,
    /// Time after which it cannot be claimed.
    pub expires_at: Millis,
    /// How many people can join with it.
    pub uses: i64,
    /// How many members have joined with it.
    pub used: i64,
    /// Whether it was revoked.
    pub is_revoked: bool,
}

/// Outcome of revoking a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RevokeOutcome {
    /// The code was revoked.
    Revoked,
    /// The code was revoked before.
    Before,
    /// No one else can join with the code.
    Used,
    /// There is no such code.
    Unknown,
}

/// Inserts a code without an inviter, with which `uses` people can join.
pub async fn insert_operator_code(
    tx: &mut Tx,
    code: &str,
    expires_at: Millis,
    uses: i64,
) -> kith_db::Result<()> {
    tx.exec(&INSERT, params![code, expires_at, uses]).await.map(drop)
}

/// Loads all codes of the operator, the next to expire first.
pub async fn load_operator_codes(db: &Reader<'_>) -> kith_db::Result<Vec<OperatorCode>> {
    let mut codes: Vec<OperatorCode> = Vec::new();
    loop {
        let last = codes.last().map_or("", |last| last.code.as_str());
        let parameters = params![last, BATCH_SIZE];
        let page = db.all(&LIST, parameters, |row| {
            let uses = row.int(4)?;
            Ok(OperatorCode {
                code: row.text(0)?,
                expires_at: row.int(1)?,
                is_revoked: row.opt_int(3)?.is_some(),
                uses,
                used: if row.opt_int(2)?.is_some() { uses } else { row.int(5)? },
            })
        });
        let page = page.await?;
        if page.is_empty() {
            codes.sort_by_key(|code| code.expires_at);
            return Ok(codes);
        }
        codes.extend(page);
    }
}

/// Revokes an unused code, also one of a member.
pub async fn revoke_code(tx: &mut Tx, code: &str, now: Millis) -> kith_db::Result<RevokeOutcome> {
    // Locks the row that a claim locks, so that a concurrent claim comes before or after.
    let revoked = tx.opt(&REVOKE, params![code, now], |row| row.opt_int(0)).await?;
    if let Some(inviter) = revoked {
        if let Some(inviter) = inviter {
            tx.exec(&MARK_REVOKED, params![inviter, code, now]).await?;
        }
        return Ok(RevokeOutcome::Revoked);
    }
    let read = |row: &kith_db::Row<'_>| Ok(row.opt_int(0)?.is_some());
    Ok(match tx.opt(&FIND, params![code], read).await? {
        Some(true) => RevokeOutcome::Used,
        Some(false) => RevokeOutcome::Before,
        None => RevokeOutcome::Unknown,
    })
}
