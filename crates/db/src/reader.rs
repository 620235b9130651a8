//! Reads, outside of a transaction or inside one.

use crate::error::no_row;
use crate::param::as_dyn;
use crate::postgres::Postgres;
use crate::postgres::timeouts::with_response_timeout;
use crate::sqlite::{Sqlite, connection};
use crate::{Param, Result, Row, Sql, SqlIn, Tx};
use deadpool_postgres::Object;
use futures_util::future::{BoxFuture, try_join_all};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tokio::sync::OnceCell;

/// Handle for the reads of one request.
///
/// SQLite runs a query on the calling thread: a page takes tens of microseconds, less than a switch to
/// another thread. On PostgreSQL the reads of one handle share a connection, and joined futures
/// (`try_join!`) travel in one round trip.
#[derive(Debug)]
pub enum Reader<'a> {
    /// Each query borrows one of the file's read connections.
    Sqlite(&'a Sqlite),
    /// One pooled connection, from the first query on.
    Postgres(LazyConnection<'a>),
    /// Reads inside an open transaction, including its uncommitted changes.
    Tx(&'a Tx),
}

/// Connection that is acquired from the pool at the first query, so that a request served from a cache needs none.
#[derive(Debug)]
pub struct LazyConnection<'a> {
    db: &'a Postgres,
    held: HeldConnection,
}

/// The acquired connection. It returns to the pool unless its server stopped responding.
#[derive(Debug)]
struct HeldConnection {
    client: OnceCell<Box<Object>>,
    is_unresponsive: AtomicBool,
}

impl Drop for HeldConnection {
    fn drop(&mut self) {
        if *self.is_unresponsive.get_mut()
            && let Some(client) = self.client.take()
        {
            drop(Object::take(*client));
        }
    }
}

impl<'a> LazyConnection<'a> {
    pub(crate) const fn new(db: &'a Postgres) -> Self {
        Self {
            db,
            held: HeldConnection {
                client: OnceCell::const_new(),
                is_unresponsive: AtomicBool::new(false),
            },
        }
    }

    /// Returns the rows of a query. Boxed, so that callers do not each compile it again.
    fn rows<'b>(
        &'b self,
        sql: &'b Sql,
        params: &'b [Param<'_>],
    ) -> BoxFuture<'b, Result<Vec<tokio_postgres::Row>>> {
        Box::pin(async move {
            let acquire = || async { self.db.client().await.map(Box::new) };
            let client = self.held.client.get_or_try_init(acquire).await?;
            let params = as_dyn(params);
            let response = with_response_timeout(async {
                let statement = client.prepare_cached(sql.postgres).await?;
                client.query(&statement, &params).await
            });
            let response = response.await;
            if response.is_err() {
                self.held.is_unresponsive.store(true, Relaxed);
            }
            Ok(response??)
        })
    }
}

impl Reader<'_> {
    /// Returns all rows of a query.
    pub async fn all<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        match self {
            Self::Sqlite(db) => collect_rows(map, |take| db.each(sql, params, take)),
            Self::Postgres(connection) => map_rows(&connection.rows(sql, params).await?, map),
            Self::Tx(Tx::Sqlite(conn)) => {
                let conn = conn.lock();
                collect_rows(map, |take| connection::each(&conn, sql, params, take))
            }
            Self::Tx(Tx::Postgres(tx)) => map_rows(&tx.rows(sql, params).await?, map),
        }
    }

    /// Returns the first row of a query, if there is one.
    pub async fn opt<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        Ok(self.all(sql, params, map).await?.into_iter().next())
    }

    /// Returns the first row of a query that always has one, such as a count.
    pub async fn one<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        self.opt(sql, params, map).await?.ok_or_else(no_row)
    }

    /// Returns the rows of a query over a list of ids, in no particular order. An empty list runs no query.
    pub async fn all_in<T: Send>(
        &self,
        sql: &SqlIn,
        fixed: &[Param<'_>],
        ids: &[i64],
        map: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let map = &map;
        let is_sqlite = matches!(self, Self::Sqlite(_) | Self::Tx(Tx::Sqlite(_)));
        let min_len = if is_sqlite { SqlIn::MIN_SQLITE } else { SqlIn::MIN_POSTGRES };
        let chunks = ids.chunks(SqlIn::MAX).map(|chunk| async move {
            let (sql, params) = bind_list(sql, fixed, chunk, min_len);
            self.all(sql, &params, map).await
        });
        if !is_sqlite {
            let chunks = try_join_all(chunks).await?;
            return Ok(chunks.into_iter().flatten().collect());
        }
        // The SQLite writer polls a write once, so no await may yield.
        let mut rows = Vec::new();
        for chunk in chunks {
            rows.extend(chunk.await?);
        }
        Ok(rows)
    }
}

/// Implements the query methods of [`Reader`] for a type with a `reader` method.
macro_rules! delegate_queries {
    () => {
        /// Returns all rows of a query.
        pub async fn all<T: Send>(
            &self,
            sql: &Sql,
            params: &[Param<'_>],
            map: impl Fn(&Row<'_>) -> Result<T> + Send,
        ) -> Result<Vec<T>> {
            self.reader().all(sql, params, map).await
        }

        /// Returns the first row of a query, if there is one.
        pub async fn opt<T: Send>(
            &self,
            sql: &Sql,
            params: &[Param<'_>],
            map: impl Fn(&Row<'_>) -> Result<T> + Send,
        ) -> Result<Option<T>> {
            self.reader().opt(sql, params, map).await
        }

        /// Returns the first row of a query that always has one, such as a count.
        pub async fn one<T: Send>(
            &self,
            sql: &Sql,
            params: &[Param<'_>],
            map: impl Fn(&Row<'_>) -> Result<T> + Send,
        ) -> Result<T> {
            self.reader().one(sql, params, map).await
        }

        /// Returns the rows of a query over a list of ids; see [`Reader::all_in`](crate::Reader::all_in).
        pub async fn all_in<T: Send>(
            &self,
            sql: &SqlIn,
            fixed: &[Param<'_>],
            ids: &[i64],
            map: impl Fn(&Row<'_>) -> Result<T> + Send + Sync,
        ) -> Result<Vec<T>> {
            self.reader().all_in(sql, fixed, ids, map).await
        }
    };
}
pub(crate) use delegate_queries;

/// Collects the mapped rows. The query takes a `dyn` callback, so it is not compiled for each row type.
fn collect_rows<T>(
    map: impl Fn(&Row<'_>) -> Result<T>,
    query: impl FnOnce(&mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()>,
) -> Result<Vec<T>> {
    let mut out = Vec::new();
    query(&mut |row| {
        out.push(map(row)?);
        Ok(())
    })?;
    Ok(out)
}

fn map_rows<T>(
    rows: &[tokio_postgres::Row],
    map: impl Fn(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    rows.iter().map(|row| map(&Row::postgres(row))).collect()
}

/// Returns the statement for a list of `min_len` ids or more, and its parameters, padded with the last id.
fn bind_list<'a>(
    sql: &'a SqlIn,
    fixed: &[Param<'a>],
    ids: &[i64],
    min_len: usize,
) -> (&'a Sql, Vec<Param<'a>>) {
    let (sql, size) = sql.sized(ids.len().max(min_len));
    let mut params = fixed.to_vec();
    params.extend(ids.iter().map(|&id| Param::Int(id)));
    let last = params.last().copied().unwrap_or(Param::Null);
    params.resize(fixed.len() + size, last);
    (sql, params)
}
