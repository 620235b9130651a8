//! The one thread that writes to SQLite, and how many callers share its commits.
//!
//! A durable commit costs a flush of the disk (0.2–5 ms) however much it holds.
//! So the thread takes every write that is waiting, up to [`BATCH`], runs them in one transaction,
//! commits once, and only then answers them all. Most batches have nothing to undo, so they are
//! run without savepoints, which copy each page that a write changes; when a write is refused, the
//! batch is undone and run again with a savepoint each.

use super::checkpoint::Folding;
use super::connection::PATIENCE;
use crate::change_feed::Desk;
use crate::erased_write::Job;
use crate::metrics as figures;
use crate::{Error, Listener, Result, Tx, Watch};
use parking_lot::{Mutex, MutexGuard};
use rusqlite::{Connection, ErrorCode};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Writes that wait at most; past it a caller is told to come back later.
const QUEUE: usize = 256;
/// Writes that one commit takes at most: all that can wait for it. More could only come while these are
/// taken from the queue; to let them wait for the next one bounds the time that the first waits for the last.
const BATCH: usize = QUEUE;
/// Batches that are run with savepoints at once after one in which a write was refused: whoever sends
/// refused writes without end makes few batches run twice.
const CAREFUL: u32 = 16;
/// How often the thread looks whether another program wrote, while somebody listens and nobody
/// writes here; each batch of writes looks too.
pub(crate) const LOOK: Duration = Duration::from_millis(100);
/// The handle that callers submit writes through.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: SyncSender<Message>,
}

enum Message {
    Job(Box<dyn Job>),
    Listen(&'static [Watch], Listener, oneshot::Sender<Result<()>>),
    Close(Fold, oneshot::Sender<()>),
}

/// Whether the write-ahead log is folded into the file at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fold {
    /// Leaves one whole file behind: a copy of it is then a backup.
    Yes,
    /// Left to whoever else has the file open, to whom it would look like a write. The last to close
    /// the file folds it in anyway.
    No,
}

impl Writer {
    /// Starts the thread. Without `folding`, SQLite folds the log in by itself.
    pub(crate) fn start(conn: Connection, folding: Option<Folding>) -> Result<Self> {
        let (queue, inbox) = sync_channel(QUEUE);
        std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || serve(Tx::Sqlite(Mutex::new(conn)), folding, &inbox))
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(Self { queue })
    }

    /// Hands a write to the thread, which answers it.
    pub(crate) fn submit(&self, job: Box<dyn Job>) -> Result<()> {
        figures::waiting().increment(1.0);
        self.queue.try_send(Message::Job(job)).map_err(|error| {
            figures::waiting().decrement(1.0);
            figures::refused().increment(u64::from(matches!(error, TrySendError::Full(_))));
            let reason = match error {
                TrySendError::Full(_) => "too many writes are waiting",
                TrySendError::Disconnected(_) => "the writer has stopped",
            };
            Error::Unavailable(reason.into())
        })
    }

    /// Tells the listener of every change from now on.
    pub(crate) async fn listen(&self, watches: &'static [Watch], listener: Listener) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        let stopped = || Error::Unavailable("the writer has stopped".into());
        let message = Message::Listen(watches, listener, reply);
        self.queue.try_send(message).map_err(|_| stopped())?;
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Waits until every write submitted before has been answered, then ends the thread.
    pub(crate) async fn close(&self, fold: Fold) {
        let (done, closed) = oneshot::channel();
        let mut message = Message::Close(fold, done);
        while let Err(TrySendError::Full(back)) = self.queue.try_send(message) {
            message = back;
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        // An error means that the thread has ended already, which is what was asked.
        drop(closed.await);
    }
}

fn serve(mut tx: Tx, mut folding: Option<Folding>, inbox: &Receiver<Message>) {
    let mut desk = None;
    let mut careful = 0;
    while let Some(message) = receive(&tx, inbox, desk.as_mut()) {
        let mut batch = Vec::new();
        let mut other = None;
        let mut next = Some(message);
        while let Some(message) = next {
            match message {
                Message::Job(job) => batch.push(job),
                message => {
                    other = Some(message);
                    break;
                }
            }
            next = if batch.len() < BATCH {
                inbox.try_recv().ok()
            } else {
                None
            };
        }
        if !batch.is_empty() {
            figures::waiting().decrement(f64::from(u32::try_from(batch.len()).unwrap_or(u32::MAX)));
            commit_batch(&mut tx, batch, desk.as_mut(), &mut careful);
            if let (Some(folding), Some(conn)) = (&mut folding, connection(&tx)) {
                folding.after_batch(&conn);
            }
        }
        match other {
            None | Some(Message::Job(_)) => {}
            Some(Message::Listen(watches, listener, done)) => {
                let opened = connection(&tx).map(|conn| Desk::open(&conn, watches, listener));
                // The asker may have gone; nobody is told then.
                let _ = done.send(opened.unwrap_or_else(no_connection).map(|opened| {
                    desk = Some(opened);
                }));
            }
            Some(Message::Close(fold, done)) => {
                // Its connection is not to be open any more.
                if let Some(folding) = folding.take() {
                    folding.stop();
                }
                if fold == Fold::Yes
                    && let Some(conn) = connection(&tx)
                    && let Err(error) =
                        conn.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))
                {
                    tracing::warn!(%error, "the write-ahead log was not folded in");
                }
                drop(tx);
                // The asker may have gone; the thread ends all the same.
                let _ = done.send(());
                return;
            }
        }
    }
}

