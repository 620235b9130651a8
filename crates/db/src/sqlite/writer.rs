//! Writer thread of SQLite, with group commit.
//!
//! A durable commit costs a disk flush (0.2–5 ms) regardless of its size. The thread takes all waiting writes, up
//! to [`MAX_BATCH`], runs them in one transaction, commits once and then sends all results. It runs a batch without
//! savepoints, which copy every changed page; if a write fails, it rolls back and repeats the batch with savepoints.

use super::change_tracker::SqliteChangeTracker;
use super::checkpoint::CheckpointRequester;
use super::connection::BUSY_TIMEOUT;
use crate::erased_write::ErasedWrite;
use crate::metrics;
use crate::{Error, Listener, Result, Tx, WatchSpec};
use parking_lot::{Mutex, MutexGuard};
use rusqlite::{Connection, ErrorCode};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Capacity of the queue; further writes fail.
const QUEUE_CAPACITY: usize = 256;
/// Writes per commit: a full queue. Later writes wait for the next commit, which bounds the first one's wait.
const MAX_BATCH: usize = QUEUE_CAPACITY;
/// Batches that use savepoints after one with a failed write, so that constant failures repeat few batches.
const SAVEPOINT_BATCHES: u32 = 16;
/// How often an idle thread with a subscription checks for commits of other processes; each batch checks, too.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Handle that submits writes to the thread.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: SyncSender<Message>,
}

enum Message {
    Write(Box<dyn ErasedWrite>),
    Subscribe(&'static [WatchSpec], Listener, oneshot::Sender<Result<()>>),
    Close(CloseMode, oneshot::Sender<()>),
}

/// Treatment of the WAL when the writer closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseMode {
    /// Copies it to the file, so that a copy of the file is a backup.
    Checkpoint,
    /// Leaves it to other processes with the file open, which would take a checkpoint for a write. SQLite runs one
    /// anyway when the last connection closes.
    KeepWal,
}

impl Writer {
    /// Starts the thread. Without `checkpoints`, SQLite's own setting applies.
    pub(crate) fn start(
        conn: Connection,
        checkpoints: Option<CheckpointRequester>,
    ) -> Result<Self> {
        let (queue, inbox) = sync_channel(QUEUE_CAPACITY);
        std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || serve(Tx::Sqlite(Mutex::new(conn)), checkpoints, &inbox))
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(Self { queue })
    }

    /// Queues a write; the thread sends its result.
    pub(crate) fn submit(&self, write: Box<dyn ErasedWrite>) -> Result<()> {
        metrics::waiting_writes().increment(1.0);
        self.queue.try_send(Message::Write(write)).map_err(|error| {
            metrics::waiting_writes().decrement(1.0);
            metrics::rejected_writes().increment(u64::from(matches!(error, TrySendError::Full(_))));
            let reason = match error {
                TrySendError::Full(_) => "too many writes are waiting",
                TrySendError::Disconnected(_) => "the writer has stopped",
            };
            Error::Unavailable(reason.into())
        })
    }

    /// Subscribes the listener to all later changes.
    pub(crate) async fn subscribe(
        &self,
        watches: &'static [WatchSpec],
        listener: Listener,
    ) -> Result<()> {
        let (reply, response) = oneshot::channel();
        let stopped = || Error::Unavailable("the writer has stopped".into());
        let message = Message::Subscribe(watches, listener, reply);
        self.queue.try_send(message).map_err(|_| stopped())?;
        response.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Waits for the results of all submitted writes, then ends the thread.
    pub(crate) async fn close(&self, mode: CloseMode) {
        let (done, closed) = oneshot::channel();
        let mut message = Message::Close(mode, done);
        while let Err(TrySendError::Full(back)) = self.queue.try_send(message) {
            message = back;
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        // An error means that the thread has already ended.
        drop(closed.await);
    }
}

fn serve(mut tx: Tx, mut checkpoints: Option<CheckpointRequester>, inbox: &Receiver<Message>) {
    let mut tracker = None;
    let mut savepoint_batches = 0;
    while let Some(message) = receive(&tx, inbox, tracker.as_mut()) {
        let mut batch = Vec::new();
        let mut other = None;
        let mut next = Some(message);
        while let Some(message) = next {
            match message {
                Message::Write(write) => batch.push(write),
                message => {
                    other = Some(message);
                    break;
                }
            }
            next = if batch.len() < MAX_BATCH { inbox.try_recv().ok() } else { None };
        }
        if !batch.is_empty() {
            metrics::waiting_writes()
                .decrement(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
            commit_batch(&mut tx, batch, tracker.as_mut(), &mut savepoint_batches);
            if let (Some(checkpoints), Some(conn)) = (&mut checkpoints, connection(&tx)) {
                checkpoints.after_batch(&conn);
            }
        }
        match other {
            None | Some(Message::Write(_)) => {}
            Some(Message::Subscribe(watches, listener, done)) => {
                let installed = connection(&tx)
                    .map(|conn| SqliteChangeTracker::install(&conn, watches, listener));
                // If the caller is gone, there is no subscription.
                let _ = done.send(installed.unwrap_or_else(no_connection).map(|installed| {
                    tracker = Some(installed);
                }));
            }
            Some(Message::Close(mode, done)) => {
                // The checkpoint thread's connection must be closed first.
                if let Some(checkpoints) = checkpoints.take() {
                    checkpoints.stop();
                }
                if mode == CloseMode::Checkpoint
                    && let Some(conn) = connection(&tx)
                    && let Err(error) =
                        conn.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))
                {
                    tracing::warn!(%error, "the last WAL checkpoint failed");
                }
                drop(tx);
                // The caller may be gone; the thread ends anyway.
                let _ = done.send(());
                return;
            }
        }
    }
}

