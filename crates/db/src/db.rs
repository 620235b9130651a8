//! The database of a process.

use crate::erased_write;
use crate::migrate;
use crate::param::OwnedParam;
use crate::postgres::Postgres;
use crate::postgres::timeouts::bounded;
use crate::reader::delegate_queries;
use crate::sqlite::{Sqlite, connection};
use crate::{
    Config, Error, Hearing, Lease, Listener, Migration, Param, Reader, Result, Row, Sql, SqlIn, Tx,
    Watch, Write,
};
use std::time::Instant;

/// Which engine is behind a [`Db`]. For messages and tests; features never ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The embedded file.
    Sqlite,
    /// A server.
    Postgres,
}

/// An open, migrated database.
#[derive(Debug)]
pub enum Db {
    /// The embedded file.
    Sqlite(Sqlite),
    /// A server.
    Postgres(Postgres),
}

impl Db {
    /// Opens the database and applies the migrations it lacks.
    pub async fn open(config: &Config, migrations: &[Migration]) -> Result<Self> {
        match config {
            Config::Sqlite { path } => {
                let mut conn = connection::open_writer(path)?;
                migrate::sqlite(&mut conn, migrations)?;
                Ok(Self::Sqlite(Sqlite::start(path, conn, false)?))
            }
            Config::Postgres { url, pool_size } => {
                let db = Postgres::connect(url, *pool_size)?;
                migrate::postgres(&db, migrations, migrate::Layout::Plain).await?;
                Ok(Self::Postgres(db))
            }
        }
    }

    /// Opens a database that another process may serve: an older schema is refused. An empty server gets the schema.
    pub async fn open_as_is(config: &Config, migrations: &[Migration]) -> Result<Self> {
        match config {
            Config::Sqlite { path } => {
                let conn = connection::open_writer(path)?;
                migrate::up_to_date(&conn, migrations)?;
                Ok(Self::Sqlite(Sqlite::start(path, conn, true)?))
            }
            Config::Postgres { url, pool_size } => {
                let mut db = Postgres::connect(url, *pool_size)?;
                if migrate::is_empty(&db).await? {
                    migrate::postgres(&db, migrations, migrate::Layout::Plain).await?;
                }
                migrate::postgres_up_to_date(&db, migrations).await?;
                db.is_beside = true;
                Ok(Self::Postgres(db))
            }
        }
    }

    /// Opens PostgreSQL with tables hash-partitioned by shard keys, which refuses what Citus would refuse.
    pub async fn open_partitioned(url: &str, migrations: &[Migration]) -> Result<Self> {
        let db = Postgres::connect(url, 4)?;
        migrate::postgres(&db, migrations, migrate::Layout::Partitioned(4)).await?;
        Ok(Self::Postgres(db))
    }

    /// Which engine this is.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    /// A handle for several reads of one request.
    pub const fn reader(&self) -> Reader<'_> {
        match self {
            Self::Sqlite(db) => Reader::Sqlite(db),
            Self::Postgres(db) => Reader::Postgres(Lease::new(db)),
        }
    }

    delegate_queries!();

    /// Makes a change; returns once it is durable, or undone. A server that does not answer for long may do either:
    /// then it is unavailable, like one that is lost while it commits.
    pub async fn write<W: Write>(&self, write: W) -> Result<W::Out, W::Err> {
        let started = Instant::now();
        let row = write.row();
        let (job, answer) = erased_write::of(write);
        let answered = match self {
            Self::Sqlite(db) => match db.submit(job) {
                Ok(()) => Ok(answer.await),
                Err(error) => Err(error),
            },
            Self::Postgres(db) => match db.submit(job, row).await {
                Ok(()) => bounded(answer).await,
                Err(error) => Err(error),
            },
        };
        let lost = |_| Err(Error::Unavailable("the writer has stopped".into()).into());
        let answer = match answered {
            Ok(answer) => answer.unwrap_or_else(lost),
            Err(error) => Err(error.into()),
        };
        metrics::histogram!("kith_db_write_seconds").record(started.elapsed().as_secs_f64());
        answer
    }

    /// Runs one statement as a write, and returns how many rows it changed.
    pub async fn exec(&self, sql: &'static Sql, params: &[Param<'_>]) -> Result<u64> {
        let params = params
            .iter()
            .map(|param| OwnedParam::from(*param))
            .collect();
        self.write(Statement { sql, params }).await
    }

    /// Notifies the listener of every change of the watched rows, after its commit and before its caller is answered;
    /// of other programs' changes within 100 ms as a rule, which the response tells. Once on PostgreSQL.
    pub async fn listen(&self, watches: &'static [Watch], listener: Listener) -> Result<Hearing> {
        match self {
            Self::Sqlite(db) => db
                .listen(watches, listener)
                .await
                .map(|()| Hearing::default()),
            Self::Postgres(db) => db.listen(watches, listener).await,
        }
    }

    /// Prepares a statement without running it: refused text is an error, and on PostgreSQL while
    /// somebody listens also one that may write and whose changes could not be told.
    pub async fn prepare(&self, sql: &Sql) -> Result<()> {
        match self {
            Self::Sqlite(db) => db.prepare(sql.sqlite),
            Self::Postgres(db) => db.prepare(sql).await,
        }
    }

    /// The database server's clock in milliseconds since 1970 UTC; none for a file, which has no clock.
    pub async fn server_time(&self) -> Result<Option<i64>> {
        const ASK: Sql = Sql {
            sqlite: "select null",
            postgres: "select (extract(epoch from clock_timestamp()) * 1000)::bigint",
        };
        self.one(&ASK, &[], |row| row.opt_int(0)).await
    }

    /// Finishes what was submitted and lets go of the database.
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
