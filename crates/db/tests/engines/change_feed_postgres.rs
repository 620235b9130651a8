//! Change feed on PostgreSQL: own changes and those of other processes.

use crate::change_feed_sqlite::CLOSED;
use crate::support::{SCHEMA, postgres_url};
use kith_db::{
    ChangeEvent, Config, Db, Error, FeedFreshness, RowChange, Sql, Tx, WatchSpec, hash_key, params,
    sql,
};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_postgres::NoTls;

const WATCHES: &[WatchSpec] = &[
    WatchSpec {
        topic: 1,
        table: "ledger",
        columns: &["id", "owner"],
        update_of: &["closed_at"],
        when: "",
    },
    WatchSpec {
        topic: 2,
        table: "ledger",
        columns: &[],
        update_of: &["closed_at"],
        when: "row.closed_at is not null",
    },
];

const INSERT: Sql = sql!("insert into ledger (id, owner, amount) values ($1, 'ada', 0)");
const PAY: Sql = sql!("update ledger set amount = amount + 1 where id = $1");
const CLOSE: Sql = sql!("update ledger set closed_at = 5 where id = $1");
const DELETE: Sql = sql!("delete from ledger where id = $1 returning amount");
const MOVE: Sql = sql!("update ledger set owner = 'bob' where id = $1");
const FAIL: Sql = sql!("update ledger set amount = amount / (id - $1)");

/// Received events; `None` is an unknown change.
type Events = Arc<Mutex<Vec<Option<Vec<RowChange>>>>>;

struct Process {
    db: Db,
    events: Events,
    freshness: FeedFreshness,
}

async fn process(url: &str) -> Process {
    process_watching(url, WATCHES).await
}

async fn process_watching(url: &str, watches: &'static [WatchSpec]) -> Process {
    let db = Db::open(&Config::postgres(url), SCHEMA).await.unwrap();
    let events = Events::default();
    let all = Arc::clone(&events);
    let listener = Box::new(move |event: ChangeEvent<'_>| {
        all.lock().unwrap().push(match event {
            ChangeEvent::Changed(changes) => Some(changes.to_vec()),
            ChangeEvent::Unknown => None,
        });
    });
    let freshness = db.subscribe(watches, listener).await.unwrap();
    assert!(freshness.is_current());
    assert_eq!(take(&events), [None], "the first poll reports an unknown change");
    Process { db, events, freshness }
}

fn take(events: &Events) -> Vec<Option<Vec<RowChange>>> {
    std::mem::take(&mut events.lock().unwrap())
}

impl Process {
    /// Waits for `count` events and returns all received ones.
    async fn receive(&self, count: usize) -> Vec<Option<Vec<RowChange>>> {
        for _ in 0..1000 {
            if self.events.lock().unwrap().len() >= count {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        take(&self.events)
    }

    async fn write(&self, statements: &[(Sql, i64)]) {
        self.db.write(Run(statements.to_vec())).await.unwrap();
    }
}

/// Statements of one transaction.
struct Run(Vec<(Sql, i64)>);

impl kith_db::Write for Run {
    type Out = Vec<u64>;
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<u64>> {
        let mut rows = Vec::new();
        for (sql, id) in &self.0 {
            rows.push(tx.exec(sql, params![*id]).await?);
        }
        Ok(rows)
    }
}

/// Inserts a row and holds the transaction open.
struct SlowInsert(i64, Duration);

impl kith_db::Write for SlowInsert {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&INSERT, params![self.0]).await?;
        tokio::time::sleep(self.1).await;
        Ok(())
    }
}

fn ledger(is_gone: bool, id: i64) -> RowChange {
    RowChange { topic: 1, is_gone, row: [Some(id), Some(hash_key("ada")), None, None] }
}

/// Waits until a condition is met.
async fn wait_until(holds: impl Fn() -> bool) {
    for _ in 0..6000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the condition was not met in time");
}

async fn client(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Own changes arrive once, before the write returns; other processes receive the same ones.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_watched_change_reaches_every_process() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    let gone = RowChange { is_gone: true, ..CLOSED };
    let received = [
        (vec![(INSERT, 1), (INSERT, 2)], Some(vec![ledger(false, 1), ledger(false, 2)])),
        (vec![(CLOSE, 1), (PAY, 1)], Some(vec![ledger(false, 1), CLOSED])),
        (vec![(DELETE, 2), (DELETE, 2)], Some(vec![ledger(true, 2)])),
        // The old owner is unknown, so any row may have changed.
        (vec![(MOVE, 1)], None),
    ];
    for (statements, expected) in received {
        here.write(&statements).await;
        assert_eq!(take(&here.events), std::slice::from_ref(&expected), "before the result");
        assert_eq!(there.receive(1).await, [expected]);
    }
    here.write(&[(PAY, 1), (CLOSE, 7)]).await;
    there.write(&[(DELETE, 1)]).await;
    let received = here.receive(1).await;
    let [Some(changes)] = &received[..] else {
        panic!("{received:?}");
    };
    assert_eq!(changes[1..], [gone], "the condition held before");
    assert_eq!(take(&there.events).len(), 1, "its own change, none of unwatched columns");
}