/// Receives the next message. Checks for other processes' commits meanwhile if there is a subscription.
fn receive(
    tx: &Tx,
    inbox: &Receiver<Message>,
    tracker: Option<&mut SqliteChangeTracker>,
) -> Option<Message> {
    let (Some(tracker), Some(conn)) = (tracker, connection(tx)) else {
        return inbox.recv().ok();
    };
    loop {
        match inbox.recv_timeout(POLL_INTERVAL) {
            Ok(message) => return Some(message),
            Err(RecvTimeoutError::Timeout) => tracker.check_other_writers(&conn),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

fn connection(tx: &Tx) -> Option<MutexGuard<'_, Connection>> {
    match tx {
        Tx::Sqlite(conn) => Some(conn.lock()),
        Tx::Postgres(_) => None,
    }
}

fn no_connection<T>() -> Result<T> {
    Err(Error::Unavailable("the writer has no connection".into()))
}

fn commit_batch(
    tx: &mut Tx,
    mut batch: Vec<Box<dyn ErasedWrite>>,
    mut tracker: Option<&mut SqliteChangeTracker>,
    savepoint_batches: &mut u32,
) {
    let result = run_batch(tx, &mut batch, tracker.as_deref_mut(), savepoint_batches);
    let outcome = result.map_err(|error| {
        tracing::error!(%error, writes = batch.len(), "a batch of writes was not committed");
        // A failed commit may leave its transaction open; the next batch needs a new one.
        if in_transaction(tx)
            && let Err(error) = execute(tx, "rollback")
        {
            tracing::error!(%error, "the failed batch could not be rolled back");
        }
        error.to_string()
    });
    // Published before the callers continue, so that their next read sees the change.
    if let Some(tracker) = tracker {
        tracker.publish(outcome.is_ok());
    }
    for write in batch {
        write.finish(outcome.clone().map_err(Error::Unavailable));
    }
}

/// Runs the writes of a batch and commits those that succeed.
fn run_batch(
    tx: &mut Tx,
    batch: &mut [Box<dyn ErasedWrite>],
    mut tracker: Option<&mut SqliteChangeTracker>,
    savepoint_batches: &mut u32,
) -> Result<()> {
    begin(tx, tracker.as_deref_mut())?;
    if batch.len() == 1 || *savepoint_batches == 0 {
        if run_until_error(tx, batch)? {
            return execute(tx, "commit");
        }
        execute(tx, "rollback")?;
        discard_after(tracker.as_deref(), 0);
        if batch.len() == 1 {
            return Ok(());
        }
        begin(tx, tracker.as_deref_mut())?;
        *savepoint_batches = SAVEPOINT_BATCHES;
    }
    if run_individually(tx, batch, tracker.as_deref())? {
        *savepoint_batches -= 1;
    } else {
        *savepoint_batches = SAVEPOINT_BATCHES;
    }
    execute(tx, "commit")
}

/// Runs writes in order until one fails. Returns whether all succeeded.
fn run_until_error(tx: &mut Tx, batch: &mut [Box<dyn ErasedWrite>]) -> Result<bool> {
    for write in batch {
        let keep = run_write(write.as_mut(), tx);
        ensure_in_transaction(tx)?;
        if !keep {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs each write in a savepoint and rolls back those that fail. Returns whether all succeeded.
fn run_individually(
    tx: &mut Tx,
    batch: &mut [Box<dyn ErasedWrite>],
    tracker: Option<&SqliteChangeTracker>,
) -> Result<bool> {
    let mut all_succeeded = true;
    for write in batch {
        let position = tracker.map_or(0, SqliteChangeTracker::position);
        execute(tx, "savepoint one_write")?;
        let keep = run_write(write.as_mut(), tx);
        ensure_in_transaction(tx)?;
        if !keep {
            execute(tx, "rollback to one_write")?;
            discard_after(tracker, position);
            all_succeeded = false;
        }
        execute(tx, "release one_write")?;
    }
    Ok(all_succeeded)
}

fn discard_after(tracker: Option<&SqliteChangeTracker>, position: usize) {
    if let Some(tracker) = tracker {
        tracker.discard_after(position);
    }
}

fn ensure_in_transaction(tx: &Tx) -> Result<()> {
    if in_transaction(tx) {
        return Ok(());
    }
    // SQLite rolls back the whole transaction on a full disk or an I/O error.
    Err(Error::Unavailable("the database rolled back the transaction".into()))
}

/// Begins a transaction when no other process has one. Reports commits of other processes while it waits.
fn begin(tx: &Tx, tracker: Option<&mut SqliteChangeTracker>) -> Result<()> {
    let (Some(tracker), Some(conn)) = (tracker, connection(tx)) else {
        return execute(tx, "begin immediate");
    };
    conn.busy_timeout(POLL_INTERVAL)?;
    let started = Instant::now();
    let begun = loop {
        let begin = conn.prepare_cached("begin immediate");
        let begun = begin.and_then(|mut begin| begin.execute([]));
        match begun {
            Err(error) if is_busy(&error) && started.elapsed() < BUSY_TIMEOUT => {
                tracker.check_other_writers(&conn);
            }
            begun => break begun,
        }
    };
    conn.busy_timeout(BUSY_TIMEOUT)?;
    begun?;
    tracker.check_other_writers(&conn);
    Ok(())
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

fn execute(tx: &Tx, sql: &'static str) -> Result<()> {
    if let Tx::Sqlite(conn) = tx {
        conn.lock().prepare_cached(sql)?.execute([])?;
    }
    Ok(())
}

fn in_transaction(tx: &Tx) -> bool {
    matches!(tx, Tx::Sqlite(conn) if !conn.lock().is_autocommit())
}

/// Runs a write and returns whether to keep its changes.
fn run_write(write: &mut dyn ErasedWrite, tx: &mut Tx) -> bool {
    // Each step of a SQLite transaction is ready when polled, so one poll runs the whole write.
    let polled = catch_unwind(AssertUnwindSafe(|| {
        let mut run = write.run(tx);
        run.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }));
    let reason = match polled {
        Ok(Poll::Ready(keep)) => return keep,
        Ok(Poll::Pending) => "a write awaited something outside its transaction",
        Err(_) => "a write panicked",
    };
    write.fail(Error::Statement(reason.into()));
    false
}
