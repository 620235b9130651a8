//! Schema migrations: numbered files, one text for both engines.
//!
//! A file is DDL with the types `bigint`, `smallint` and `text`. SQLite gets `integer` and STRICT tables. Lines
//! between `-- only: sqlite` or `-- only: postgres` and `-- end` are for one engine. Before each `create table`,
//! `-- shard: id` names its shard key; `-- shard: id clustered` also makes it a `without rowid` table on SQLite.
//!
//! A file whose first line is `-- additive` changes nothing that earlier versions use: their servers keep running beside
//! it, and may start. Any other migration is an error while a server runs on PostgreSQL.

use crate::postgres::Postgres;
use crate::postgres::changes::has_other_server;
use crate::postgres::timeouts::{NO_STATEMENT_TIMEOUT, STATEMENT_TIMEOUT};
use crate::{Engine, Error, Result};
use rusqlite::{Connection, TransactionBehavior};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// One numbered change of the schema.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Number: 1, 2, 3 … without gaps.
    pub version: i64,
    /// File name without extension.
    pub name: &'static str,
    /// File content.
    pub sql: &'static str,
}

/// Physical layout of tables on PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Plain tables.
    Plain,
    /// Hash partitions by shard key: this many per table.
    Partitioned(u32),
}

const CREATE_HISTORY: &str = "create table if not exists schema_migrations (
    version bigint primary key, name text not null, checksum text not null)";

const SELECT_HISTORY: &str = "select version, checksum from schema_migrations order by version";

/// Prefix of the checksum of a migration that earlier versions need not know.
const ADDITIVE: &str = "additive:";

impl Migration {
    /// Returns the SHA-256 of the text, after [`ADDITIVE`] for an additive migration: a file that changed after it was
    /// applied is an error.
    fn checksum(&self) -> String {
        let prefix = if self.is_additive() { ADDITIVE } else { "" };
        format!("{prefix}{}", hex::encode(Sha256::digest(self.sql.as_bytes())))
    }

    fn is_additive(&self) -> bool {
        self.sql.lines().next() == Some("-- additive")
    }

    /// Renders the text for an engine.
    ///
    /// # Panics
    /// When `-- only:` names no engine.
    #[must_use]
    pub fn render(&self, engine: Engine, layout: Layout) -> String {
        let mut out = String::new();
        let mut only_sqlite = None;
        let mut shard = None;
        for line in self.sql.lines() {
            let bare = line.trim();
            if let Some(only) = bare.strip_prefix("-- only: ") {
                assert!(
                    ["sqlite", "postgres"].contains(&only),
                    "{}: unknown engine {only}",
                    self.name
                );
                only_sqlite = Some(only == "sqlite");
            } else if bare == "-- end" {
                only_sqlite = None;
            } else if let Some(column) = bare.strip_prefix("-- shard: ") {
                shard = Some(column.to_owned());
            } else if only_sqlite.is_none_or(|sqlite| sqlite == (engine == Engine::Sqlite))
                && !bare.starts_with("--")
            {
                out.push_str(line);
                if bare == ");"
                    && let Some(column) = shard.take()
                {
                    close_table(&mut out, engine, layout, &column);
                }
                out.push('\n');
            }
        }
        if engine == Engine::Sqlite {
            out.replace(" bigint", " integer").replace(" smallint", " integer")
        } else {
            out
        }
    }
}

/// Closes a `create table` for the engine; `out` ends with the plain `);`.
fn close_table(out: &mut String, engine: Engine, layout: Layout, shard: &str) {
    out.pop();
    let (shard, clustered) =
        shard.split_once(" clustered").map_or((shard, false), |(shard, _)| (shard, true));
    match (engine, layout) {
        (Engine::Sqlite, _) if clustered => out.push_str(" strict, without rowid;"),
        (Engine::Sqlite, _) => out.push_str(" strict;"),
        (Engine::Postgres, Layout::Plain) => out.push(';'),
        (Engine::Postgres, Layout::Partitioned(parts)) => {
            let table =
                out.rsplit("create table ").next().and_then(|rest| rest.split_whitespace().next());
            let table = table.unwrap_or_default().to_owned();
            let _ = write!(out, " partition by hash ({shard});");
            for part in 0..parts {
                let _ = write!(
                    out,
                    "\ncreate table {table}_p{part} partition of {table} for values with (modulus {parts}, remainder {part});"
                );
            }
        }
    }
}

