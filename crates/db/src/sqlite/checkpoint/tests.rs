//! Length of the WAL, and distribution of checkpoints between writer and thread.

use super::*;
use std::path::Path;

const SHORT: WalLimits = WalLimits { start: 40, step: 20, assist: 120, restart: 240 };
/// Minimum number of pages that one batch adds to the WAL.
const BATCH: u32 = 20;

fn writer(path: &Path) -> Connection {
    let conn = crate::sqlite::connection::open_writer(path).unwrap();
    conn.execute_batch("create table pages (id integer primary key, text text not null)").unwrap();
    conn
}

fn number(conn: &Connection, sql: &str) -> i64 {
    conn.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Writes a batch and runs the check after it, as the writer thread does.
fn batch(conn: &Connection, checkpoints: &mut CheckpointRequester) {
    conn.execute_batch("begin immediate").unwrap();
    let page = "x".repeat(4_000);
    for _ in 0..BATCH {
        conn.prepare_cached("insert into pages (text) values (?1)")
            .unwrap()
            .execute([&page])
            .unwrap();
    }
    conn.execute_batch("commit").unwrap();
    checkpoints.after_batch(conn);
}

fn wal_pages(path: &Path) -> u64 {
    let wal = path.with_extension("db-wal");
    std::fs::metadata(wal).unwrap().len() / 4_096
}

/// Writes six times the longest WAL while readers run, and returns the final length of the WAL in pages.
fn wal_pages_after_writes(path: &Path, mut conn: Connection, thread_conn: Connection) -> u64 {
    let mut checkpoints = CheckpointRequester::start(&mut conn, thread_conn, SHORT).unwrap();
    let version = number(&conn, "pragma data_version");
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let reader = crate::sqlite::connection::open_existing(path).unwrap();
                while !is_over.load(Ordering::Relaxed) {
                    number(&reader, "select count(*) from (select text from pages limit 100)");
                }
            });
        }
        for _ in 0..6 * SHORT.restart / BATCH {
            batch(&conn, &mut checkpoints);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    checkpoints.stop();
    let written = i64::from(6 * SHORT.restart);
    assert_eq!(number(&conn, "select count(*) from pages"), written);
    // A changed version would look like a commit of another process.
    assert_eq!(number(&conn, "pragma data_version"), version);
    wal_pages(path)
}

#[test]
fn the_wal_is_bounded_under_constant_writes_and_reads() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let conn = writer(&path);
    let thread_conn = crate::sqlite::connection::open_existing(&path).unwrap();
    let pages = wal_pages_after_writes(&path, conn, thread_conn);
    assert!(pages < 3 * u64::from(SHORT.restart), "{pages} pages");
}

/// After a backup of minutes the WAL contains everything written meanwhile. The thread copies it; the writer copies
/// only the few pages that the thread leaves.
#[test]
fn the_thread_checkpoints_a_wal_that_a_backup_made_long() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let mut conn = writer(&path);
    let thread_conn = crate::sqlite::connection::open_existing(&path).unwrap();
    let (wake, woken) = sync_channel(1);
    let (_notify, done) = sync_channel(1);
    let (pages, checkpointed) = <(Arc<AtomicU32>, Arc<AtomicU32>)>::default();
    let pages_in_hook = Arc::clone(&pages);
    let hook = move |_: &mut _, count| {
        pages_in_hook.store(u32::try_from(count).unwrap_or(0), Ordering::Relaxed);
        Ok(())
    };
    conn.wal_hook(Some(hook)).unwrap();
    // The test runs the checkpoints instead of the thread.
    let mut checkpoints = CheckpointRequester {
        limits: SHORT,
        pages,
        checkpointed: Arc::clone(&checkpointed),
        has_failed: Arc::default(),
        running: Arc::default(),
        wake,
        done,
        thread: std::thread::spawn(|| {}),
        requested_at: 0,
        assisted_at: 0,
        waited_at: 0,
    };
    let backup = crate::sqlite::connection::open_existing(&path).unwrap();
    backup.execute_batch("begin").unwrap();
    number(&backup, "select count(*) from pages");
    for _ in 0..3 * SHORT.restart / BATCH {
        batch(&conn, &mut checkpoints);
        if woken.try_recv().is_ok() {
            checkpoint(&thread_conn, PASSIVE, &checkpointed);
        }
    }
    backup.execute_batch("commit").unwrap();
    let (before, started) = (wal_pages(&path), checkpointed.load(Ordering::Relaxed));
    for _ in 0..=SHORT.restart / BATCH {
        batch(&conn, &mut checkpoints);
    }
    assert!(woken.try_recv().is_ok(), "the thread is requested to run");
    let now = checkpointed.load(Ordering::Relaxed);
    assert_eq!(now, started, "the writer copied pages");
    assert!(wal_pages(&path) > before);
    checkpoint(&thread_conn, PASSIVE, &checkpointed);
    batch(&conn, &mut checkpoints);
    assert!(
        checkpoints.pages.load(Ordering::Relaxed) < SHORT.assist,
        "SQLite did not restart the WAL"
    );
}

/// A read-only connection makes the thread's checkpoints fail, like a failing disk.
#[test]
fn the_writer_checkpoints_when_the_thread_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let conn = writer(&path);
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let thread_conn = Connection::open_with_flags(&path, flags).unwrap();
    assert!(
        !checkpoint(&thread_conn, PASSIVE, &AtomicU32::new(0)),
        "a read-only connection ran a checkpoint"
    );
    let pages = wal_pages_after_writes(&path, conn, thread_conn);
    assert!(pages < 3 * u64::from(SHORT.restart), "{pages} pages");
}

/// A backup reads one state for long.
#[test]
fn a_long_read_keeps_its_state_and_the_wal_shrinks_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let mut conn = writer(&path);
    let thread_conn = crate::sqlite::connection::open_existing(&path).unwrap();
    let mut checkpoints = CheckpointRequester::start(&mut conn, thread_conn, SHORT).unwrap();
    batch(&conn, &mut checkpoints);
    let reader = crate::sqlite::connection::open_existing(&path).unwrap();
    reader.execute_batch("begin").unwrap();
    let state = number(&reader, "select count(*) from pages");
    for _ in 0..2 * SHORT.restart / BATCH {
        batch(&conn, &mut checkpoints);
    }
    assert_eq!(number(&reader, "select count(*) from pages"), state);
    assert!(wal_pages(&path) > 2 * u64::from(SHORT.restart));
    reader.execute_batch("commit").unwrap();
    for _ in 0..10 * SHORT.restart / BATCH {
        batch(&conn, &mut checkpoints);
    }
    checkpoints.stop();
    let pages = wal_pages(&path);
    assert!(pages < 6 * u64::from(SHORT.restart), "{pages} pages");
}
