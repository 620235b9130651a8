//! A consistent copy of a SQLite file, while others read and write it.

use super::connection::open_existing;
use crate::{Error, Result};
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::path::Path;

/// Pages that are copied between two words about the progress: 4 MiB.
const STEP: i32 = 1_024;

/// Copies the SQLite file `from` into `to`, which is empty or not there, as of one moment, without blocking the writer.
/// `progress` gets the pages copied and their number. Returns the copy's bytes.
pub fn copy_sqlite(from: &Path, to: &Path, mut progress: impl FnMut(u64, u64)) -> Result<u64> {
    let source = open_existing(from)?;
    // Without it, each commit of another process would begin the copy anew.
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
                return Err(Error::Unavailable(
                    "another program locks the database file".into(),
                ));
            }
        }
    }
}

/// The errors that SQLite's integrity check finds in a file, in its own sentences; empty if there are none.
pub fn damage_of_sqlite(path: &Path) -> Result<Vec<String>> {
    complaints(&open_existing(path)?, "pragma integrity_check")
}

/// The rows of a check that are not "ok".
pub(crate) fn complaints(conn: &Connection, check: &str) -> Result<Vec<String>> {
    let mut statement = conn.prepare(check)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(rows.into_iter().filter(|row| row != "ok").collect())
}
