//! Test database with one small table, on either engine.

use kith_db::{Config, Db, Error, Migration, Sql, Tx, params, sql};
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

/// Schema with one table of amounts.
pub(crate) const SCHEMA: &[Migration] = &[Migration {
    version: 1,
    name: "0001_ledger",
    sql: "-- shard: id\ncreate table ledger (\n  id bigint not null primary key,\n  owner text not null,\n  amount bigint not null,\n  closed_at bigint\n);\ncreate index ledger_open on ledger (owner) where closed_at is null;\n",
}];

pub(crate) const INSERT: Sql = sql!("insert into ledger (id, owner, amount) values ($1, $2, $3)");
pub(crate) const COUNT: Sql = sql!("select count(*) from ledger");

/// A database that is deleted when the test ends.
pub(crate) struct Scratch {
    pub(crate) db: Db,
    pub(crate) folder: TempDir,
}

pub(crate) async fn sqlite() -> Scratch {
    let folder = tempfile::tempdir().unwrap();
    let config = Config::sqlite(folder.path().join("test.db"));
    Scratch { db: Db::open(&config, SCHEMA).await.unwrap(), folder }
}

pub(crate) async fn postgres() -> Scratch {
    let config = Config::postgres(postgres_url().await);
    let db = Db::open(&config, SCHEMA).await.unwrap();
    Scratch { db, folder: tempfile::tempdir().unwrap() }
}

/// Creates an empty database and returns its URL.
pub(crate) async fn postgres_url() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let cluster = std::env::var("KITH_TEST_POSTGRES").unwrap_or_else(|_| {
        panic!("KITH_TEST_POSTGRES is not set: run `cargo xtask test`, or `cargo xtask pg -- cargo test`")
    });
    let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let (client, connection) =
        tokio_postgres::connect(&cluster, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("create database {name}")).await.unwrap();
    let (server, _) = cluster.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

/// Defines a test for each engine.
macro_rules! on_both_engines {
    ($($(#[doc = $doc:literal])* async fn $name:ident($scratch:ident) $body:block)*) => {$(
        $(#[doc = $doc])*
        async fn $name($scratch: crate::support::Scratch) $body

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(crate::support::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(crate::support::postgres().await).await;
            }
        }
    )*};
}
pub(crate) use on_both_engines;

/// How a test's write ends after its insert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Succeed,
    Fail,
    Panic,
    /// Holds the transaction open for this many milliseconds.
    Sleep(u64),
}

/// Inserts one row, then ends as `then` says.
pub(crate) struct Insert {
    pub(crate) id: i64,
    pub(crate) then: Then,
}

#[derive(Debug)]
pub(crate) enum WriteError {
    ByTest,
    Database(Error),
}

impl From<Error> for WriteError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl kith_db::Write for Insert {
    type Out = i64;
    type Err = WriteError;

    async fn run(&self, tx: &mut Tx) -> Result<i64, WriteError> {
        tx.exec(&INSERT, params![self.id, "ada", 1]).await?;
        match self.then {
            Then::Succeed => Ok(self.id),
            Then::Fail => Err(WriteError::ByTest),
            Then::Panic => panic!("as the test asked"),
            Then::Sleep(millis) => {
                std::thread::sleep(std::time::Duration::from_millis(millis));
                Ok(self.id)
            }
        }
    }
}

pub(crate) async fn count(db: &Db) -> i64 {
    db.one(&COUNT, &[], |row| row.int(0)).await.unwrap()
}
