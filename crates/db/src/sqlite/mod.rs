//! SQLite: one file, concurrent readers, one writer thread.

pub(crate) mod backup;
mod change_tracker;
mod checkpoint;
pub(crate) mod connection;
mod writer;

use crate::erased_write::ErasedWrite;
use crate::{Listener, Param, Result, Row, Sql, WatchSpec};
use checkpoint::{CheckpointRequester, WalLimits};
use connection::{each, open_existing, open_reader};
use parking_lot::Mutex;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use writer::{CloseMode, POLL_INTERVAL, Writer};

/// An open SQLite file.
#[derive(Debug)]
pub struct Sqlite {
    path: PathBuf,
    /// Idle read connections: their number is bounded by the worker threads that read concurrently.
    readers: Mutex<Vec<Connection>>,
    writer: Writer,
    /// Whether another process may serve the same file.
    is_shared: bool,
    has_written: AtomicBool,
}

impl Sqlite {
    /// Opens the file for reading; `conn` is the writer's. `is_shared`: another process may serve the file.
    pub(crate) fn start(path: &Path, mut conn: Connection, is_shared: bool) -> Result<Self> {
        // A command writes little and leaves the checkpoint to the server.
        let checkpoints = if is_shared {
            conn.pragma_update(None, "wal_autocheckpoint", 0)?;
            None
        } else {
            Some(CheckpointRequester::start(&mut conn, open_existing(path)?, WalLimits::DEFAULT)?)
        };
        Ok(Self {
            path: path.to_path_buf(),
            readers: Mutex::new(Vec::new()),
            writer: Writer::start(conn, checkpoints)?,
            is_shared,
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

    pub(crate) fn submit(&self, write: Box<dyn ErasedWrite>) -> Result<()> {
        self.has_written.store(true, Ordering::Relaxed);
        self.writer.submit(write)
    }

    pub(crate) async fn subscribe(
        &self,
        watches: &'static [WatchSpec],
        listener: Listener,
    ) -> Result<()> {
        self.writer.subscribe(watches, listener).await
    }

    pub(crate) async fn close(&self) {
        // The writer's connection must be the last of this process.
        self.readers.lock().clear();
        let mode = if self.is_shared { CloseMode::KeepWal } else { CloseMode::Checkpoint };
        self.writer.close(mode).await;
        if self.is_shared && self.has_written.load(Ordering::Relaxed) {
            // The server detects the change before the command ends.
            tokio::time::sleep(2 * POLL_INTERVAL).await;
        }
    }

    pub(crate) fn prepare(&self, sql: &str) -> Result<()> {
        open_reader(&self.path)?.prepare(sql)?;
        Ok(())
    }
}
