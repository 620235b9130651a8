//! Connections to a SQLite file, and statements on them.

use crate::{Error, Param, Result, Row, Sql};
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::path::Path;
use std::time::Duration;

/// Oldest supported version: 3.51.3 fixed a rare corruption of WAL files in a checkpoint.
const MIN_VERSION: i32 = 3_051_003;

/// How long a connection waits for a lock of another process.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens or creates the file for writing with durable commits.
///
/// A like or a follow changes a dozen scattered pages that soon change again: a WAL longer than the usual 4 MB
/// copies each page to the file once, and a larger cache reads it once. `secure_delete` overwrites deleted
/// content, which would otherwise stay in the file and in its copies.
pub(crate) fn open_writer(path: &Path) -> Result<Connection> {
    if rusqlite::version_number() < MIN_VERSION {
        return Err(Error::Schema(format!(
            "SQLite {} is too old: 3.51.3 or later is needed",
            rusqlite::version()
        )));
    }
    let conn = Connection::open(path)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.execute_batch(
        "pragma journal_mode = wal;
         pragma synchronous = full;
         pragma secure_delete = on;
         pragma cache_size = -32000;
         pragma wal_autocheckpoint = 4000;
         pragma temp_store = memory;",
    )?;
    conn.set_prepared_statement_cache_capacity(256);
    Ok(conn)
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.execute_batch("pragma cache_size = -4000; pragma temp_store = memory;")?;
    conn.set_prepared_statement_cache_capacity(256);
    Ok(conn)
}

/// Opens an existing file for reading and writing.
pub(crate) fn open_existing(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.execute_batch("pragma busy_timeout = 5000")?;
    Ok(conn)
}

/// Passes each row of a query to `take`.
pub(crate) fn each(
    conn: &Connection,
    sql: &Sql,
    params: &[Param<'_>],
    take: &mut dyn FnMut(&Row<'_>) -> Result<()>,
) -> Result<()> {
    let mut statement = conn.prepare_cached(sql.sqlite)?;
    let mut rows = statement.query(params_from_iter(params))?;
    while let Some(row) = rows.next()? {
        take(&Row::sqlite(row))?;
    }
    Ok(())
}

pub(crate) fn exec(conn: &Connection, sql: &Sql, params: &[Param<'_>]) -> Result<u64> {
    let mut statement = conn.prepare_cached(sql.sqlite)?;
    Ok(statement.execute(params_from_iter(params))? as u64)
}