/// Returns the migrations that are not applied, or the error that keeps this program from the database.
fn pending<'a>(applied: &[(i64, String)], all: &'a [Migration]) -> Result<Vec<&'a Migration>> {
    for (version, checksum) in applied {
        match all.iter().find(|migration| migration.version == *version) {
            None if checksum.starts_with(ADDITIVE) => {}
            None => {
                return Err(Error::Schema(format!(
                    "the database was created by a newer version of kith (schema {version}, this program knows {}): start that version instead",
                    all.len()
                )));
            }
            Some(known) if known.checksum() != *checksum => {
                return Err(Error::Schema(format!(
                    "migration {} differs from the one the database was made with: start the version of kith that made it",
                    known.name
                )));
            }
            Some(_) => {}
        }
    }
    Ok(all
        .iter()
        .filter(|migration| applied.iter().all(|(version, _)| *version != migration.version))
        .collect())
}

/// Fails if a SQLite file lacks a migration.
pub(crate) fn ensure_current_sqlite(conn: &Connection, all: &[Migration]) -> Result<()> {
    ensure_none_pending(&applied_sqlite(conn)?, all)
}

/// Whether a PostgreSQL database has no schema yet.
pub(crate) async fn is_postgres_empty(db: &Postgres) -> Result<bool> {
    Ok(applied_postgres(db).await?.is_empty())
}

/// Fails if a PostgreSQL database lacks a migration.
pub(crate) async fn ensure_current_postgres(db: &Postgres, all: &[Migration]) -> Result<()> {
    ensure_none_pending(&applied_postgres(db).await?, all)
}

fn ensure_none_pending(applied: &[(i64, String)], all: &[Migration]) -> Result<()> {
    match pending(applied, all)?.first() {
        None => Ok(()),
        Some(next) => Err(Error::Schema(format!(
            "the database lacks {}: stop the running server and start this version first",
            next.name
        ))),
    }
}

/// Counts the migrations that a SQLite file lacks.
pub(crate) fn count_missing_sqlite(conn: &Connection, all: &[Migration]) -> Result<usize> {
    Ok(pending(&applied_sqlite(conn)?, all)?.len())
}

/// Counts the migrations that a PostgreSQL database lacks: all of them without a history table.
pub(crate) async fn count_missing_postgres(db: &Postgres, all: &[Migration]) -> Result<usize> {
    Ok(pending(&applied_postgres(db).await?, all)?.len())
}