/// Instrumented statements return the same row counts to their writer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn row_counts_are_the_same_with_a_listener() {
    let url = postgres_url().await;
    let silent = Db::open(&Config::postgres(&url), SCHEMA).await.unwrap();
    let events = process(&url).await;
    for db in [&silent, &events.db] {
        let statements = [(INSERT, 1), (INSERT, 2), (PAY, 1), (CLOSE, 3), (CLOSE, 1)];
        let more = [(DELETE, 1), (DELETE, 1), (DELETE, 2)];
        let rows = db.write(Run([&statements[..], &more[..]].concat())).await;
        assert_eq!(rows.unwrap(), [1, 1, 1, 0, 1, 1, 0, 1]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_that_were_rolled_back_reach_no_process() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    here.db.write(Run(vec![(INSERT, 1), (FAIL, 1)])).await.unwrap_err();
    here.write(&[(INSERT, 2)]).await;
    assert_eq!(take(&here.events), [Some(vec![ledger(false, 2)])]);
    assert_eq!(there.receive(1).await, [Some(vec![ledger(false, 2)])]);
}

/// Transactions become visible in another order than they began.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_commit_is_delivered_later() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    let long = here.db.write(SlowInsert(1, Duration::from_secs(3)));
    let others = async {
        for id in 10..25 {
            here.write(&[(INSERT, id)]).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let (long, ()) = tokio::join!(long, others);
    long.unwrap();
    let mut received = there.receive(16).await;
    assert_eq!(received.pop(), Some(Some(vec![ledger(false, 1)])));
    let others = (10..25).map(|id| Some(vec![ledger(false, id)]));
    assert_eq!(received, others.collect::<Vec<_>>());
    assert!(there.freshness.is_current());
}

/// Another version of the program may watch what this one does not.
/// proves: upgrade-rolling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_write_is_an_unknown_change_for_another_version() {
    let url = postgres_url().await;
    let (here, other) = (process(&url).await, process_watching(&url, &[]).await);
    other.write(&[(INSERT, 1)]).await;
    assert_eq!(here.receive(1).await, [None]);
    assert_eq!(take(&other.events), []);
}

/// A manual change is announced by a manual row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_manual_row_reports_an_unknown_change() {
    let url = postgres_url().await;
    let here = process(&url).await;
    let by_hand = "insert into changes (xact, node, seq, told)
        values (pg_current_xact_id()::text::bigint, 0, 0, '*')";
    client(&url).await.batch_execute(by_hand).await.unwrap();
    assert_eq!(here.receive(1).await, [None]);
}

/// A process without its connection knows no changes; those it missed are unknown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_reports_an_unknown_change() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    let kill = "select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'kith changes' and datname = current_database()";
    client(&url).await.batch_execute(kill).await.unwrap();
    there.write(&[(INSERT, 1)]).await;
    let received = here.receive(2).await;
    assert!(received.contains(&None), "{received:?}");
    for _ in 0..1000 {
        if here.freshness.is_current() && there.freshness.is_current() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    take(&here.events);
    there.write(&[(INSERT, 2)]).await;
    assert_eq!(here.receive(1).await, [Some(vec![ledger(false, 2)])]);
}

/// After a panic of the listener the feed is stale until events arrive again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listener_that_panics_receives_events_again() {
    let url = postgres_url().await;
    let there = process(&url).await;
    let db = Db::open(&Config::postgres(&url), SCHEMA).await.unwrap();
    let events = Events::default();
    let (is_broken, panics) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (all, broken, counted) = (Arc::clone(&events), Arc::clone(&is_broken), Arc::clone(&panics));
    let listener = Box::new(move |event: ChangeEvent<'_>| {
        if broken.load(SeqCst) {
            counted.fetch_add(1, SeqCst);
            panic!("a defect");
        }
        all.lock().unwrap().push(match event {
            ChangeEvent::Changed(changes) => Some(changes.to_vec()),
            ChangeEvent::Unknown => None,
        });
    });
    let freshness = db.subscribe(WATCHES, listener).await.unwrap();
    take(&events);
    is_broken.store(true, SeqCst);
    there.write(&[(INSERT, 1)]).await;
    wait_until(|| panics.load(SeqCst) > 0 && !freshness.is_current()).await;
    // The subscriber restarts, panics again, and the feed stays stale.
    let before = panics.load(SeqCst);
    wait_until(|| panics.load(SeqCst) > before + 1).await;
    assert!(!freshness.is_current());
    assert_eq!(take(&events), []);
    is_broken.store(false, SeqCst);
    wait_until(|| freshness.is_current()).await;
    assert_eq!(take(&events).first(), Some(&None), "missed changes are unknown");
    there.write(&[(INSERT, 2)]).await;
    wait_until(|| !events.lock().unwrap().is_empty()).await;
    assert_eq!(take(&events), [Some(vec![ledger(false, 2)])]);
}

/// Rows of a restored backup contain transaction numbers of another server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_another_server_are_removed() {
    let url = postgres_url().await;
    drop(process(&url).await);
    let client = client(&url).await;
    let foreign = "insert into changes (xact, node, seq, told) values (1000000000, 0, 0, '*')";
    client.batch_execute(foreign).await.unwrap();
    let here = process(&url).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(take(&here.events), []);
    let left = client.query("select xact from changes", &[]).await.unwrap();
    assert!(left.is_empty());
}

/// Several processes write concurrently, and each receives every commit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_commit_is_missed() {
    const EACH: i64 = 150;
    let url = postgres_url().await;
    let processes = [process(&url).await, process(&url).await, process(&url).await];
    let writes = (0..3 * EACH).map(|id| {
        let index = usize::try_from(id % 3).unwrap();
        processes[index]
            .db
            .write(SlowInsert(id, Duration::from_millis(if id % 7 == 0 { 60 } else { 0 })))
    });
    for written in futures_util::future::join_all(writes).await {
        written.unwrap();
    }
    for process in &processes {
        let mut ids = BTreeSet::new();
        // A transaction that a poll saw before its own commit returned is delivered twice, so the loop counts ids.
        for _ in 0..1000 {
            let received = take(&process.events).into_iter();
            let received = received.flat_map(Option::unwrap);
            ids.extend(received.filter_map(|change| change.row[0]));
            if ids.len() == 3 * usize::try_from(EACH).unwrap() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(ids.into_iter().eq(0..3 * EACH));
    }
}
