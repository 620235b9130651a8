//! The database of a process.

use crate::job;
use crate::migrate;
use crate::pool::bounded;
use crate::postgres::Postgres;
use crate::sqlite::{self, Sqlite};
use crate::{
    Config, Error, Hearing, Lease, Listener, Migration, Param, Reader, Result, Row, Sql, SqlIn,
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
                let mut conn = sqlite::open_writer(path)?;
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

    /// Opens a database that another process serves, or may: a schema older than this
    /// program is refused, not changed. On a server, an empty database gets the whole schema.
    pub async fn open_as_is(config: &Config, migrations: &[Migration]) -> Result<Self> {
        match config {
            Config::Sqlite { path } => {
                let conn = sqlite::open_writer(path)?;
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

    /// Opens a PostgreSQL database whose tables are hash-partitioned by their
    /// shard keys: plain PostgreSQL then refuses what Citus would refuse.
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

    /// All rows of one query; see [`Reader::all`].
    pub async fn all<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        self.reader().all(sql, params, map).await
    }

    /// The first row of one query; see [`Reader::opt`].
    pub async fn opt<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        self.reader().opt(sql, params, map).await
    }

    /// The only row of one query; see [`Reader::one`].
    pub async fn one<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        self.reader().one(sql, params, map).await
    }

    /// Rows over a list of ids; see [`Reader::all_in`].
    pub async fn all_in<T: Send>(
        &self,
        sql: &SqlIn,
        fixed: &[Param<'_>],
        ids: &[i64],
        map: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        self.reader().all_in(sql, fixed, ids, map).await
    }

    /// Makes a change; returns once it is durable, or undone. A server that does not answer for long may do either:
    /// then it is unavailable, like one that is lost while it commits.
    pub async fn write<W: Write>(&self, write: W) -> Result<W::Out, W::Err> {
        let started = Instant::now();
        let row = write.row();
        let (job, answer) = job::of(write);
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

    /// Tells the listener of every change of the watched rows from now on: after its commit and
    /// before its caller is answered. What another program changes is told within a tenth of a second
    /// as a rule, and the answer says whether it was; once on PostgreSQL.
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

    /// What the clock of the database's server says, in milliseconds since 1970 UTC: the same for all who are
    /// connected to it. None of a file, which has no clock.
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
