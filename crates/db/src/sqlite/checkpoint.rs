//! Folding the write-ahead log into the file, beside the writer.
//!
//! SQLite would do it inside the commit that makes the log long: that one caller, and all who wait
//! behind, would wait for thousands of pages. A thread with a connection of its own does it instead
//! while the writer goes on. SQLite begins a log anew only at a write that finds all of it folded
//! in, and under constant writes a thread beside never gets that far. So once the log is late, the
//! writer itself folds in the little that came during the thread's last turn.

use super::connection::PATIENCE;
use crate::{Error, Result};
use parking_lot::Mutex;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the log may become, in pages of 4 KB.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// From here on it is folded in beside the writer.
    soon: u32,
    /// Pages that come between two turns of the thread at least.
    step: u32,
    /// From here on the writer folds in what a turn left. A start after a crash reads this much.
    late: u32,
    /// From here on the writer waits for the thread's turn to end, and for those to finish who read from
    /// the log: [`WAIT`] at most each time.
    latest: u32,
}

impl Limits {
    /// 16 MB, 4 MB, 48 MB, 96 MB.
    pub(crate) const USUAL: Self = Self {
        soon: 4_000,
        step: 1_000,
        late: 12_000,
        latest: 24_000,
    };
}

/// How long one batch of writes waits for the thread at most, each of the three times that it may. The log can be far too long only after
/// somebody read one state of the database for minutes, as a backup does; folding it in takes seconds then,
/// and the thread does that, while each batch waits for it so long.
const WAIT: Duration = Duration::from_millis(250);
/// Between a failure and the next try.
const PAUSE: Duration = Duration::from_secs(1);
const FOLD: &str = "pragma wal_checkpoint(passive)";
/// The same, and waits until nobody reads from the log any more: who comes meanwhile reads from the file.
const FOLD_ALONE: &str = "pragma wal_checkpoint(restart)";

/// The writer's side.
#[derive(Debug)]
pub(crate) struct Folding {
    limits: Limits,
    /// Pages in the log after the last commit.
    pages: Arc<AtomicU32>,
    /// How many of them are in the file, as far as is known.
    folded: Arc<AtomicU32>,
    /// Whether the thread's last turn failed, so that the writer has to do it all.
    has_failed: Arc<AtomicBool>,
    /// Held during a turn.
    turn: Arc<Mutex<()>>,
    wake: SyncSender<()>,
    /// Told after each turn.
    done: Receiver<()>,
    thread: JoinHandle<()>,
    /// Pages in the log when the thread was last asked, when the writer last did it itself, and when it
    /// last waited for readers.
    asked: u32,
    tried: u32,
    waited: u32,
}

