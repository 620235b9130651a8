//! Verifies the hash chain of the audit log.

use crate::features::moderation::audit_log::AuditRecord;
use kith_db::{Reader, Result, Row, Sql, params, sql};

const HEAD: Sql = sql!("select seq, hash from audit_head where part = 0");
const ROWS: Sql = sql!(
    "select seq, hash, at, actor_id, action, post_id, member_id, detail, note from audit_log
     where part = 0 and seq > $1 order by seq limit $2"
);
/// Rows per query.
const BATCH_SIZE: u32 = 500;

/// Row of the audit log.
#[derive(Debug)]
pub(super) struct AuditRow {
    pub(super) seq: i64,
    pub(super) hash: String,
    pub(super) record: AuditRecord,
}

pub(super) fn read_row(row: &Row<'_>) -> Result<AuditRow> {
    Ok(AuditRow {
        seq: row.int(0)?,
        hash: row.text(1)?,
        record: AuditRecord {
            at: row.int(2)?,
            actor: row.opt_int(3)?,
            action: row.int(4)?,
            post: row.opt_int(5)?,
            member: row.opt_int(6)?,
            detail: row.text(7)?,
            note: row.text(8)?,
        },
    })
}

/// Result of verifying the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChainStatus {
    /// All hashes match.
    Intact {
        /// Number of rows.
        rows: i64,
        /// Hash of the last row; empty without rows. A copy kept elsewhere also reveals a log that was
        /// rewritten as a whole.
        hash: String,
    },
    /// A row is missing or was changed.
    Broken {
        /// Number of the first such row.
        row: i64,
        /// Problem, as a sentence fragment without a full stop.
        why: &'static str,
    },
}

/// Recomputes every hash. Rows appended meanwhile do not make the log appear broken.
pub async fn verify_audit_log(db: &Reader<'_>) -> Result<ChainStatus> {
    let before = load_head(db).await?;
    let (mut seq, mut hash) = (0, String::new());
    loop {
        let rows = db.all(&ROWS, params![seq, BATCH_SIZE], read_row).await?;
        for row in &rows {
            seq += 1;
            if row.seq != seq {
                return Ok(broken(seq, "it is missing"));
            }
            if row.record.hash(&hash, seq) != row.hash {
                return Ok(broken(seq, "it was changed, or one before it was"));
            }
            hash.clone_from(&row.hash);
            if seq == before.0 && before.1 != hash {
                return Ok(broken(seq, "the end of the chain names another row"));
            }
        }
        if rows.is_empty() {
            break;
        }
    }
    let after = load_head(db).await?;
    if seq < before.0 {
        return Ok(broken(seq + 1, "it is missing"));
    }
    if seq > after.0 {
        return Ok(broken(after.0 + 1, "the end of the chain is before it"));
    }
    Ok(ChainStatus::Intact { rows: seq, hash })
}

const fn broken(row: i64, why: &'static str) -> ChainStatus {
    ChainStatus::Broken { row, why }
}

async fn load_head(db: &Reader<'_>) -> Result<(i64, String)> {
    let found = db.opt(&HEAD, &[], |row| Ok((row.int(0)?, row.text(1)?)));
    // A missing head counts as row 0, so that the first row is reported as being after it.
    Ok(found.await?.unwrap_or((0, String::new())))
}
