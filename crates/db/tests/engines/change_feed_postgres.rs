//! What a listener on PostgreSQL is told of its own writes and of other processes'.

use crate::change_feed_sqlite::CLOSED;
use crate::support::{SCHEMA, postgres_url};
use kith_db::{Change, Config, Db, Error, Hearing, News, Sql, Tx, Watch, number_of, params, sql};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_postgres::NoTls;

const WATCHES: &[Watch] = &[
    Watch {
        topic: 1,
        table: "ledger",
        told: &["id", "owner"],
        of: &["closed_at"],
        only: "",
    },
    Watch {
        topic: 2,
        table: "ledger",
        told: &[],
        of: &["closed_at"],
        only: "row.closed_at is not null",
    },
];

const INSERT: Sql = sql!("insert into ledger (id, owner, amount) values ($1, 'ada', 0)");
const PAY: Sql = sql!("update ledger set amount = amount + 1 where id = $1");
const CLOSE: Sql = sql!("update ledger set closed_at = 5 where id = $1");
const DELETE: Sql = sql!("delete from ledger where id = $1 returning amount");
const MOVE: Sql = sql!("update ledger set owner = 'bob' where id = $1");
const FAIL: Sql = sql!("update ledger set amount = amount / (id - $1)");

/// What was told; none is what may be anything.
type Heard = Arc<Mutex<Vec<Option<Vec<Change>>>>>;

struct Process {
    db: Db,
    heard: Heard,
    hearing: Hearing,
}

async fn process(url: &str) -> Process {
    let db = Db::open(&Config::postgres(url), SCHEMA).await.unwrap();
    let heard = Heard::default();
    let all = Arc::clone(&heard);
    let listener = Box::new(move |news: News<'_>| {
        all.lock().unwrap().push(match news {
            News::Changed(changes) => Some(changes.to_vec()),
            News::Unknown => None,
        });
    });
    let hearing = db.listen(WATCHES, listener).await.unwrap();
    assert!(hearing.is_current());
    assert_eq!(take(&heard), [None], "what was before is not known");
    Process { db, heard, hearing }
}

fn take(heard: &Heard) -> Vec<Option<Vec<Change>>> {
    std::mem::take(&mut heard.lock().unwrap())
}

