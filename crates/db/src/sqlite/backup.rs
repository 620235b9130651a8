//! Online copy and integrity check of a SQLite file.

use super::connection::open_existing;
use crate::{Error, Result};
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::path::Path;

/// Pages per step, after each of which progress is reported: 4 MiB.
const STEP: i32 = 1_024;

/// Copies the SQLite file `from` to `to`, which is empty or absent, as of one moment and without blocking the
/// writer. `progress` gets the number of copied pages and of all pages. Returns the size of the copy in bytes.
pub fn copy_sqlite(from: &Path, to: &Path, mut progress: impl FnMut(u64, u64)) -> Result<u64> {
    let source = open_existing(from)?;
    // Without a read transaction each commit of another process would restart the copy.
    source.execute_batch("begin")?;
    source.query_row("select count(*) from sqlite_schema", [], |_| Ok(()))?;
    let page = source.query_row("pragma page_size", [], |row| row.get::<_, u32>(0))?;
    let mut target = Connection::open(to)?;
    target.execute_batch("pragma synchronous = full")?;
    let backup = Backup::new(&source, &mut target)?;
    let pages = |count: i32| u64::try_from(count).unwrap_or(0);
    loop {
        match backup.step(STEP)? {
            StepResult::Done => return Ok(pages(backup.progress().pagecount) * u64::from(page)),
            StepResult::More => {
                let now = backup.progress();
                progress(pages(now.pagecount - now.remaining), pages(now.pagecount));
            }
            _ => {
                return Err(Error::Unavailable("another program locks the database file".into()));
            }
        }
    }
}

/// Runs SQLite's integrity check and returns its error messages.
pub fn integrity_errors(path: &Path) -> Result<Vec<String>> {
    run_check(&open_existing(path)?, "pragma integrity_check")
}

/// Runs a check pragma and returns its rows other than "ok".
pub(crate) fn run_check(conn: &Connection, check: &str) -> Result<Vec<String>> {
    let mut statement = conn.prepare(check)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(rows.into_iter().filter(|row| row != "ok").collect())
}