impl Folding {
    /// Takes it over from SQLite on the writer's connection; `beside` becomes the thread's.
    pub(crate) fn start(
        writer: &mut Connection,
        beside: Connection,
        limits: Limits,
    ) -> Result<Self> {
        let (pages, folded) = <(Arc<AtomicU32>, Arc<AtomicU32>)>::default();
        let turn = Arc::new(Mutex::new(()));
        let (wake, woken) = sync_channel(1);
        let (tell, done) = sync_channel(1);
        let counted = Arc::clone(&pages);
        writer.wal_hook(Some(move |_: &mut _, count| {
            counted.store(u32::try_from(count).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        }))?;
        let has_failed = Arc::new(AtomicBool::new(false));
        let beside = Beside {
            conn: beside,
            turns: Arc::clone(&turn),
            folded: Arc::clone(&folded),
            has_failed: Arc::clone(&has_failed),
            done: tell,
        };
        let thread = std::thread::Builder::new()
            .name("sqlite-fold".into())
            .spawn(move || beside.serve(&woken))
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(Self {
            limits,
            pages,
            folded,
            has_failed,
            turn,
            wake,
            done,
            thread,
            asked: 0,
            tried: 0,
            waited: 0,
        })
    }

    /// Looks after the log. Called by the writer after each batch, when its callers were answered.
    pub(crate) fn after_batch(&mut self, writer: &Connection) {
        let Limits {
            soon,
            step,
            late,
            latest,
        } = self.limits;
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < self.asked.max(self.tried) {
            // It was begun anew.
            (self.asked, self.tried, self.waited) = (0, 0, 0);
            self.folded.store(0, Ordering::Relaxed);
        }
        if pages < soon {
            return;
        }
        let idle = if pages < latest {
            self.turn.try_lock()
        } else {
            self.turn.try_lock_for(WAIT)
        };
        if idle.is_none() {
            return;
        }
        drop(idle);
        let is_late = pages >= late.max(self.tried + step);
        if pages >= latest.max(self.waited + latest) {
            // Somebody who reads on for minutes is not waited for again until the log is as long again.
            (self.tried, self.waited) = (pages, pages);
            if self.comes_to(pages, late) {
                let _ = writer.busy_timeout(WAIT);
                fold(writer, FOLD_ALONE, &self.folded);
                let _ = writer.busy_timeout(PATIENCE);
            }
        } else if is_late && self.left(pages) <= 2 * step {
            self.tried = pages;
            fold(writer, FOLD, &self.folded);
        } else if self.asked == 0 || pages >= self.asked + step {
            self.asked = pages;
            // It is full if the thread has not begun since it was last asked.
            let _ = self.wake.try_send(());
        }
    }

    /// Pages that are not in the file yet; none when the thread fails, so that the writer does it all.
    fn left(&self, pages: u32) -> u32 {
        if self.has_failed.load(Ordering::Relaxed) {
            return 0;
        }
        pages.saturating_sub(self.folded.load(Ordering::Relaxed))
    }

    /// Waits for turns of the thread until no more than `most` pages are left: more of them, as after a
    /// backup, are the thread's to fold in, and the writer would be away for as long as that takes.
    fn comes_to(&self, pages: u32, most: u32) -> bool {
        let begun = Instant::now();
        while self.left(pages) > most {
            let rest = WAIT.saturating_sub(begun.elapsed());
            if rest.is_zero() {
                return false;
            }
            // It is full if the thread has not begun since it was last asked.
            let _ = self.wake.try_send(());
            match self.done.recv_timeout(rest) {
                // Somebody who reads an old state for a moment will soon be done.
                Ok(()) => std::thread::sleep(Duration::from_millis(1)),
                Err(RecvTimeoutError::Timeout) => {}
                // There is no thread any more.
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
        true
    }

    /// Waits for the thread's turn and ends it.
    pub(crate) fn stop(self) {
        drop(self.wake);
        // If it panicked, nothing is left to end.
        let _ = self.thread.join();
    }
}

/// The thread's side.
struct Beside {
    conn: Connection,
    turns: Arc<Mutex<()>>,
    folded: Arc<AtomicU32>,
    has_failed: Arc<AtomicBool>,
    done: SyncSender<()>,
}

impl Beside {
    fn serve(&self, woken: &Receiver<()>) {
        let mut failed: Option<Instant> = None;
        loop {
            match failed {
                None if woken.recv().is_err() => return,
                None => {}
                Some(at) => match woken.recv_timeout(PAUSE.saturating_sub(at.elapsed())) {
                    Ok(()) if at.elapsed() < PAUSE => continue,
                    Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                },
            }
            let turn = self.turns.lock();
            let is_done = fold(&self.conn, FOLD, &self.folded);
            self.has_failed.store(!is_done, Ordering::Relaxed);
            drop(turn);
            failed = (!is_done).then(Instant::now);
            // It is full if nobody waits.
            let _ = self.done.try_send(());
        }
    }
}

/// Folds in what no reader needs from the log any more, and notes how far that went. False if it failed.
fn fold(conn: &Connection, how: &str, folded: &AtomicU32) -> bool {
    let done = conn.prepare_cached(how).and_then(|mut fold| {
        // Whether others kept it from going on, pages in the log, pages of them in the file.
        fold.query_row([], |row| row.get::<_, i64>(2))
    });
    match done {
        Ok(pages) => {
            folded.store(u32::try_from(pages).unwrap_or(0), Ordering::Relaxed);
            true
        }
        Err(error) => {
            tracing::warn!(%error, "the write-ahead log was not folded in; it is tried again");
            // As if nothing were left: the writer tries it, too.
            folded.store(u32::MAX, Ordering::Relaxed);
            false
        }
    }
}

#[cfg(test)]
mod tests;
