//! SQLite: one file, many readers, one writer thread.

pub(crate) mod backup;
mod checkpoint;
pub(crate) mod connection;
mod writer;

use crate::erased_write::Job;
use crate::{Listener, Param, Result, Row, Sql, Watch};
use checkpoint::{Folding, Limits};
use connection::{each, open_existing, open_reader};
use parking_lot::Mutex;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use writer::{Fold, LOOK, Writer};

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
            Some(Folding::start(
                &mut conn,
                open_existing(path)?,
                Limits::USUAL,
            )?)
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
