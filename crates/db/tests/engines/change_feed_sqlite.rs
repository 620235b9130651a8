//! Change feed on SQLite: watched changes arrive after the commit and before the write returns.

use crate::support::{Scratch, sqlite};
use kith_db::{
    ChangeEvent, Db, Error, Param, RowChange, Sql, Tx, WatchSpec, hash_key, params, sql,
};
use rusqlite::Connection;
use std::future::ready;
use std::pin::pin;
use std::sync::{Arc, Mutex};

const WATCHES: &[WatchSpec] = &[
    WatchSpec {
        topic: 1,
        table: "ledger",
        columns: &["id", "owner", "closed_at"],
        update_of: &["owner", "closed_at"],
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

const INSERT: Sql =
    sql!("insert into ledger (id, owner, amount, closed_at) values ($1, 'ada', 0, $2)");
const PAY: Sql = sql!("update ledger set amount = amount + 1 where id = $1");
const CLOSE: Sql = sql!("update ledger set closed_at = $2 where id = $1");
const DELETE: Sql = sql!("delete from ledger where id = $1 returning id");

/// An event that a listener received.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    Changed(Vec<RowChange>),
    Unknown,
}

type Events = Arc<Mutex<Vec<Event>>>;

async fn subscribe(db: &Db) -> Events {
    let events = Events::default();
    let all = Arc::clone(&events);
    let listener = Box::new(move |event: ChangeEvent<'_>| {
        all.lock().unwrap().push(match event {
            ChangeEvent::Changed(changes) => Event::Changed(changes.to_vec()),
            ChangeEvent::Unknown => Event::Unknown,
        });
    });
    assert!(db.subscribe(WATCHES, listener).await.unwrap().is_current());
    events
}

fn take(events: &Events) -> Vec<Event> {
    std::mem::take(&mut events.lock().unwrap())
}

/// Statements of one transaction, which fails at its end if the flag is false.
struct Run(Vec<(Sql, Vec<Option<i64>>)>, bool);

impl kith_db::Write for Run {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for (sql, values) in &self.0 {
            let values = values.iter().map(|value| Param::from(*value));
            tx.all(sql, &values.collect::<Vec<_>>(), |_| Ok(())).await?;
        }
        if self.1 { Ok(()) } else { Err(Error::Statement("rolled back".into())) }
    }
}

async fn run(scratch: &Scratch, statements: &[(Sql, &[Option<i64>])]) {
    let statements = statements.iter().map(|(sql, values)| (*sql, values.to_vec()));
    scratch.db.write(Run(statements.collect(), true)).await.unwrap();
}

fn ledger(is_gone: bool, id: i64, closed: Option<i64>) -> RowChange {
    RowChange { topic: 1, is_gone, row: [Some(id), Some(hash_key("ada")), closed, None] }
}

pub(crate) const CLOSED: RowChange = RowChange { topic: 2, is_gone: false, row: [None; 4] };

#[tokio::test]
async fn each_watched_change_is_delivered_before_the_result() {
    let scratch = sqlite().await;
    let events = subscribe(&scratch.db).await;
    run(&scratch, &[(INSERT, &[Some(1), None])]).await;
    assert_eq!(take(&events), [Event::Changed(vec![ledger(false, 1, None)])]);
    run(&scratch, &[(PAY, &[Some(1)])]).await;
    assert_eq!(take(&events), [], "an unwatched column");
    run(&scratch, &[(CLOSE, &[Some(1), Some(5)]), (PAY, &[Some(1)])]).await;
    let received = take(&events);
    let [Event::Changed(changes)] = &received[..] else {
        panic!("{received:?}");
    };
    // SQLite does not define the order of triggers.
    assert_eq!(changes.len(), 3);
    assert!(changes.contains(&CLOSED));
    let ledgers = changes.iter().filter(|change| change.topic == 1);
    let before_and_after = [ledger(true, 1, None), ledger(false, 1, Some(5))];
    assert!(
        ledgers.eq(&before_and_after),
        "the old values are gone, then the new ones arrive: {changes:?}"
    );
    run(&scratch, &[(CLOSE, &[Some(1), None])]).await;
    assert!(
        format!("{:?}", take(&events)).contains("topic: 2"),
        "the condition held before the change"
    );
    run(&scratch, &[(DELETE, &[Some(1)]), (DELETE, &[Some(1)])]).await;
    assert_eq!(take(&events), [Event::Changed(vec![ledger(true, 1, None)])]);
}

