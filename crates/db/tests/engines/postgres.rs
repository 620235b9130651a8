//! Retries, limits and connections on PostgreSQL.

use crate::support::{Insert, SCHEMA, Then, count, postgres, postgres_url};
use futures_util::future::join_all;
use kith_db::{Config, Db, Error, Sql, Tx, params, sql};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const ADD: Sql = sql!("update ledger set amount = amount + 1 where id = $1");

/// Updates two rows in the given order, slowly enough to deadlock with another.
struct AddToTwo([i64; 2]);

impl kith_db::Write for AddToTwo {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&ADD, params![self.0[0]]).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let second = tx.exec(&ADD, params![self.0[1]]).await;
        // A caller that logs errors can recognize the conflict.
        let is_contended = |error: &Error| matches!(error, Error::Contended(_));
        assert!(second.as_ref().err().is_none_or(is_contended), "{second:?}");
        second.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deadlocks_are_run_again() {
    let scratch = postgres().await;
    for id in [1, 2] {
        scratch.db.write(Insert { id, then: Then::Succeed }).await.unwrap();
    }
    let (forth, back) =
        tokio::join!(scratch.db.write(AddToTwo([1, 2])), scratch.db.write(AddToTwo([2, 1])));
    assert!(forth.is_ok() && back.is_ok(), "{forth:?} {back:?}");
    let total = sql!("select cast(sum(amount) as bigint) from ledger");
    assert_eq!(scratch.db.one(&total, &[], |row| row.int(0)).await.unwrap(), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_disconnects_leaves_no_open_transaction() {
    let scratch = Arc::new(postgres().await);
    for id in 1..=40 {
        let held = Arc::clone(&scratch);
        let write = tokio::spawn(async move {
            held.db.write(Insert { id, then: Then::Sleep(5) }).await.map(drop).is_ok()
        });
        tokio::time::sleep(Duration::from_millis(1)).await;
        write.abort();
    }
    // More writes than the pool has connections: each connection must be clean.
    for id in 100..140 {
        scratch.db.write(Insert { id, then: Then::Succeed }).await.unwrap();
    }
    let idle = sql!(
        "select count(*) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'"
    );
    for _ in 0..200 {
        if scratch.db.one(&idle, &[], |row| row.int(0)).await.unwrap() == 0 {
            assert!(count(&scratch.db).await >= 40);
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("a transaction was left open");
}

/// Updates one row that other writes update too, and holds it until the gate opens.
struct AddToSharedRow {
    begun: Arc<AtomicUsize>,
    gate: Arc<Semaphore>,
}

impl kith_db::Write for AddToSharedRow {
    type Out = ();
    type Err = Error;

    fn contention_key(&self) -> Option<i64> {
        Some(1)
    }

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        self.begun.fetch_add(1, Relaxed);
        tx.exec(&ADD, params![1_i64]).await?;
        drop(self.gate.acquire().await);
        Ok(())
    }
}

/// Twenty writes of one row exceed the limit of concurrent ones; writes of other rows proceed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_of_one_row_do_not_block_others() {
    let scratch = Arc::new(postgres().await);
    let then = Then::Succeed;
    scratch.db.write(Insert { id: 1, then }).await.unwrap();
    let (begun, gate) = (Arc::default(), Arc::new(Semaphore::new(0)));
    let mut writes = JoinSet::new();
    for _ in 0..20 {
        let (begun, gate) = (Arc::clone(&begun), Arc::clone(&gate));
        let scratch = Arc::clone(&scratch);
        writes.spawn(async move { scratch.db.write(AddToSharedRow { begun, gate }).await });
    }
    while begun.load(Relaxed) < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for id in 2..40 {
        scratch.db.write(Insert { id, then }).await.unwrap();
    }
    assert_eq!(begun.load(Relaxed), 3);
    gate.add_permits(1);
    let made = writes.join_all().await;
    assert!(made.iter().all(Result::is_ok), "{made:?}");
    let amount = sql!("select amount from ledger where id = 1");
    let amount = scratch.db.one(&amount, &[], |row| row.int(0)).await;
    assert_eq!(amount.unwrap(), 21);
}

/// A reader without queries needs no connection, one with several queries needs one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_acquires_a_connection_at_its_first_query() {
    let config = Config::Postgres { url: postgres_url().await, pool_size: 1 };
    let db = Db::open(&config, SCHEMA).await.unwrap();
    let (idle, active) = (db.reader(), db.reader());
    let session = sql!("select pg_backend_pid()");
    let query = || active.one(&session, &[], |row| row.int(0));
    let (one, other) = tokio::time::timeout(Duration::from_secs(4), async {
        tokio::try_join!(query(), query()).unwrap()
    })
    .await
    .unwrap();
    assert_eq!(one, other);
    // A reader keeps its connection until it is dropped.
    let later = idle.one(&session, &[], |row| row.int(0));
    let (later, ()) = tokio::join!(later, async { drop(active) });
    assert_eq!(later.unwrap(), one);
}

/// The limit also applies to the connection that ran the migrations.
/// proves: operate-postgres-time
#[tokio::test]
async fn a_statement_may_run_for_one_minute() {
    let scratch = postgres().await;
    let bound = sql!("select current_setting('statement_timeout')");
    let bounds = (0..16).map(|_| scratch.db.one(&bound, &[], |row| row.text(0)));
    for bound in join_all(bounds).await {
        assert_eq!(bound.unwrap(), "1min");
    }
}
