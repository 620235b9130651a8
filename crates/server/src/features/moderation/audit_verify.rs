//! Whether the audit log is as it was written.

use crate::features::moderation::audit_log::Deed;
use kith_db::{Reader, Result, Row, Sql, params, sql};

const HEAD: Sql = sql!("select seq, hash from audit_head where part = 0");
const ROWS: Sql = sql!(
    "select seq, hash, at, actor_id, action, post_id, member_id, detail, note from audit_log
     where part = 0 and seq > $1 order by seq limit $2"
);
/// Rows that one read takes.
const STEP: u32 = 500;

#[derive(Debug)]
pub(super) struct Stored {
    pub(super) seq: i64,
    pub(super) hash: String,
    pub(super) deed: Deed,
}

pub(super) fn read(row: &Row<'_>) -> Result<Stored> {
    Ok(Stored {
        seq: row.int(0)?,
        hash: row.text(1)?,
        deed: Deed {
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

/// What the chain says of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// Every row is as it was written.
    Whole {
        /// How many there are.
        rows: i64,
        /// The hash of the last one; empty when there is none. Kept elsewhere, it also shows
        /// whether all rows were written anew.
        hash: String,
    },
    /// The first row that is not.
    Broken {
        /// Its number.
        row: i64,
        /// What is wrong with it, without a full stop.
        why: &'static str,
    },
}

/// Recomputes every hash. Rows that are written meanwhile do no harm.
pub async fn verify(db: &Reader<'_>) -> Result<Proof> {
    let before = head(db).await?;
    let (mut seq, mut hash) = (0, String::new());
    loop {
        let rows = db.all(&ROWS, params![seq, STEP], read).await?;
        for row in &rows {
            seq += 1;
            if row.seq != seq {
                return Ok(broken(seq, "it is missing"));
            }
            if row.deed.hash(&hash, seq) != row.hash {
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
    let after = head(db).await?;
    if seq < before.0 {
        return Ok(broken(seq + 1, "it is missing"));
    }
    if seq > after.0 {
        return Ok(broken(after.0 + 1, "the end of the chain is before it"));
    }
    Ok(Proof::Whole { rows: seq, hash })
}

const fn broken(row: i64, why: &'static str) -> Proof {
    Proof::Broken { row, why }
}

async fn head(db: &Reader<'_>) -> Result<(i64, String)> {
    let found = db.opt(&HEAD, &[], |row| Ok((row.int(0)?, row.text(1)?)));
    // Without an end every row stands behind it.
    Ok(found.await?.unwrap_or((0, String::new())))
}
