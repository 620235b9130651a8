//! Handle of an open database.

use crate::erased_write;
use crate::migrate;
use crate::param::OwnedParam;
use crate::postgres::Postgres;
use crate::postgres::timeouts::with_response_timeout;
use crate::reader::delegate_queries;
use crate::sqlite::{Sqlite, connection};
use crate::{
    Config, Error, FeedFreshness, LazyConnection, Listener, Migration, Param, Reader, Result, Row,
    Sql, SqlIn, Tx, WatchSpec, Write,
};
use std::time::Instant;

/// Engine behind a [`Db`], for messages and tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The embedded file.
    Sqlite,
    /// A server.
    Postgres,
}

/// An open database with the current schema.
#[derive(Debug)]
pub enum Db {
    /// The embedded file.
    Sqlite(Sqlite),
    /// A server.
    Postgres(Postgres),
}

impl Db {
    /// Opens the database and applies the migrations that it lacks.
    pub async fn open(config: &Config, migrations: &[Migration]) -> Result<Self> {
        match config {
            Config::Sqlite { path } => {
                let mut conn = connection::open_writer(path)?;
                migrate::migrate_sqlite(&mut conn, migrations)?;
                Ok(Self::Sqlite(Sqlite::start(path, conn, false)?))
            }
            Config::Postgres { url, pool_size } => {
                let db = Postgres::connect(url, *pool_size)?;
                migrate::migrate_postgres(&db, migrations, migrate::Layout::Plain).await?;
                Ok(Self::Postgres(db))
            }
        }
    }

    /// Opens a database that another process may use: a missing migration is an error, except on an empty
    /// PostgreSQL database, which gets the whole schema.
    pub async fn open_as_is(config: &Config, migrations: &[Migration]) -> Result<Self> {
        match config {
            Config::Sqlite { path } => {
                let conn = connection::open_writer(path)?;
                migrate::ensure_current_sqlite(&conn, migrations)?;
                Ok(Self::Sqlite(Sqlite::start(path, conn, true)?))
            }
            Config::Postgres { url, pool_size } => {
                let mut db = Postgres::connect(url, *pool_size)?;
                if migrate::is_postgres_empty(&db).await? {
                    migrate::migrate_postgres(&db, migrations, migrate::Layout::Plain).await?;
                }
                migrate::ensure_current_postgres(&db, migrations).await?;
                db.is_shared = true;
                Ok(Self::Postgres(db))
            }
        }
    }

    /// Opens PostgreSQL with tables that are hash-partitioned by shard key, which fails where Citus would.
    pub async fn open_partitioned(url: &str, migrations: &[Migration]) -> Result<Self> {
        let db = Postgres::connect(url, 4)?;
        migrate::migrate_postgres(&db, migrations, migrate::Layout::Partitioned(4)).await?;
        Ok(Self::Postgres(db))
    }

    /// Returns the engine.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    /// Creates a handle for the reads of one request.
    pub const fn reader(&self) -> Reader<'_> {
        match self {
            Self::Sqlite(db) => Reader::Sqlite(db),
            Self::Postgres(db) => Reader::Postgres(LazyConnection::new(db)),
        }
    }

    delegate_queries!();

    /// Runs a write and returns its output once the commit is durable, or its error once it is rolled back.
    /// [`Error::Unavailable`] leaves open which of the two a server does that stops responding.
    pub async fn write<W: Write>(&self, write: W) -> Result<W::Out, W::Err> {
        let started = Instant::now();
        let key = write.contention_key();
        let (write, result) = erased_write::erase(write);
        let outcome = match self {
            Self::Sqlite(db) => match db.submit(write) {
                Ok(()) => Ok(result.await),
                Err(error) => Err(error),
            },
            Self::Postgres(db) => match db.submit(write, key).await {
                Ok(()) => with_response_timeout(result).await,
                Err(error) => Err(error),
            },
        };
        let lost = |_| Err(Error::Unavailable("the writer has stopped".into()).into());
        let result = match outcome {
            Ok(received) => received.unwrap_or_else(lost),
            Err(error) => Err(error.into()),
        };
        metrics::histogram!("kith_db_write_seconds").record(started.elapsed().as_secs_f64());
        result
    }

    /// Runs one statement as a write and returns the number of rows that it changed.
    pub async fn exec(&self, sql: &'static Sql, params: &[Param<'_>]) -> Result<u64> {
        let params = params.iter().map(|param| OwnedParam::from(*param)).collect();
        self.write(Statement { sql, params }).await
    }

    /// Subscribes to changes of the watched rows. The listener runs after the commit and before `write` returns.
    /// Changes by other processes usually arrive within 100 ms: the result says whether the feed is current.
    /// PostgreSQL allows one subscription.
    pub async fn subscribe(
        &self,
        watches: &'static [WatchSpec],
        listener: Listener,
    ) -> Result<FeedFreshness> {
        match self {
            Self::Sqlite(db) => {
                db.subscribe(watches, listener).await.map(|()| FeedFreshness::default())
            }
            Self::Postgres(db) => db.subscribe(watches, listener).await,
        }
    }

    /// Returns the random number of this process in the change feed; `None` on SQLite and without a subscription.
    #[must_use]
    pub fn feed_process(&self) -> Option<i64> {
        match self {
            Self::Sqlite(_) => None,
            Self::Postgres(db) => db.feed_process(),
        }
    }

    /// Waits, at most a second, until the listener has received every write that any process has acknowledged so far.
    pub async fn catch_up(&self) {
        if let Self::Postgres(db) = self {
            db.catch_up().await;
        }
    }

    /// Prepares a statement without running it, and returns the engine's error. On PostgreSQL with a subscription,
    /// a statement whose changes the feed cannot report is an error, too.
    pub async fn prepare(&self, sql: &Sql) -> Result<()> {
        match self {
            Self::Sqlite(db) => db.prepare(sql.sqlite),
            Self::Postgres(db) => db.prepare(sql).await,
        }
    }

    /// Reads the database server's clock in milliseconds since 1970 UTC; `None` on SQLite.
    pub async fn server_time(&self) -> Result<Option<i64>> {
        const NOW: Sql = Sql {
            sqlite: "select null",
            postgres: "select (extract(epoch from clock_timestamp()) * 1000)::bigint",
        };
        self.one(&NOW, &[], |row| row.opt_int(0)).await
    }

    /// Finishes the submitted writes and closes all connections.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(db) => db.close().await,
            Self::Postgres(db) => db.close().await,
        }
    }
}

struct Statement {
    sql: &'static Sql,
    params: Vec<OwnedParam>,
}

impl Write for Statement {
    type Out = u64;
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> Result<u64> {
        let params = self.params.iter().map(Param::from).collect::<Vec<_>>();
        tx.exec(self.sql, &params).await
    }
}
