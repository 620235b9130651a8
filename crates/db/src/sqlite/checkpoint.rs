//! Checkpoints of the write-ahead log (WAL), concurrent with the writer.
//!
//! SQLite's automatic checkpoint runs inside of a commit, which then copies thousands of pages while all writers
//! wait. A thread with its own connection copies them instead. SQLite restarts the WAL only at a write that finds
//! all of it checkpointed, which constant writes prevent: so the writer itself copies the rest of a long WAL.

use super::connection::BUSY_TIMEOUT;
use crate::{Error, Result};
use parking_lot::Mutex;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Lengths of the WAL, in pages of 4 KB, at which a step starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WalLimits {
    /// The checkpoint thread starts.
    start: u32,
    /// Pages between two runs of the thread.
    step: u32,
    /// The writer copies the few pages that the thread left. Recovery after a crash reads this much.
    assist: u32,
    /// The writer waits for the thread and for readers of the WAL, [`MAX_WAIT`] each at most.
    restart: u32,
}

impl WalLimits {
    /// Default lengths: 16 MB, 4 MB, 48 MB, 96 MB.
    pub(crate) const DEFAULT: Self =
        Self { start: 4_000, step: 1_000, assist: 12_000, restart: 24_000 };
}

/// Limit of each of the three waits of a batch. The WAL exceeds its longest length only after a read transaction
/// of minutes, such as a backup; the thread then copies for seconds, and each batch waits this long for it.
const MAX_WAIT: Duration = Duration::from_millis(250);
/// Delay after a failed checkpoint.
const RETRY_DELAY: Duration = Duration::from_secs(1);
const PASSIVE: &str = "pragma wal_checkpoint(passive)";
/// Checkpoint that waits until no reader uses the WAL; new readers then read from the file.
const RESTART: &str = "pragma wal_checkpoint(restart)";

/// Part of the writer: watches the length of the WAL and requests checkpoints.
#[derive(Debug)]
pub(crate) struct CheckpointRequester {
    limits: WalLimits,
    /// Pages in the WAL after the last commit.
    pages: Arc<AtomicU32>,
    /// Pages of them that are in the file.
    checkpointed: Arc<AtomicU32>,
    /// Whether the thread's last checkpoint failed, so that the writer must copy all pages.
    has_failed: Arc<AtomicBool>,
    /// Locked while the thread runs a checkpoint.
    running: Arc<Mutex<()>>,
    wake: SyncSender<()>,
    /// Notified after each checkpoint of the thread.
    done: Receiver<()>,
    thread: JoinHandle<()>,
    /// Pages in the WAL at the last request to the thread.
    requested_at: u32,
    /// Pages in the WAL at the writer's last own checkpoint.
    assisted_at: u32,
    /// Pages in the WAL when the writer last waited for readers.
    waited_at: u32,
}

