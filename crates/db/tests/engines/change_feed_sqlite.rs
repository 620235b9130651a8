//! What a listener is told: every watched change, once it is committed, before it is answered.

use crate::support::{Scratch, sqlite};
use kith_db::{Change, Db, Error, News, Param, Sql, Tx, Watch, number_of, params, sql};
use rusqlite::Connection;
use std::future::ready;
use std::pin::pin;
use std::sync::{Arc, Mutex};

const WATCHES: &[Watch] = &[
    Watch {
        topic: 1,
        table: "ledger",
        told: &["id", "owner", "closed_at"],
        of: &["owner", "closed_at"],
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

const INSERT: Sql =
    sql!("insert into ledger (id, owner, amount, closed_at) values ($1, 'ada', 0, $2)");
const PAY: Sql = sql!("update ledger set amount = amount + 1 where id = $1");
const CLOSE: Sql = sql!("update ledger set closed_at = $2 where id = $1");
const DELETE: Sql = sql!("delete from ledger where id = $1 returning id");

/// What was told, and how many rows a reader saw at that moment.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Changed(Vec<Change>),
    Unknown,
}

type Heard = Arc<Mutex<Vec<Told>>>;

async fn listen(db: &Db) -> Heard {
    let heard = Heard::default();
    let all = Arc::clone(&heard);
    let listener = Box::new(move |news: News<'_>| {
        all.lock().unwrap().push(match news {
            News::Changed(changes) => Told::Changed(changes.to_vec()),
            News::Unknown => Told::Unknown,
        });
    });
    assert!(db.listen(WATCHES, listener).await.unwrap().is_current());
    heard
}

fn take(heard: &Heard) -> Vec<Told> {
    std::mem::take(&mut heard.lock().unwrap())
}

/// Statements of one transaction; a refused one ends it.
struct Run(Vec<(Sql, Vec<Option<i64>>)>, bool);

impl kith_db::Write for Run {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for (sql, values) in &self.0 {
            let values = values.iter().map(|value| Param::from(*value));
            tx.all(sql, &values.collect::<Vec<_>>(), |_| Ok(())).await?;
        }
        if self.1 {
            Ok(())
        } else {
            Err(Error::Statement("refused".into()))
        }
    }
}

async fn run(scratch: &Scratch, statements: &[(Sql, &[Option<i64>])]) {
    let statements = statements
        .iter()
        .map(|(sql, values)| (*sql, values.to_vec()));
    scratch
        .db
        .write(Run(statements.collect(), true))
        .await
        .unwrap();
}

fn ledger(is_gone: bool, id: i64, closed: Option<i64>) -> Change {
    Change {
        topic: 1,
        is_gone,
        row: [Some(id), Some(number_of("ada")), closed, None],
    }
}

pub(crate) const CLOSED: Change = Change {
    topic: 2,
    is_gone: false,
    row: [None; 4],
};

#[tokio::test]
async fn each_watched_change_is_told_before_its_answer() {
    let scratch = sqlite().await;
    let heard = listen(&scratch.db).await;
    run(&scratch, &[(INSERT, &[Some(1), None])]).await;
    assert_eq!(take(&heard), [Told::Changed(vec![ledger(false, 1, None)])]);
    run(&scratch, &[(PAY, &[Some(1)])]).await;
    assert_eq!(take(&heard), [], "a column that nobody watches");
    run(&scratch, &[(CLOSE, &[Some(1), Some(5)]), (PAY, &[Some(1)])]).await;
    let told = take(&heard);
    let [Told::Changed(changes)] = &told[..] else {
        panic!("{told:?}");
    };
    // SQLite does not say which trigger goes first.
    assert_eq!(changes.len(), 3);
    assert!(changes.contains(&CLOSED));
    let ledgers = changes.iter().filter(|change| change.topic == 1);
    let before_and_after = [ledger(true, 1, None), ledger(false, 1, Some(5))];
    assert!(
        ledgers.eq(&before_and_after),
        "what it was told by is gone, then it is told anew: {changes:?}"
    );
    run(&scratch, &[(CLOSE, &[Some(1), None])]).await;
    assert!(
        format!("{:?}", take(&heard)).contains("topic: 2"),
        "what was met before counts"
    );
    run(&scratch, &[(DELETE, &[Some(1)]), (DELETE, &[Some(1)])]).await;
    assert_eq!(take(&heard), [Told::Changed(vec![ledger(true, 1, None)])]);
}

