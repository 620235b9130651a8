//! Write transactions on PostgreSQL, whose statements are pipelined.

use super::changes::feed::ChangeFeed;
use super::changes::instrument::{Instrumentation, statement_text};
use super::changes::transaction_changes::TransactionChanges;
use super::pool;
use crate::error::is_retryable;
use crate::param::as_dyn;
use crate::{Error, Param, Result, Sql};
use deadpool_postgres::{Object, Pool};
use futures_util::future::{BoxFuture, join};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::Poll;
use tokio::sync::{Mutex, MutexGuard};
use tokio_postgres::error::SqlState;

/// Polls a request once, which sends it, then releases the send lock and awaits the response.
async fn send_in_order<T>(order: MutexGuard<'_, ()>, request: impl Future<Output = T> + Send) -> T {
    let mut request = pin!(request);
    // The first poll sends the request.
    let first = poll_fn(|context| Poll::Ready(request.as_mut().poll(context))).await;
    drop(order);
    match first {
        Poll::Ready(done) => done,
        Poll::Pending => request.await,
    }
}

/// A connection between `begin` and its end. Concurrent statements are pipelined in the order of their first poll.
#[derive(Debug)]
pub struct PgTx {
    /// Taken at the end; dropping an unfinished transaction closes its connection.
    client: Option<Object>,
    /// Whether `begin` was sent, which is pipelined with the first statement.
    is_begun: AtomicBool,
    /// Lock that keeps statements in order while one of them is being prepared.
    order: Mutex<()>,
    /// Whether a statement failed with an error that another attempt may avoid.
    may_retry: AtomicBool,
    /// Whether a statement failed for good.
    cannot_retry: AtomicBool,
    /// Whether the server became read-only: the connection is of no use.
    is_read_only: AtomicBool,
    changes: TransactionChanges,
}

impl PgTx {
    pub(super) async fn begin(pool: &Pool, feed: Option<&Arc<ChangeFeed>>) -> Result<Self> {
        Ok(Self {
            client: Some(pool::acquire(pool).await?),
            is_begun: AtomicBool::new(false),
            order: Mutex::new(()),
            may_retry: AtomicBool::new(false),
            cannot_retry: AtomicBool::new(false),
            is_read_only: AtomicBool::new(false),
            changes: TransactionChanges::new(feed.cloned()),
        })
    }

    /// Whether a statement failed.
    pub(super) fn has_failed(&self) -> bool {
        self.may_retry.load(Relaxed) || self.cannot_retry.load(Relaxed)
    }

    /// Whether a statement failed and another attempt may succeed.
    pub(super) fn may_retry(&self) -> bool {
        self.may_retry.load(Relaxed) && !self.cannot_retry.load(Relaxed)
    }

    /// Runs a request inside the transaction, preceded by `begin` if it is the first.
    async fn in_transaction<T>(
        &self,
        request: impl Future<Output = Result<T, tokio_postgres::Error>> + Send,
    ) -> Result<T> {
        let client = self.client()?;
        let done = if self.is_begun.swap(true, Relaxed) {
            request.await
        } else {
            // Polled first, so sent first.
            let (begun, done) = join(client.batch_execute("begin"), request).await;
            begun.and(done)
        };
        done.map_err(|error| self.record_error(error))
    }

    fn client(&self) -> Result<&Object> {
        self.client.as_ref().ok_or_else(|| Error::Statement("the transaction has ended".into()))
    }

    fn record_error(&self, error: tokio_postgres::Error) -> Error {
        let code = error.code();
        // A pipelined statement may fail only because one before it failed, whose error the write did not await.
        let is_behind = code == Some(&SqlState::IN_FAILED_SQL_TRANSACTION);
        if is_behind || code.is_some_and(is_retryable) {
            self.may_retry.store(true, Relaxed);
        } else {
            self.cannot_retry.store(true, Relaxed);
        }
        if code == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            self.is_read_only.store(true, Relaxed);
        }
        Error::from_write(error)
    }

    /// Runs a statement and returns its rows.
    pub(crate) fn rows<'a>(
        &'a self,
        sql: &'a Sql,
        params: &'a [Param<'_>],
    ) -> BoxFuture<'a, Result<Vec<tokio_postgres::Row>>> {
        Box::pin(async move {
            let instrumented = self.changes.instrument(sql);
            let instrumented = instrumented.as_deref();
            let client = self.client()?;
            let params = as_dyn(params);
            let request = async {
                let order = self.order.lock().await;
                let statement = client.prepare_cached(statement_text(sql, instrumented)).await?;
                send_in_order(order, client.query(&statement, &params)).await
            };
            let rows = self.in_transaction(request).await?;
            self.changes.record(instrumented, &rows);
            Ok(rows)
        })
    }

    /// Runs a statement and returns the number of rows that it changed.
    pub(crate) fn exec<'a>(
        &'a self,
        sql: &'a Sql,
        params: &'a [Param<'_>],
    ) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            let instrumented = self.changes.instrument(sql);
            if matches!(instrumented.as_deref(), Some(Instrumentation::Instrumented(_))) {
                return Ok(self.rows(sql, params).await?.len() as u64);
            }
            self.changes.record(instrumented.as_deref(), &[]);
            let client = self.client()?;
            let params = as_dyn(params);
            let request = async {
                let order = self.order.lock().await;
                let statement = client.prepare_cached(sql.postgres).await?;
                send_in_order(order, client.execute(&statement, &params)).await
            };
            self.in_transaction(request).await
        })
    }

    pub(super) async fn commit(mut self) -> Result<(), tokio_postgres::Error> {
        if let Some(client) = self.client.take()
            && *self.is_begun.get_mut()
        {
            let changes = std::mem::replace(&mut self.changes, TransactionChanges::new(None));
            let committed = changes.commit(&client).await;
            // Only a clean connection returns to the pool.
            if committed.is_err() {
                drop(Object::take(client));
            }
            return committed;
        }
        Ok(())
    }

    pub(super) async fn rollback(mut self) {
        let is_begun = *self.is_begun.get_mut();
        if let Some(client) = &self.client
            && !self.is_read_only.load(Relaxed)
            && (!is_begun || client.batch_execute("rollback").await.is_ok())
        {
            self.client = None;
        }
    }
}

impl Drop for PgTx {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            drop(Object::take(client));
        }
    }
}
