//! SQLite: one file, many readers, one writer thread.

use crate::copy;
use crate::fold::{Folding, Limits};
use crate::job::Job;
use crate::writer::{Fold, LOOK, PATIENCE, Writer};
use crate::{Error, Listener, Param, Result, Row, Sql, Watch};
use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags, params_from_iter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// 3.51.3 mended a rare corruption of WAL files that a checkpoint meets while it is reset.
const OLDEST: i32 = 3_051_003;

/// An open SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    /// Idle read connections: as many as were ever used at once, which the number of worker threads bounds.
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
    /// Whether a server may be running on the same file.
    is_beside: bool,
    has_written: AtomicBool,
}

impl Sqlite {
    /// Opens the file for reading; `conn` is the writer's. `is_beside`: a server may be running on the same file.
    pub(crate) fn start(path: &Path, mut conn: Connection, is_beside: bool) -> Result<Self> {
        // A command writes little, and leaves the log to the server.
        let folding = if is_beside {
            conn.pragma_update(None, "wal_autocheckpoint", 0)?;
            None
        } else {
            Some(Folding::start(&mut conn, copy::open(path)?, Limits::USUAL)?)
        };
        Ok(Self {
            path: path.to_path_buf(),
            readers: Mutex::new(Vec::new()),
            writer: Writer::start(conn, folding)?,
            is_beside,
            has_written: AtomicBool::new(false),
        })
    }

    pub(crate) fn each(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        take: &mut dyn FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let conn = match self.readers.lock().pop() {
            Some(conn) => conn,
            None => open_reader(&self.path)?,
        };
        let done = each(&conn, sql, params, take);
        self.readers.lock().push(conn);
        done
    }

    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        self.has_written.store(true, Ordering::Relaxed);
        self.writer.submit(job)
    }

    pub(crate) async fn listen(&self, watches: &'static [Watch], listener: Listener) -> Result<()> {
        self.writer.listen(watches, listener).await
    }

    pub(crate) async fn close(&self) {
        // The writer's connection is to be the last one of this program.
        self.readers.lock().clear();
        let fold = if self.is_beside { Fold::No } else { Fold::Yes };
        self.writer.close(fold).await;
        if self.is_beside && self.has_written.load(Ordering::Relaxed) {
            // Until the server has noticed: what a command says it did is then in effect.
            tokio::time::sleep(2 * LOOK).await;
        }
    }

    pub(crate) fn prepare(&self, sql: &str) -> Result<()> {
        open_reader(&self.path)?.prepare(sql)?;
        Ok(())
    }
}

/// Opens (or creates) the file for writing and sets what makes a commit durable.
///
/// A like or a follow changes a dozen pages far apart, most of which the same member changes again
/// soon. A log longer than SQLite's usual 4 MB folds in each such page once instead of often, and a
/// larger cache reads it once.
///
/// What is deleted is written over with zeros, or it would stand in the file, and in each copy of it, until
/// something else needs its place.
pub(crate) fn open_writer(path: &Path) -> Result<Connection> {
    if rusqlite::version_number() < OLDEST {
        return Err(Error::Schema(format!(
            "SQLite {} is too old: 3.51.3 or later is needed",
            rusqlite::version()
        )));
    }
    let conn = Connection::open(path)?;
    conn.busy_timeout(PATIENCE)?;
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

fn open_reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(PATIENCE)?;
    conn.execute_batch("pragma cache_size = -4000; pragma temp_store = memory;")?;
    conn.set_prepared_statement_cache_capacity(256);
    Ok(conn)
}

/// Gives each row of a query to `take`.
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
