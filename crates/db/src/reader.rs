//! Reads, outside a transaction or inside one.

use crate::error::no_row;
use crate::postgres::timeouts::bounded;
use crate::postgres::{Postgres, as_dyn};
use crate::sqlite::{Sqlite, connection};
use crate::{Param, Result, Row, Sql, SqlIn, Tx};
use deadpool_postgres::Object;
use futures_util::future::{BoxFuture, try_join_all};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tokio::sync::OnceCell;

/// A handle for the reads of one request.
///
/// On SQLite a query runs on the calling thread: a page takes tens of
/// microseconds, less than handing it to another thread would. On PostgreSQL
/// the reads of one handle share a connection, and joined futures
/// (`try_join!`) travel in one round trip.
#[derive(Debug)]
pub enum Reader<'a> {
    /// Queries borrow one of the file's read connections each.
    Sqlite(&'a Sqlite),
    /// One pooled connection, from the first query on.
    Postgres(Lease<'a>),
    /// Reads inside an open transaction, including its own uncommitted changes.
    Tx(&'a Tx),
}

/// A connection that is taken from the pool when it is needed: what is answered from memory waits for none.
#[derive(Debug)]
pub struct Lease<'a> {
    db: &'a Postgres,
    held: Held,
}

/// The connection itself, which goes back to the pool unless its server hangs.
#[derive(Debug)]
struct Held {
    client: OnceCell<Box<Object>>,
    is_silent: AtomicBool,
}

impl Drop for Held {
    fn drop(&mut self) {
        if *self.is_silent.get_mut()
            && let Some(client) = self.client.take()
        {
            drop(Object::take(*client));
        }
    }
}

impl<'a> Lease<'a> {
    pub(crate) const fn new(db: &'a Postgres) -> Self {
        Self {
            db,
            held: Held {
                client: OnceCell::const_new(),
                is_silent: AtomicBool::new(false),
            },
        }
    }

    /// The rows that a query answers. Boxed, or it would be compiled into each of its callers.
    fn rows<'b>(
        &'b self,
        sql: &'b Sql,
        params: &'b [Param<'_>],
    ) -> BoxFuture<'b, Result<Vec<tokio_postgres::Row>>> {
        Box::pin(async move {
            let take = || async { self.db.client().await.map(Box::new) };
            let client = self.held.client.get_or_try_init(take).await?;
            let params = as_dyn(params);
            let asked = bounded(async {
                let statement = client.prepare_cached(sql.postgres).await?;
                client.query(&statement, &params).await
            });
            let answer = asked.await;
            if answer.is_err() {
                self.held.is_silent.store(true, Relaxed);
            }
            Ok(answer??)
        })
    }
}

impl Reader<'_> {
    /// All rows of a query.
    pub async fn all<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        match self {
            Self::Sqlite(db) => gather(map, |take| db.each(sql, params, take)),
            Self::Postgres(lease) => read(&lease.rows(sql, params).await?, map),
            Self::Tx(Tx::Sqlite(conn)) => {
                let conn = conn.lock();
                gather(map, |take| connection::each(&conn, sql, params, take))
            }
            Self::Tx(Tx::Postgres(tx)) => read(&tx.rows(sql, params).await?, map),
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

    /// The first row of a query that always has one, such as a count.
    pub async fn one<T: Send>(
        &self,
        sql: &Sql,
        params: &[Param<'_>],
        map: impl Fn(&Row<'_>) -> Result<T> + Send,
    ) -> Result<T> {
        self.opt(sql, params, map).await?.ok_or_else(no_row)
    }

    /// Rows of a query over a list of ids, in no particular order. An empty list asks nothing.
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
        let least = if is_sqlite { SqlIn::ONE } else { SqlIn::FEW };
        let pieces = ids.chunks(SqlIn::MAX).map(|chunk| async move {
            let (sql, params) = bind_list(sql, fixed, chunk, least);
            self.all(sql, &params, map).await
        });
        if !is_sqlite {
            let pieces = try_join_all(pieces).await?;
            return Ok(pieces.into_iter().flatten().collect());
        }
        // A write on SQLite is polled once, so nothing may yield.
        let mut rows = Vec::new();
        for piece in pieces {
            rows.extend(piece.await?);
        }
        Ok(rows)
    }
}

/// Implements the query methods of [`Reader`] for a type that has a `reader` method.
macro_rules! delegate_queries {
    () => {
        /// All rows of a query.
        pub async fn all<T: Send>(
            &self,
            sql: &Sql,
            params: &[Param<'_>],
            map: impl Fn(&Row<'_>) -> Result<T> + Send,
        ) -> Result<Vec<T>> {
            self.reader().all(sql, params, map).await
        }

        /// The first row of a query, if there is one.
        pub async fn opt<T: Send>(
            &self,
            sql: &Sql,
            params: &[Param<'_>],
            map: impl Fn(&Row<'_>) -> Result<T> + Send,
        ) -> Result<Option<T>> {
            self.reader().opt(sql, params, map).await
        }

        /// The first row of a query that always has one, such as a count.
        pub async fn one<T: Send>(
            &self,
            sql: &Sql,
            params: &[Param<'_>],
            map: impl Fn(&Row<'_>) -> Result<T> + Send,
        ) -> Result<T> {
            self.reader().one(sql, params, map).await
        }

        /// Rows of a query over a list of ids; see [`Reader::all_in`](crate::Reader::all_in).
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

/// What a query's rows are read as. The query itself takes them one by one and is not compiled for each kind.
fn gather<T>(
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

fn read<T>(rows: &[tokio_postgres::Row], map: impl Fn(&Row<'_>) -> Result<T>) -> Result<Vec<T>> {
    rows.iter().map(|row| map(&Row::postgres(row))).collect()
}

/// The statement for a list of so many ids at least, and its parameters, the last id repeated as padding.
fn bind_list<'a>(
    sql: &'a SqlIn,
    fixed: &[Param<'a>],
    ids: &[i64],
    least: usize,
) -> (&'a Sql, Vec<Param<'a>>) {
    let (sql, size) = sql.sized(ids.len().max(least));
    let mut params = fixed.to_vec();
    params.extend(ids.iter().map(|&id| Param::Int(id)));
    let last = params.last().copied().unwrap_or(Param::Null);
    params.resize(fixed.len() + size, last);
    (sql, params)
}
