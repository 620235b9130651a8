//! Writes: values that run inside one transaction, on either engine.

use crate::{Error, Param, Result, Row, Sql, SqlIn, postgres::PgTx, reader, sqlite};
use parking_lot::Mutex;
use std::future::Future;

/// One atomic change. The value holds its input; [`Write::run`] may run more
/// than once (after a deadlock on PostgreSQL, and on SQLite when another write that
/// shares its commit was refused), so it must only change the world through its
/// transaction.
///
/// On SQLite many callers' writes share one durable commit; an error undoes only the
/// write that returned it. Inside `run`, await nothing but the transaction.
pub trait Write: Send + Sync + 'static {
    /// What the caller gets after the commit is durable.
    type Out: Send + 'static;
    /// Why the change was refused; anything returned here rolls it back.
    type Err: From<Error> + Send + 'static;

    /// The id of the row that it changes and that writes of many others change, too: where those wait for
    /// each other, only some of them do so at once, and the rest leave room for other writes.
    fn row(&self) -> Option<i64> {
        None
    }

    /// The statements of the change.
    fn run(&self, tx: &mut Tx) -> impl Future<Output = Result<Self::Out, Self::Err>> + Send;
}

/// An open transaction. Statements that are joined (`try_join!`) are run in the order in which they stand
/// there; on PostgreSQL they travel in one round trip, and those behind one that is refused have
/// been run as well: the refusal has to end the write.
#[derive(Debug)]
pub enum Tx {
    /// The writer's connection inside a transaction; only the writer's thread locks it.
    Sqlite(Mutex<rusqlite::Connection>),
    /// A pooled connection between `begin` and `commit`.
    Postgres(Box<PgTx>),
}

impl Tx {
    /// All rows of a query.
    pub async fn all<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        match self {
            Self::Sqlite(conn) => {
                let conn = conn.lock();
                reader::gather(map, |take| sqlite::each(&conn, sql, params, take))
            }
            Self::Postgres(tx) => reader::read(&tx.rows(sql, params).await?, map),
        }
    }

    /// The first row of a query, if there is one.
    pub async fn opt<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        Ok(self.all(sql, params, map).await?.into_iter().next())
    }

    /// The first row of a query that always has one.
    pub async fn one<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        self.opt(sql, params, map).await?.ok_or_else(reader::no_row)
    }

    /// Rows of a query over a list of ids, in no particular order.
    pub async fn all_in<T: Send>(
        &self,
        sql: &SqlIn,
        fixed: &[Param<'_>],
        ids: &[i64],
        map: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        let mut rows = Vec::with_capacity(ids.len());
        let least = match self {
            Self::Sqlite(_) => SqlIn::ONE,
            Self::Postgres(_) => SqlIn::FEW,
        };
        for chunk in ids.chunks(SqlIn::MAX) {
            let (sql, params) = reader::bind_list(sql, fixed, chunk, least);
            rows.extend(self.all(sql, &params, &map).await?);
        }
        Ok(rows)
    }

    /// Runs a statement and answers how many rows it changed.
    pub async fn exec(&self, sql: &Sql, params: &[Param<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(conn) => sqlite::exec(&conn.lock(), sql, params),
            Self::Postgres(tx) => tx.exec(sql, params).await,
        }
    }
}