impl Process {
    /// What is told of a number of commits, once all of them were.
    async fn hears(&self, count: usize) -> Vec<Option<Vec<Change>>> {
        for _ in 0..1000 {
            if self.heard.lock().unwrap().len() >= count {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        take(&self.heard)
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

/// Inserts a row and keeps the transaction open.
struct Hold(i64, Duration);

impl kith_db::Write for Hold {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&INSERT, params![self.0]).await?;
        tokio::time::sleep(self.1).await;
        Ok(())
    }
}

fn ledger(is_gone: bool, id: i64) -> Change {
    Change {
        topic: 1,
        is_gone,
        row: [Some(id), Some(number_of("ada")), None, None],
    }
}

/// Waits until something holds.
async fn comes_to(holds: impl Fn() -> bool) {
    for _ in 0..6000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it does not come to it");
}

async fn client(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Own writes are told once they are answered and not again; others hear the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_watched_change_is_told_here_and_elsewhere() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    let gone = Change {
        is_gone: true,
        ..CLOSED
    };
    let told = [
        (
            vec![(INSERT, 1), (INSERT, 2)],
            Some(vec![ledger(false, 1), ledger(false, 2)]),
        ),
        (
            vec![(CLOSE, 1), (PAY, 1)],
            Some(vec![ledger(false, 1), CLOSED]),
        ),
        (vec![(DELETE, 2), (DELETE, 2)], Some(vec![ledger(true, 2)])),
        // Who knew the row by its owner cannot be told which it was.
        (vec![(MOVE, 1)], None),
    ];
    for (statements, expected) in told {
        here.write(&statements).await;
        assert_eq!(
            take(&here.heard),
            std::slice::from_ref(&expected),
            "before the answer"
        );
        assert_eq!(there.hears(1).await, [expected]);
    }
    here.write(&[(PAY, 1), (CLOSE, 7)]).await;
    there.write(&[(DELETE, 1)]).await;
    let told = here.hears(1).await;
    let [Some(changes)] = &told[..] else {
        panic!("{told:?}");
    };
    assert_eq!(changes[1..], [gone], "its condition was met");
    assert_eq!(
        take(&there.heard).len(),
        1,
        "its own, nothing of what touched no watched column"
    );
}

/// A statement that answers more than it was written to answer looks the same to its writer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_of_rows_are_as_without_a_listener() {
    let url = postgres_url().await;
    let silent = Db::open(&Config::postgres(&url), SCHEMA).await.unwrap();
    let heard = process(&url).await;
    for db in [&silent, &heard.db] {
        let statements = [(INSERT, 1), (INSERT, 2), (PAY, 1), (CLOSE, 3), (CLOSE, 1)];
        let more = [(DELETE, 1), (DELETE, 1), (DELETE, 2)];
        let rows = db.write(Run([&statements[..], &more[..]].concat())).await;
        assert_eq!(rows.unwrap(), [1, 1, 1, 0, 1, 1, 0, 1]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_undone_is_told_nowhere() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    here.db
        .write(Run(vec![(INSERT, 1), (FAIL, 1)]))
        .await
        .unwrap_err();
    here.write(&[(INSERT, 2)]).await;
    assert_eq!(take(&here.heard), [Some(vec![ledger(false, 2)])]);
    assert_eq!(there.hears(1).await, [Some(vec![ledger(false, 2)])]);
}

/// Transactions become visible in another order than they began.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_took_long_is_told_all_the_same() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    let long = here.db.write(Hold(1, Duration::from_secs(3)));
    let others = async {
        for id in 10..25 {
            here.write(&[(INSERT, id)]).await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let (long, ()) = tokio::join!(long, others);
    long.unwrap();
    let mut told = there.hears(16).await;
    assert_eq!(told.pop(), Some(Some(vec![ledger(false, 1)])));
    let others = (10..25).map(|id| Some(vec![ledger(false, id)]));
    assert_eq!(told, others.collect::<Vec<_>>());
    assert!(there.hearing.is_current());
}

/// Who changes rows by hand says so by a row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_by_hand_says_that_anything_changed() {
    let url = postgres_url().await;
    let here = process(&url).await;
    let by_hand = "insert into changes (xact, node, seq, told)
        values (pg_current_xact_id()::text::bigint, 0, 0, '*')";
    client(&url).await.batch_execute(by_hand).await.unwrap();
    assert_eq!(here.hears(1).await, [None]);
}

/// Without its connection a process knows nothing; what happened meanwhile may be anything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_means_that_anything_changed() {
    let url = postgres_url().await;
    let (here, there) = (process(&url).await, process(&url).await);
    let kill = "select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'kith changes' and datname = current_database()";
    client(&url).await.batch_execute(kill).await.unwrap();
    there.write(&[(INSERT, 1)]).await;
    let told = here.hears(2).await;
    assert!(told.contains(&None), "{told:?}");
    for _ in 0..1000 {
        if here.hearing.is_current() && there.hearing.is_current() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    take(&here.heard);
    there.write(&[(INSERT, 2)]).await;
    assert_eq!(here.hears(1).await, [Some(vec![ledger(false, 2)])]);
}

/// A listener that panics, as by a defect, is believed in nothing until it hears again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_is_forgotten_and_heard_after() {
    let url = postgres_url().await;
    let there = process(&url).await;
    let db = Db::open(&Config::postgres(&url), SCHEMA).await.unwrap();
    let heard = Heard::default();
    let (is_broken, panics) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU64::new(0)),
    );
    let (all, broken, counted) = (
        Arc::clone(&heard),
        Arc::clone(&is_broken),
        Arc::clone(&panics),
    );
    let listener = Box::new(move |news: News<'_>| {
        if broken.load(SeqCst) {
            counted.fetch_add(1, SeqCst);
            panic!("a defect");
        }
        all.lock().unwrap().push(match news {
            News::Changed(changes) => Some(changes.to_vec()),
            News::Unknown => None,
        });
    });
    let hearing = db.listen(WATCHES, listener).await.unwrap();
    take(&heard);
    is_broken.store(true, SeqCst);
    there.write(&[(INSERT, 1)]).await;
    comes_to(|| panics.load(SeqCst) > 0 && !hearing.is_current()).await;
    // It is started again, panics again, and is not believed.
    let before = panics.load(SeqCst);
    comes_to(|| panics.load(SeqCst) > before + 1).await;
    assert!(!hearing.is_current());
    assert_eq!(take(&heard), []);
    is_broken.store(false, SeqCst);
    comes_to(|| hearing.is_current()).await;
    assert_eq!(
        take(&heard).first(),
        Some(&None),
        "what was missed may be anything"
    );
    there.write(&[(INSERT, 2)]).await;
    comes_to(|| !heard.lock().unwrap().is_empty()).await;
    assert_eq!(take(&heard), [Some(vec![ledger(false, 2)])]);
}

/// Rows that a restored backup brought along count transactions of another server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_another_server_are_removed() {
    let url = postgres_url().await;
    drop(process(&url).await);
    let client = client(&url).await;
    let foreign = "insert into changes (xact, node, seq, told) values (1000000000, 0, 0, '*')";
    client.batch_execute(foreign).await.unwrap();
    let here = process(&url).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(take(&here.heard), []);
    let left = client.query("select xact from changes", &[]).await.unwrap();
    assert!(left.is_empty());
}

/// Several processes write at once, and every commit is told everywhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_missed() {
    const EACH: i64 = 150;
    let url = postgres_url().await;
    let processes = [
        process(&url).await,
        process(&url).await,
        process(&url).await,
    ];
    let writes = (0..3 * EACH).map(|id| {
        let index = usize::try_from(id % 3).unwrap();
        processes[index].db.write(Hold(
            id,
            Duration::from_millis(if id % 7 == 0 { 60 } else { 0 }),
        ))
    });
    for written in futures_util::future::join_all(writes).await {
        written.unwrap();
    }
    for process in &processes {
        let mut ids = BTreeSet::new();
        // A transaction that the look saw before its own answer came is told twice: more may be to come
        // when as many were told as were made.
        for _ in 0..1000 {
            let told = take(&process.heard).into_iter();
            let told = told.flat_map(Option::unwrap);
            ids.extend(told.filter_map(|change| change.row[0]));
            if ids.len() == 3 * usize::try_from(EACH).unwrap() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(ids.into_iter().eq(0..3 * EACH));
    }
}
