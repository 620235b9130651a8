//! Durability, group commit and back-pressure on SQLite.

use crate::support::{Insert, Scratch, Then, WriteError, count, sqlite};
use kith_db::{Error, Sql, Tx, params};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts the commits in a WAL: frames that contain the database size.
fn commits(scratch: &Scratch) -> usize {
    let log = std::fs::read(scratch.folder.path().join("test.db-wal")).unwrap();
    let page = u32::from_be_bytes(log[8..12].try_into().unwrap()) as usize;
    let frames = log[32..].chunks_exact(24 + page);
    frames.filter(|frame| frame[4..8] != [0; 4]).count()
}

/// Queues `count` writes behind a slow one, awaits them all, and returns how many were rejected.
async fn queue_writes_behind_a_slow_one(scratch: &Arc<Scratch>, count: i64) -> usize {
    let spawn = |id, then| {
        let scratch = Arc::clone(scratch);
        tokio::spawn(async move { scratch.db.write(Insert { id, then }).await })
    };
    let slow = spawn(0, Then::Sleep(1_500));
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    let waiting = (1..=count).map(|id| spawn(id, Then::Succeed)).collect::<Vec<_>>();
    slow.await.unwrap().unwrap();
    let mut failed = 0;
    for write in waiting {
        match write.await.unwrap() {
            Ok(_) => {}
            Err(WriteError::Database(Error::Unavailable(_))) => failed += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
    failed
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_writes_share_one_commit() {
    let scratch = Arc::new(sqlite().await);
    let before = commits(&scratch);
    assert_eq!(queue_writes_behind_a_slow_one(&scratch, 100).await, 0);
    assert_eq!(count(&scratch.db).await, 101);
    let made = commits(&scratch) - before;
    assert!((1..=3).contains(&made), "101 writes took {made} commits");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_rejects_writes_and_recovers() {
    let scratch = Arc::new(sqlite().await);
    let failed = queue_writes_behind_a_slow_one(&scratch, 400).await;
    assert!((100..400).contains(&failed), "{failed} of 400 failed");
    assert_eq!(scratch.db.write(Insert { id: 900, then: Then::Succeed }).await.unwrap(), 900);
}

#[tokio::test]
async fn a_confirmed_write_is_on_disk() {
    let scratch = sqlite().await;
    scratch.db.write(Insert { id: 1, then: Then::Succeed }).await.unwrap();
    // Copies the files as a killed process would leave them.
    let copy = tempfile::tempdir().unwrap();
    for name in ["test.db", "test.db-wal"] {
        std::fs::copy(scratch.folder.path().join(name), copy.path().join(name)).unwrap();
    }
    let config = kith_db::Config::sqlite(copy.path().join("test.db"));
    let reopened = kith_db::Db::open(&config, crate::support::SCHEMA).await.unwrap();
    assert_eq!(count(&reopened).await, 1);
}

/// Reads a setting of the writer's connection.
struct Pragma(&'static str);

impl kith_db::Write for Pragma {
    type Out = String;
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<String> {
        let sql = Sql { sqlite: self.0, postgres: "" };
        let text = |row: &kith_db::Row<'_>| row.text(0).or_else(|_| Ok(row.int(0)?.to_string()));
        tx.one(&sql, params![], text).await
    }
}

#[tokio::test]
async fn commits_wait_for_the_disk() {
    let scratch = sqlite().await;
    let setting = |name| scratch.db.write(Pragma(name));
    assert_eq!(setting("pragma journal_mode").await.unwrap(), "wal");
    assert_eq!(setting("pragma synchronous").await.unwrap(), "2", "FULL");
    let options = scratch
        .db
        .all(&Sql { sqlite: "pragma compile_options", postgres: "" }, &[], |row| row.text(0))
        .await
        .unwrap();
    assert!(options.contains(&"DEFAULT_MEMSTATUS=0".to_owned()), "{options:?}");
}

#[tokio::test]
async fn readers_cannot_write() {
    let scratch = sqlite().await;
    let delete = Sql { sqlite: "delete from ledger returning id", postgres: "" };
    assert!(scratch.db.all(&delete, &[], |row| row.int(0)).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_finishes_submitted_writes() {
    let scratch = Arc::new(sqlite().await);
    let slow = {
        let scratch = Arc::clone(&scratch);
        tokio::spawn(
            async move { scratch.db.write(Insert { id: 1, then: Then::Sleep(800) }).await },
        )
    };
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    scratch.db.close().await;
    assert_eq!(slow.await.unwrap().unwrap(), 1);
    assert!(matches!(
        scratch.db.write(Insert { id: 2, then: Then::Succeed }).await,
        Err(WriteError::Database(Error::Unavailable(_)))
    ));
}

/// Awaits something other than its transaction.
struct AwaitsElsewhere;

impl kith_db::Write for AwaitsElsewhere {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&crate::support::INSERT, params![1, "ada", 1]).await?;
        tokio::task::yield_now().await;
        Ok(())
    }
}

#[tokio::test]
async fn a_write_that_awaits_something_else_is_rolled_back() {
    let scratch = sqlite().await;
    assert!(matches!(scratch.db.write(AwaitsElsewhere).await, Err(Error::Statement(_))));
    assert_eq!(count(&scratch.db).await, 0);
}

/// An insert that counts its runs.
struct Counted(Insert, Arc<AtomicU32>);

impl kith_db::Write for Counted {
    type Out = i64;
    type Err = WriteError;

    async fn run(&self, tx: &mut Tx) -> Result<i64, WriteError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.run(tx).await
    }
}

/// Runs ten writes in one batch behind a slow one; the write number `failed` fails. Returns the runs of each.
async fn write_ten_concurrently(
    scratch: &Arc<Scratch>,
    first: i64,
    failed: Option<i64>,
) -> Vec<u32> {
    let spawned = Arc::clone(scratch);
    let slow = tokio::spawn(async move {
        let then = Then::Sleep(400);
        spawned.db.write(Insert { id: first, then }).await
    });
    tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    let (runs, writes): (Vec<_>, Vec<_>) = (1..=10)
        .map(|position| {
            let is_failing = Some(position) == failed;
            let then = if is_failing { Then::Fail } else { Then::Succeed };
            let runs = Arc::new(AtomicU32::new(0));
            let id = first + position;
            let counted = Counted(Insert { id, then }, Arc::clone(&runs));
            (runs, scratch.db.write(counted))
        })
        .unzip();
    let results = futures_util::future::join_all(writes).await;
    for (result, position) in results.iter().zip(1..) {
        match result {
            Ok(id) => assert!(*id == first + position && failed != Some(position)),
            Err(error) => {
                assert!(matches!(error, WriteError::ByTest) && failed == Some(position));
            }
        }
    }
    slow.await.unwrap().unwrap();
    runs.iter().map(|runs| runs.load(Ordering::Relaxed)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_is_repeated_without_the_write_that_failed() {
    const TWICE: [u32; 10] = [2, 2, 2, 2, 2, 1, 1, 1, 1, 1];
    let scratch = Arc::new(sqlite().await);
    assert_eq!(write_ten_concurrently(&scratch, 100, Some(5)).await, TWICE);
    assert_eq!(count(&scratch.db).await, 10);
    let again = write_ten_concurrently(&scratch, 200, Some(5)).await;
    assert_eq!(again, [1; 10], "batches use savepoints after a failure");
    assert_eq!(count(&scratch.db).await, 20);
    for calm in 0..16 {
        assert_eq!(write_ten_concurrently(&scratch, 300 + calm * 20, None).await, [1; 10]);
    }
    assert_eq!(
        write_ten_concurrently(&scratch, 900, Some(5)).await,
        TWICE,
        "savepoints end after 16 batches"
    );
    assert_eq!(count(&scratch.db).await, 20 + 16 * 11 + 10);
    let [failed, made] = [Then::Fail, Then::Succeed].map(|then| Insert { id: 1_000, then });
    assert!(scratch.db.write(failed).await.is_err());
    assert_eq!(scratch.db.write(made).await.unwrap(), 1_000);
}
