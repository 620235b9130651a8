//! Retries and the pool's health on the server engine.

use crate::support::{Insert, SCHEMA, Then, count, postgres, postgres_url};
use futures_util::future::join_all;
use kith_db::{Config, Db, Error, Sql, Tx, params, sql};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const ADD: Sql = sql!("update ledger set amount = amount + 1 where id = $1");

/// Updates two rows in the given order, slowly enough to meet another.
struct Both([i64; 2]);

impl kith_db::Write for Both {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&ADD, params![self.0[0]]).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
        let second = tx.exec(&ADD, params![self.0[1]]).await;
        // Who logs what goes wrong can tell that this does not.
        let is_told = |error: &Error| matches!(error, Error::Contended(_));
        assert!(second.as_ref().err().is_none_or(is_told), "{second:?}");
        second.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deadlocks_are_run_again() {
    let scratch = postgres().await;
    for id in [1, 2] {
        scratch
            .db
            .write(Insert {
                id,
                then: Then::Succeed,
            })
            .await
            .unwrap();
    }
    let (forth, back) = tokio::join!(
        scratch.db.write(Both([1, 2])),
        scratch.db.write(Both([2, 1]))
    );
    assert!(forth.is_ok() && back.is_ok(), "{forth:?} {back:?}");
    let total = sql!("select cast(sum(amount) as bigint) from ledger");
    assert_eq!(
        scratch.db.one(&total, &[], |row| row.int(0)).await.unwrap(),
        6
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_hangs_up_leaves_no_open_transaction() {
    let scratch = Arc::new(postgres().await);
    for id in 1..=40 {
        let held = Arc::clone(&scratch);
        let call = tokio::spawn(async move {
            held.db
                .write(Insert {
                    id,
                    then: Then::Dawdle(5),
                })
                .await
                .map(drop)
                .is_ok()
        });
        tokio::time::sleep(Duration::from_millis(1)).await;
        call.abort();
    }
    // More writes than the pool has connections: each must come back clean.
    for id in 100..140 {
        scratch
            .db
            .write(Insert {
                id,
                then: Then::Succeed,
            })
            .await
            .unwrap();
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

/// Changes one row that others change too, and keeps it until the gate is open.
struct Hot {
    begun: Arc<AtomicUsize>,
    gate: Arc<Semaphore>,
}

impl kith_db::Write for Hot {
    type Out = ();
    type Err = Error;

    fn row(&self) -> Option<i64> {
        Some(1)
    }

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        self.begun.fetch_add(1, Relaxed);
        tx.exec(&ADD, params![1_i64]).await?;
        drop(self.gate.acquire().await);
        Ok(())
    }
}

/// Twenty writes of one row wait for each other, which is more than are made at once; somebody else's does
/// not wait for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_row_does_not_take_every_turn() {
    let scratch = Arc::new(postgres().await);
    let then = Then::Succeed;
    scratch.db.write(Insert { id: 1, then }).await.unwrap();
    let (begun, gate) = (Arc::default(), Arc::new(Semaphore::new(0)));
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let (begun, gate) = (Arc::clone(&begun), Arc::clone(&gate));
        let scratch = Arc::clone(&scratch);
        calls.spawn(async move { scratch.db.write(Hot { begun, gate }).await });
    }
    while begun.load(Relaxed) < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    for id in 2..40 {
        scratch.db.write(Insert { id, then }).await.unwrap();
    }
    assert_eq!(begun.load(Relaxed), 3);
    gate.add_permits(1);
    let made = calls.join_all().await;
    assert!(made.iter().all(Result::is_ok), "{made:?}");
    let amount = sql!("select amount from ledger where id = 1");
    let amount = scratch.db.one(&amount, &[], |row| row.int(0)).await;
    assert_eq!(amount.unwrap(), 21);
}

/// Who asks nothing takes no connection, and who asks twice takes one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_takes_a_connection_when_it_asks() {
    let config = Config::Postgres {
        url: postgres_url().await,
        pool_size: 1,
    };
    let db = Db::open(&config, SCHEMA).await.unwrap();
    let (idle, asking) = (db.reader(), db.reader());
    let session = sql!("select pg_backend_pid()");
    let ask = || asking.one(&session, &[], |row| row.int(0));
    let (one, other) = tokio::time::timeout(Duration::from_secs(4), async {
        tokio::try_join!(ask(), ask()).unwrap()
    })
    .await
    .unwrap();
    assert_eq!(one, other);
    // Its connection is its own until it is done.
    let later = idle.one(&session, &[], |row| row.int(0));
    let (later, ()) = tokio::join!(later, async { drop(asking) });
    assert_eq!(later.unwrap(), one);
}

/// What was left running ends by itself, also over the connection that migrated.
/// proves: operate-postgres-time
#[tokio::test]
async fn a_statement_has_a_minute() {
    let scratch = postgres().await;
    let bound = sql!("select current_setting('statement_timeout')");
    let bounds = (0..16).map(|_| scratch.db.one(&bound, &[], |row| row.text(0)));
    for bound in join_all(bounds).await {
        assert_eq!(bound.unwrap(), "1min");
    }
}