#[tokio::test]
async fn changes_that_were_rolled_back_are_not_delivered() {
    let scratch = sqlite().await;
    let events = subscribe(&scratch.db).await;
    let failed = Run(vec![(INSERT, vec![Some(1), None])], false);
    let made = Run(vec![(INSERT, vec![Some(2), None])], true);
    let (failed, made) = tokio::join!(scratch.db.write(failed), scratch.db.write(made));
    assert!(failed.is_err() && made.is_ok());
    assert_eq!(take(&events), [Event::Changed(vec![ledger(false, 2, None)])]);
}

/// Earlier commits of another process are detected while a write waits for its transaction.
#[tokio::test]
async fn changes_of_another_process_are_detected_while_writes_wait() {
    let scratch = sqlite().await;
    let events = subscribe(&scratch.db).await;
    let other = Connection::open(scratch.folder.path().join("test.db")).unwrap();
    let insert = "insert into ledger (id, owner, amount) values (1, 'ada', 0)";
    other.execute_batch(&format!("begin immediate; {insert}")).unwrap();
    let write = scratch.db.write(Run(vec![(DELETE, vec![Some(1)])], true));
    let mut write = pin!(write);
    // The first poll queues the write.
    tokio::select! {
        biased;
        _ = &mut write => panic!("two processes are inside a transaction"),
        () = ready(()) => {}
    }
    other.execute_batch("commit; begin immediate").unwrap();
    for _ in 0..300 {
        if !events.lock().unwrap().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(take(&events), [Event::Unknown]);
    other.execute_batch("rollback").unwrap();
    write.await.unwrap();
    assert_eq!(take(&events), [Event::Changed(vec![ledger(true, 1, None)])]);
}

/// A command that only reads must not invalidate the server's caches.
#[tokio::test]
async fn reads_of_another_process_are_no_change() {
    let scratch = sqlite().await;
    run(&scratch, &[(INSERT, &[Some(1), None])]).await;
    let events = subscribe(&scratch.db).await;
    let config = kith_db::Config::sqlite(scratch.folder.path().join("test.db"));
    let other = Db::open_as_is(&config, crate::support::SCHEMA).await.unwrap();
    assert_eq!(crate::support::count(&other).await, 1);
    other.close().await;
    run(&scratch, &[(DELETE, &[Some(1)])]).await;
    assert_eq!(take(&events), [Event::Changed(vec![ledger(true, 1, None)])]);
}

/// Another handle of the file acts as another process.
#[tokio::test]
async fn changes_of_another_process_are_detected() {
    let scratch = sqlite().await;
    let events = subscribe(&scratch.db).await;
    let config = kith_db::Config::sqlite(scratch.folder.path().join("test.db"));
    let other = Db::open_as_is(&config, crate::support::SCHEMA).await.unwrap();
    let write = Run(vec![(INSERT, vec![Some(1), None])], true);
    other.write(write).await.unwrap();
    // Detected without a write here, before the command ends.
    other.close().await;
    for _ in 0..500 {
        if !events.lock().unwrap().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(take(&events), [Event::Unknown]);
    // The next write reports only its own change.
    run(&scratch, &[(DELETE, &[Some(1)])]).await;
    assert_eq!(take(&events), [Event::Changed(vec![ledger(true, 1, None)])]);
    // A write checks for other processes before it reads.
    let other = Db::open_as_is(&config, crate::support::SCHEMA).await.unwrap();
    let write = Run(vec![(INSERT, vec![Some(2), None])], true);
    other.write(write).await.unwrap();
    run(&scratch, &[(DELETE, &[Some(2)])]).await;
    assert_eq!(take(&events), [Event::Unknown, Event::Changed(vec![ledger(true, 2, None)])]);
    assert_eq!(
        scratch.db.one(&crate::support::COUNT, params![], |row| row.int(0)).await.unwrap(),
        0
    );
}
