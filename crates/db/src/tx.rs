//! Writes: values that run inside one transaction, on either engine.

use crate::reader::delegate_queries;
use crate::{Error, Param, Reader, Result, Row, Sql, SqlIn, postgres::PgTx, sqlite::connection};
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

/// An open transaction. Joined statements (`try_join!`) run in their order; on PostgreSQL they travel in one round
/// trip, and those behind a failed one have run as well, so its error must end the write.
#[derive(Debug)]
pub enum Tx {
    /// The writer's connection inside a transaction; only the writer's thread locks it.
    Sqlite(Mutex<rusqlite::Connection>),
    /// A pooled connection between `begin` and `commit`.
    Postgres(Box<PgTx>),
}

impl Tx {
    /// A handle for reads that see what the transaction has written.
    pub const fn reader(&self) -> Reader<'_> {
        Reader::Tx(self)
    }

    delegate_queries!();

    /// Runs a statement and answers how many rows it changed.
    pub async fn exec(&self, sql: &Sql, params: &[Param<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(conn) => connection::exec(&conn.lock(), sql, params),
            Self::Postgres(tx) => tx.exec(sql, params).await,
        }
    }
}