/// The next message. While somebody listens, other programs' writes are looked for meanwhile.
fn receive(tx: &Tx, inbox: &Receiver<Message>, desk: Option<&mut Desk>) -> Option<Message> {
    let (Some(desk), Some(conn)) = (desk, connection(tx)) else {
        return inbox.recv().ok();
    };
    loop {
        match inbox.recv_timeout(LOOK) {
            Ok(message) => return Some(message),
            Err(RecvTimeoutError::Timeout) => desk.look_around(&conn),
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
    mut batch: Vec<Box<dyn Job>>,
    mut desk: Option<&mut Desk>,
    careful: &mut u32,
) {
    let ran = run_batch(tx, &mut batch, desk.as_deref_mut(), careful);
    let outcome = ran.map_err(|error| {
        tracing::error!(%error, writes = batch.len(), "a batch of writes was not committed");
        // A failed commit may leave the transaction open; the next batch needs a fresh one.
        if in_transaction(tx)
            && let Err(error) = batch_exec(tx, "rollback")
        {
            tracing::error!(%error, "the failed batch could not be rolled back");
        }
        error.to_string()
    });
    // Before the callers are answered: who goes on to read must not be shown what was before.
    if let Some(desk) = desk {
        desk.publish(outcome.is_ok());
    }
    for job in batch {
        job.finish(outcome.clone().map_err(Error::Unavailable));
    }
}

/// Runs the writes of a batch and commits those that were not refused.
fn run_batch(
    tx: &mut Tx,
    batch: &mut [Box<dyn Job>],
    mut desk: Option<&mut Desk>,
    careful: &mut u32,
) -> Result<()> {
    begin(tx, desk.as_deref_mut())?;
    if batch.len() == 1 || *careful == 0 {
        if run_all(tx, batch)? {
            return batch_exec(tx, "commit");
        }
        batch_exec(tx, "rollback")?;
        forget_since(desk.as_deref(), 0);
        if batch.len() == 1 {
            return Ok(());
        }
        begin(tx, desk.as_deref_mut())?;
        *careful = CAREFUL;
    }
    if run_apart(tx, batch, desk.as_deref())? {
        *careful -= 1;
    } else {
        *careful = CAREFUL;
    }
    batch_exec(tx, "commit")
}

/// Runs writes one after the other until one is refused; answers whether none was.
fn run_all(tx: &mut Tx, batch: &mut [Box<dyn Job>]) -> Result<bool> {
    for job in batch {
        let keep = run(job.as_mut(), tx);
        still_open(tx)?;
        if !keep {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs writes one after the other, and undoes those that are refused; answers whether none was.
fn run_apart(tx: &mut Tx, batch: &mut [Box<dyn Job>], desk: Option<&Desk>) -> Result<bool> {
    let mut kept_all = true;
    for job in batch {
        let mark = desk.map_or(0, Desk::mark);
        batch_exec(tx, "savepoint caller")?;
        let keep = run(job.as_mut(), tx);
        still_open(tx)?;
        if !keep {
            batch_exec(tx, "rollback to caller")?;
            forget_since(desk, mark);
            kept_all = false;
        }
        batch_exec(tx, "release caller")?;
    }
    Ok(kept_all)
}

fn forget_since(desk: Option<&Desk>, mark: usize) {
    if let Some(desk) = desk {
        desk.forget_since(mark);
    }
}

fn still_open(tx: &Tx) -> Result<()> {
    if in_transaction(tx) {
        return Ok(());
    }
    // A full disk or an I/O error makes SQLite undo the whole transaction by itself.
    Err(Error::Unavailable(
        "the transaction was undone by the database".into(),
    ))
}

/// Begins a transaction once no other program is inside one; none can write until it ends. Meanwhile
/// that program may commit, and go on with another: what it changed is noticed as if nobody wrote here.
fn begin(tx: &Tx, desk: Option<&mut Desk>) -> Result<()> {
    let (Some(desk), Some(conn)) = (desk, connection(tx)) else {
        return batch_exec(tx, "begin immediate");
    };
    conn.busy_timeout(LOOK)?;
    let asked = Instant::now();
    let begun = loop {
        let begin = conn.prepare_cached("begin immediate");
        let begun = begin.and_then(|mut begin| begin.execute([]));
        match begun {
            Err(error) if is_busy(&error) && asked.elapsed() < PATIENCE => desk.look_around(&conn),
            begun => break begun,
        }
    };
    conn.busy_timeout(PATIENCE)?;
    begun?;
    desk.look_around(&conn);
    Ok(())
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

fn batch_exec(tx: &Tx, sql: &'static str) -> Result<()> {
    if let Tx::Sqlite(conn) = tx {
        conn.lock().prepare_cached(sql)?.execute([])?;
    }
    Ok(())
}

fn in_transaction(tx: &Tx) -> bool {
    matches!(tx, Tx::Sqlite(conn) if !conn.lock().is_autocommit())
}

/// Runs a write; answers whether to keep its changes.
fn run(job: &mut dyn Job, tx: &mut Tx) -> bool {
    // Every step of a SQLite transaction is ready when polled, so one poll runs it all.
    let polled = catch_unwind(AssertUnwindSafe(|| {
        let mut run = job.run(tx);
        run.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }));
    let reason = match polled {
        Ok(Poll::Ready(keep)) => return keep,
        Ok(Poll::Pending) => "a write awaited something else than its transaction",
        Err(_) => "a write panicked",
    };
    job.fail(Error::Statement(reason.into()));
    false
}