impl CheckpointRequester {
    /// Replaces SQLite's automatic checkpoint on the writer's connection; the thread gets `thread_conn`.
    pub(crate) fn start(
        writer: &mut Connection,
        thread_conn: Connection,
        limits: WalLimits,
    ) -> Result<Self> {
        let (pages, checkpointed) = <(Arc<AtomicU32>, Arc<AtomicU32>)>::default();
        let running = Arc::new(Mutex::new(()));
        let (wake, woken) = sync_channel(1);
        let (notify, done) = sync_channel(1);
        let pages_in_hook = Arc::clone(&pages);
        writer.wal_hook(Some(move |_: &mut _, count| {
            pages_in_hook.store(u32::try_from(count).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        }))?;
        let has_failed = Arc::new(AtomicBool::new(false));
        let checkpoint_thread = CheckpointThread {
            conn: thread_conn,
            running: Arc::clone(&running),
            checkpointed: Arc::clone(&checkpointed),
            has_failed: Arc::clone(&has_failed),
            done: notify,
        };
        let thread = std::thread::Builder::new()
            .name("wal-checkpoint".into())
            .spawn(move || checkpoint_thread.serve(&woken))
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(Self {
            limits,
            pages,
            checkpointed,
            has_failed,
            running,
            wake,
            done,
            thread,
            requested_at: 0,
            assisted_at: 0,
            waited_at: 0,
        })
    }

    /// Requests or runs a checkpoint if the WAL is long. Runs after each batch, when its callers have their results.
    pub(crate) fn after_batch(&mut self, writer: &Connection) {
        let WalLimits { start, step, assist, restart } = self.limits;
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.requested_at.max(self.assisted_at) {
            // SQLite restarted the WAL.
            (self.requested_at, self.assisted_at, self.waited_at) = (0, 0, 0);
            self.checkpointed.store(0, Ordering::Relaxed);
        }
        if pages < start {
            return;
        }
        let idle = if pages < restart {
            self.running.try_lock()
        } else {
            self.running.try_lock_for(MAX_WAIT)
        };
        if idle.is_none() {
            return;
        }
        drop(idle);
        let is_long = pages >= assist.max(self.assisted_at + step);
        if pages >= restart.max(self.waited_at + restart) {
            // A reader of minutes is not waited for again before the WAL has grown as much again.
            (self.assisted_at, self.waited_at) = (pages, pages);
            if self.wait_for_remaining(pages, assist) {
                let _ = writer.busy_timeout(MAX_WAIT);
                checkpoint(writer, RESTART, &self.checkpointed);
                let _ = writer.busy_timeout(BUSY_TIMEOUT);
            }
        } else if is_long && self.remaining(pages) <= 2 * step {
            self.assisted_at = pages;
            checkpoint(writer, PASSIVE, &self.checkpointed);
        } else if self.requested_at == 0 || pages >= self.requested_at + step {
            self.requested_at = pages;
            // The channel is full if the thread has not started since the last request.
            let _ = self.wake.try_send(());
        }
    }

    /// Returns the pages that are not in the file; zero after a failure, so that the writer copies them.
    fn remaining(&self, pages: u32) -> u32 {
        if self.has_failed.load(Ordering::Relaxed) {
            return 0;
        }
        pages.saturating_sub(self.checkpointed.load(Ordering::Relaxed))
    }

    /// Waits until the thread leaves at most `most` pages, because more would occupy the writer for too long.
    fn wait_for_remaining(&self, pages: u32, most: u32) -> bool {
        let started = Instant::now();
        while self.remaining(pages) > most {
            let rest = MAX_WAIT.saturating_sub(started.elapsed());
            if rest.is_zero() {
                return false;
            }
            // The channel is full if the thread has not started since the last request.
            let _ = self.wake.try_send(());
            match self.done.recv_timeout(rest) {
                // A short read transaction ends soon.
                Ok(()) => std::thread::sleep(Duration::from_millis(1)),
                Err(RecvTimeoutError::Timeout) => {}
                // The thread has ended.
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
        true
    }

    /// Waits for the running checkpoint and ends the thread.
    pub(crate) fn stop(self) {
        drop(self.wake);
        // A panicked thread needs no end.
        let _ = self.thread.join();
    }
}

/// State of the checkpoint thread.
struct CheckpointThread {
    conn: Connection,
    running: Arc<Mutex<()>>,
    checkpointed: Arc<AtomicU32>,
    has_failed: Arc<AtomicBool>,
    done: SyncSender<()>,
}

impl CheckpointThread {
    fn serve(&self, woken: &Receiver<()>) {
        let mut failed: Option<Instant> = None;
        loop {
            match failed {
                None if woken.recv().is_err() => return,
                None => {}
                Some(at) => match woken.recv_timeout(RETRY_DELAY.saturating_sub(at.elapsed())) {
                    Ok(()) if at.elapsed() < RETRY_DELAY => continue,
                    Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                },
            }
            let running = self.running.lock();
            let is_done = checkpoint(&self.conn, PASSIVE, &self.checkpointed);
            self.has_failed.store(!is_done, Ordering::Relaxed);
            drop(running);
            failed = (!is_done).then(Instant::now);
            // The channel is full if the writer does not wait.
            let _ = self.done.try_send(());
        }
    }
}

/// Copies WAL pages that no reader needs to the file and stores how many are there. Returns false on failure.
fn checkpoint(conn: &Connection, sql: &str, checkpointed: &AtomicU32) -> bool {
    let done = conn.prepare_cached(sql).and_then(|mut statement| {
        // Columns: busy flag, pages in the WAL, pages in the file.
        statement.query_row([], |row| row.get::<_, i64>(2))
    });
    match done {
        Ok(pages) => {
            checkpointed.store(u32::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            true
        }
        Err(error) => {
            tracing::warn!(%error, "a WAL checkpoint failed and will be retried");
            // No remaining pages: the writer tries, too.
            checkpointed.store(u32::MAX, Ordering::Relaxed);
            false
        }
    }
}

#[cfg(test)]
mod tests;
