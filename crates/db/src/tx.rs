//! Writes: values that run inside one transaction of either engine.

use crate::reader::delegate_queries;
use crate::{
    Error, Param, Reader, Result, Row, Sql, SqlIn, postgres::transaction::PgTx, sqlite::connection,
};
use parking_lot::Mutex;
use std::future::Future;

/// One atomic change. The value holds its input.
///
/// [`Write::run`] may run more than once: after a deadlock on PostgreSQL, and on SQLite when another write of its
/// commit failed. It must have no effect outside its transaction and await nothing else.
/// On SQLite concurrent writes share one commit; an error rolls back only the write that returned it.
pub trait Write: Send + Sync + 'static {
    /// Output, returned after the commit is durable.
    type Out: Send + 'static;
    /// Error that rolls the change back.
    type Err: From<Error> + Send + 'static;

    /// Returns the id of a row that many writes change, such as a popular post. PostgreSQL runs only a few writes
    /// with the same key concurrently, so that they do not occupy every connection while they wait for each other.
    fn contention_key(&self) -> Option<i64> {
        None
    }

    /// Runs the statements of the change.
    fn run(&self, tx: &mut Tx) -> impl Future<Output = Result<Self::Out, Self::Err>> + Send;
}

/// An open transaction.
///
/// PostgreSQL sends joined statements (`try_join!`) in order and in one round trip. Statements behind a failed
/// one have run as well, so its error must end the write.
#[derive(Debug)]
pub enum Tx {
    /// The writer's connection inside a transaction; only the writer thread locks it.
    Sqlite(Mutex<rusqlite::Connection>),
    /// A pooled connection between `begin` and `commit`.
    Postgres(Box<PgTx>),
}

impl Tx {
    /// Creates a handle for reads that see the transaction's own changes.
    pub const fn reader(&self) -> Reader<'_> {
        Reader::Tx(self)
    }

    delegate_queries!();

    /// Runs a statement and returns the number of rows that it changed.
    pub async fn exec(&self, sql: &Sql, params: &[Param<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(conn) => connection::exec(&conn.lock(), sql, params),
            Self::Postgres(tx) => tx.exec(sql, params).await,
        }
    }
}