/// Reads the applied migrations of a PostgreSQL database; none without a history table.
async fn applied_postgres(db: &Postgres) -> Result<Vec<(i64, String)>> {
    let client = db.client().await?;
    let history_exists = "select to_regclass('schema_migrations') is not null";
    if !client.query_one(history_exists, &[]).await?.get::<_, bool>(0) {
        return Ok(Vec::new());
    }
    let rows = client.query(SELECT_HISTORY, &[]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

fn applied_sqlite(conn: &Connection) -> Result<Vec<(i64, String)>> {
    Ok(conn
        .prepare(SELECT_HISTORY)?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?)
}

/// Applies all missing migrations of a SQLite file in one transaction.
pub(crate) fn migrate_sqlite(conn: &mut Connection, all: &[Migration]) -> Result<()> {
    conn.execute_batch(&format!("{CREATE_HISTORY} strict").replace("bigint", "integer"))?;
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let applied = applied_sqlite(&tx)?;
    for migration in pending(&applied, all)? {
        tx.execute_batch(&migration.render(Engine::Sqlite, Layout::Plain))?;
        tx.execute(
            "insert into schema_migrations (version, name, checksum) values (?1, ?2, ?3)",
            (migration.version, migration.name, migration.checksum()),
        )?;
    }
    tx.commit()?;
    Ok(())
}

/// Applies all missing migrations of a PostgreSQL database. Processes that start concurrently wait for each other.
pub(crate) async fn migrate_postgres(
    db: &Postgres,
    all: &[Migration],
    layout: Layout,
) -> Result<()> {
    let mut client = db.client().await?;
    client.batch_execute(NO_STATEMENT_TIMEOUT).await?;
    // Two processes may both find no table; the second attempt of the later one finds it.
    if client.batch_execute(CREATE_HISTORY).await.is_err() {
        client.batch_execute(CREATE_HISTORY).await?;
    }
    let tx = client.transaction().await?;
    tx.batch_execute("lock table schema_migrations in access exclusive mode").await?;
    tx.batch_execute(crate::postgres::changes::transaction_changes::TABLE).await?;
    let applied = tx
        .query(SELECT_HISTORY, &[])
        .await?
        .iter()
        .map(|row| (row.get(0), row.get(1)))
        .collect::<Vec<(i64, String)>>();
    let pending = pending(&applied, all)?;
    if !applied.is_empty()
        && let Some(breaking) = pending.iter().find(|migration| !migration.is_additive())
        && has_other_server(tx.client()).await?
    {
        return Err(Error::Schema(format!(
            "migration {} does not work with servers of the earlier version: stop all of them, then start this version",
            breaking.name
        )));
    }
    for migration in pending {
        tx.batch_execute(&migration.render(Engine::Postgres, layout)).await?;
        tx.execute(
            "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)",
            &[&migration.version, &migration.name, &migration.checksum()],
        )
        .await?;
    }
    tx.commit().await?;
    client.batch_execute(STATEMENT_TIMEOUT).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Migration = Migration {
        version: 1,
        name: "0001_first",
        sql: "-- shard: id\ncreate table t (\n  id bigint not null,\n  n smallint,\n  primary key (id)\n);\n-- only: postgres\ncreate index t_n on t (n) include (id);\n-- end\n",
    };

    #[test]
    fn one_text_renders_three_layouts() {
        let sqlite = FIRST.render(Engine::Sqlite, Layout::Plain);
        assert!(sqlite.contains("id integer not null") && sqlite.contains(") strict;"), "{sqlite}");
        assert!(!sqlite.contains("include"), "{sqlite}");
        let plain = FIRST.render(Engine::Postgres, Layout::Plain);
        assert!(
            plain.contains("id bigint not null")
                && plain.contains(");\n")
                && plain.contains("include"),
            "{plain}"
        );
        let parts = FIRST.render(Engine::Postgres, Layout::Partitioned(2));
        assert!(parts.contains(") partition by hash (id);"), "{parts}");
        assert!(
            parts.contains(
                "create table t_p1 partition of t for values with (modulus 2, remainder 1);"
            ),
            "{parts}"
        );
    }

    #[test]
    fn a_newer_or_changed_schema_is_an_error_unless_it_is_additive() {
        let additive = Migration { version: 2, name: "0002", sql: "-- additive\n" };
        let applied = vec![(1, FIRST.checksum()), (2, additive.checksum())];
        assert_eq!(pending(&applied, &[FIRST]).map_or(1, |list| list.len()), 0);
        let applied = vec![(1, FIRST.checksum()), (2, "x".into())];
        assert!(
            matches!(pending(&applied, &[FIRST]), Err(Error::Schema(text)) if text.contains("newer"))
        );
        let changed = vec![(1, "other".to_owned())];
        assert!(
            matches!(pending(&changed, &[FIRST]), Err(Error::Schema(text)) if text.contains("differs"))
        );
        assert_eq!(pending(&[], &[FIRST]).map_or(0, |list| list.len()), 1);
    }
}
