//! Folding the write-ahead log into the file, beside the writer.
//!
//! SQLite would do it inside the commit that makes the log long: that one caller, and all who wait
//! behind, would wait for thousands of pages. A thread with a connection of its own does it instead
//! while the writer goes on. SQLite begins a log anew only at a write that finds all of it folded
//! in, and under constant writes a thread beside never gets that far. So once the log is late, the
//! writer itself folds in the little that came during the thread's last turn.

use crate::writer::PATIENCE;
use crate::{Error, Result};
use parking_lot::Mutex;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
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

/// How long one batch of writes waits for the thread at most. The log can be far too long only after
/// somebody read one state of the database for minutes, as a backup does; folding it in takes seconds then.
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
    /// Held during a turn.
    turn: Arc<Mutex<()>>,
    wake: SyncSender<()>,
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
        let counted = Arc::clone(&pages);
        writer.wal_hook(Some(move |_: &mut _, count| {
            counted.store(u32::try_from(count).unwrap_or(0), Ordering::Relaxed);
            Ok(())
        }))?;
        let (turns, sum) = (Arc::clone(&turn), Arc::clone(&folded));
        let thread = std::thread::Builder::new()
            .name("sqlite-fold".into())
            .spawn(move || serve(&beside, &woken, &turns, &sum))
            .map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(Self {
            limits,
            pages,
            folded,
            turn,
            wake,
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
        let left = pages.saturating_sub(self.folded.load(Ordering::Relaxed));
        let is_near = left <= 2 * step;
        if pages >= latest.max(self.waited + latest) {
            (self.tried, self.waited) = (pages, pages);
            // Somebody who reads on for minutes is not waited for again until the log is as long again.
            let _ = writer.busy_timeout(WAIT);
            fold(writer, FOLD_ALONE, &self.folded);
            let _ = writer.busy_timeout(PATIENCE);
        } else if is_near && pages >= late.max(self.tried + step) {
            self.tried = pages;
            fold(writer, FOLD, &self.folded);
        } else if self.asked == 0 || pages >= self.asked + step {
            self.asked = pages;
            // It is full if the thread has not begun since it was last asked.
            let _ = self.wake.try_send(());
        }
    }

    /// Waits for the thread's turn and ends it.
    pub(crate) fn stop(self) {
        drop(self.wake);
        // If it panicked, nothing is left to end.
        let _ = self.thread.join();
    }
}

fn serve(conn: &Connection, woken: &Receiver<()>, turns: &Mutex<()>, folded: &AtomicU32) {
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
        let turn = turns.lock();
        let is_done = fold(conn, FOLD, folded);
        drop(turn);
        failed = (!is_done).then(Instant::now);
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
mod tests {
    use super::*;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    const SHORT: Limits = Limits {
        soon: 40,
        step: 20,
        late: 120,
        latest: 240,
    };
    /// Pages that one batch adds to the log at least.
    const BATCH: u32 = 20;

    fn writer(path: &Path) -> Connection {
        let conn = crate::sqlite::open_writer(path).unwrap();
        conn.execute_batch("create table pages (id integer primary key, text text not null)")
            .unwrap();
        conn
    }

    fn number(conn: &Connection, sql: &str) -> i64 {
        conn.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// Writes a batch and looks after the log, as the writer's thread does.
    fn batch(conn: &Connection, folding: &mut Folding) {
        conn.execute_batch("begin immediate").unwrap();
        let page = "x".repeat(4_000);
        for _ in 0..BATCH {
            conn.prepare_cached("insert into pages (text) values (?1)")
                .unwrap()
                .execute([&page])
                .unwrap();
        }
        conn.execute_batch("commit").unwrap();
        folding.after_batch(conn);
    }

    fn log_of(path: &Path) -> u64 {
        let log = path.with_extension("db-wal");
        std::fs::metadata(log).unwrap().len() / 4_096
    }

    /// Writes six times as much as fits, while others read all the time.
    fn log_after(path: &Path, mut conn: Connection, beside: Connection) -> u64 {
        let mut folding = Folding::start(&mut conn, beside, SHORT).unwrap();
        let version = number(&conn, "pragma data_version");
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let reader = crate::copy::open(path).unwrap();
                    while !is_over.load(Ordering::Relaxed) {
                        number(
                            &reader,
                            "select count(*) from (select text from pages limit 100)",
                        );
                    }
                });
            }
            for _ in 0..6 * SHORT.latest / BATCH {
                batch(&conn, &mut folding);
            }
            is_over.store(true, Ordering::Relaxed);
        });
        folding.stop();
        let written = i64::from(6 * SHORT.latest);
        assert_eq!(number(&conn, "select count(*) from pages"), written);
        // It would look as if another program had written.
        assert_eq!(number(&conn, "pragma data_version"), version);
        log_of(path)
    }

    #[test]
    fn the_log_is_bounded_under_constant_writes_and_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let conn = writer(&path);
        let beside = crate::copy::open(&path).unwrap();
        let pages = log_after(&path, conn, beside);
        assert!(pages < 3 * u64::from(SHORT.latest), "{pages} pages");
    }

    /// The thread's own connection cannot write here, as if its disk failed.
    #[test]
    fn a_thread_that_fails_leaves_it_to_the_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let conn = writer(&path);
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let beside = Connection::open_with_flags(&path, flags).unwrap();
        assert!(
            !fold(&beside, FOLD, &AtomicU32::new(0)),
            "it can fold the log in"
        );
        let pages = log_after(&path, conn, beside);
        assert!(pages < 3 * u64::from(SHORT.latest), "{pages} pages");
    }

    /// As a backup does.
    #[test]
    fn who_reads_one_state_for_long_keeps_it_and_the_log_is_short_again_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let mut conn = writer(&path);
        let beside = crate::copy::open(&path).unwrap();
        let mut folding = Folding::start(&mut conn, beside, SHORT).unwrap();
        batch(&conn, &mut folding);
        let reader = crate::copy::open(&path).unwrap();
        reader.execute_batch("begin").unwrap();
        let state = number(&reader, "select count(*) from pages");
        for _ in 0..2 * SHORT.latest / BATCH {
            batch(&conn, &mut folding);
        }
        assert_eq!(number(&reader, "select count(*) from pages"), state);
        assert!(log_of(&path) > 2 * u64::from(SHORT.latest));
        reader.execute_batch("commit").unwrap();
        for _ in 0..10 * SHORT.latest / BATCH {
            batch(&conn, &mut folding);
        }
        folding.stop();
        let pages = log_of(&path);
        assert!(pages < 6 * u64::from(SHORT.latest), "{pages} pages");
    }
}
