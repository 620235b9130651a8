//! How long the log becomes, and who folds it in.

use super::*;
use std::path::Path;

const SHORT: Limits = Limits {
    soon: 40,
    step: 20,
    late: 120,
    latest: 240,
};
/// Pages that one batch adds to the log at least.
const BATCH: u32 = 20;

fn writer(path: &Path) -> Connection {
    let conn = crate::sqlite::connection::open_writer(path).unwrap();
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
                let reader = crate::sqlite::connection::open_existing(path).unwrap();
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
    let beside = crate::sqlite::connection::open_existing(&path).unwrap();
    let pages = log_after(&path, conn, beside);
    assert!(pages < 3 * u64::from(SHORT.latest), "{pages} pages");
}

/// After a backup of minutes the log holds all that came meanwhile. That is the thread's to fold in; the
/// writer only does the little that is left after its turn.
#[test]
fn a_log_that_became_long_is_not_the_writers_to_fold() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let mut conn = writer(&path);
    let beside = crate::sqlite::connection::open_existing(&path).unwrap();
    let (wake, woken) = sync_channel(1);
    let (_tell, done) = sync_channel(1);
    let (pages, folded) = <(Arc<AtomicU32>, Arc<AtomicU32>)>::default();
    let counted = Arc::clone(&pages);
    let hook = move |_: &mut _, count| {
        counted.store(u32::try_from(count).unwrap_or(0), Ordering::Relaxed);
        Ok(())
    };
    conn.wal_hook(Some(hook)).unwrap();
    // Its thread does nothing by itself: the test takes its turns.
    let mut folding = Folding {
        limits: SHORT,
        pages,
        folded: Arc::clone(&folded),
        has_failed: Arc::default(),
        turn: Arc::default(),
        wake,
        done,
        thread: std::thread::spawn(|| {}),
        asked: 0,
        tried: 0,
        waited: 0,
    };
    let backup = crate::sqlite::connection::open_existing(&path).unwrap();
    backup.execute_batch("begin").unwrap();
    number(&backup, "select count(*) from pages");
    for _ in 0..3 * SHORT.latest / BATCH {
        batch(&conn, &mut folding);
        if woken.try_recv().is_ok() {
            fold(&beside, FOLD, &folded);
        }
    }
    backup.execute_batch("commit").unwrap();
    let (before, begun) = (log_of(&path), folded.load(Ordering::Relaxed));
    for _ in 0..=SHORT.latest / BATCH {
        batch(&conn, &mut folding);
    }
    assert!(woken.try_recv().is_ok(), "the thread is asked");
    let now = folded.load(Ordering::Relaxed);
    assert_eq!(now, begun, "the writer folded it in");
    assert!(log_of(&path) > before);
    fold(&beside, FOLD, &folded);
    batch(&conn, &mut folding);
    assert!(
        folding.pages.load(Ordering::Relaxed) < SHORT.late,
        "it was begun anew"
    );
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
    let beside = crate::sqlite::connection::open_existing(&path).unwrap();
    let mut folding = Folding::start(&mut conn, beside, SHORT).unwrap();
    batch(&conn, &mut folding);
    let reader = crate::sqlite::connection::open_existing(&path).unwrap();
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