#[tokio::test]
async fn what_was_undone_is_not_told() {
    let scratch = sqlite().await;
    let heard = listen(&scratch.db).await;
    let refused = Run(vec![(INSERT, vec![Some(1), None])], false);
    let made = Run(vec![(INSERT, vec![Some(2), None])], true);
    let (refused, made) = tokio::join!(scratch.db.write(refused), scratch.db.write(made));
    assert!(refused.is_err() && made.is_ok());
    assert_eq!(take(&heard), [Told::Changed(vec![ledger(false, 2, None)])]);
}

/// While a write here waits for another program's transaction, what that program did before is noticed.
#[tokio::test]
async fn another_programs_change_is_noticed_while_writes_wait() {
    let scratch = sqlite().await;
    let heard = listen(&scratch.db).await;
    let other = Connection::open(scratch.folder.path().join("test.db")).unwrap();
    let insert = "insert into ledger (id, owner, amount) values (1, 'ada', 0)";
    other
        .execute_batch(&format!("begin immediate; {insert}"))
        .unwrap();
    let write = scratch.db.write(Run(vec![(DELETE, vec![Some(1)])], true));
    let mut write = pin!(write);
    // From the first look on it waits in the writer's queue.
    tokio::select! {
        biased;
        _ = &mut write => panic!("two programs are inside a transaction"),
        () = ready(()) => {}
    }
    other.execute_batch("commit; begin immediate").unwrap();
    for _ in 0..300 {
        if !heard.lock().unwrap().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(take(&heard), [Told::Unknown]);
    other.execute_batch("rollback").unwrap();
    write.await.unwrap();
    assert_eq!(take(&heard), [Told::Changed(vec![ledger(true, 1, None)])]);
}

/// A command that only reads leaves no trace, or all that is remembered would be forgotten.
#[tokio::test]
async fn another_program_that_only_reads_is_not_noticed() {
    let scratch = sqlite().await;
    run(&scratch, &[(INSERT, &[Some(1), None])]).await;
    let heard = listen(&scratch.db).await;
    let config = kith_db::Config::sqlite(scratch.folder.path().join("test.db"));
    let other = Db::open_as_is(&config, crate::support::SCHEMA)
        .await
        .unwrap();
    assert_eq!(crate::support::count(&other).await, 1);
    other.close().await;
    run(&scratch, &[(DELETE, &[Some(1)])]).await;
    assert_eq!(take(&heard), [Told::Changed(vec![ledger(true, 1, None)])]);
}

/// Another connection to the same file stands for another program.
#[tokio::test]
async fn another_programs_change_is_noticed() {
    let scratch = sqlite().await;
    let heard = listen(&scratch.db).await;
    let config = kith_db::Config::sqlite(scratch.folder.path().join("test.db"));
    let other = Db::open_as_is(&config, crate::support::SCHEMA)
        .await
        .unwrap();
    let write = Run(vec![(INSERT, vec![Some(1), None])], true);
    other.write(write).await.unwrap();
    // Noticed without a write here, and by the time a command has ended.
    other.close().await;
    for _ in 0..500 {
        if !heard.lock().unwrap().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(take(&heard), [Told::Unknown]);
    // The next write finds nothing new, and tells of itself only.
    run(&scratch, &[(DELETE, &[Some(1)])]).await;
    assert_eq!(take(&heard), [Told::Changed(vec![ledger(true, 1, None)])]);
    // Before a write here reads anything, it has looked.
    let other = Db::open_as_is(&config, crate::support::SCHEMA)
        .await
        .unwrap();
    let write = Run(vec![(INSERT, vec![Some(2), None])], true);
    other.write(write).await.unwrap();
    run(&scratch, &[(DELETE, &[Some(2)])]).await;
    assert_eq!(
        take(&heard),
        [Told::Unknown, Told::Changed(vec![ledger(true, 2, None)])]
    );
    assert_eq!(
        scratch
            .db
            .one(&crate::support::COUNT, params![], |row| row.int(0))
            .await
            .unwrap(),
        0
    );
}
