//! PostgreSQL: a connection pool, write transactions and the change feed.

pub(crate) mod changes;
pub(crate) mod pool;
mod primary_guard;
pub(crate) mod timeouts;
pub(crate) mod tls;
pub(crate) mod transaction;
pub(crate) mod write_limiter;

use crate::change_feed::freshness::{FeedFreshness, MAX_LAG};
use crate::erased_write::ErasedWrite;
use crate::{Error, Listener, Result, Sql, Tx, WatchSpec, error::is_retryable};
use changes::feed::ChangeFeed;
use changes::instrument::{Instrumentation, statement_text};
use changes::subscriber::{ChangeSubscriber, SubscriberContext};
use deadpool_postgres::{Object, Pool};
use futures_util::FutureExt as _;
use pool::ClusterState;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use timeouts::ACQUIRE_TIMEOUT;
use tls::DatabaseUrl;
use tokio::task::AbortHandle;
use transaction::PgTx;
use write_limiter::WriteLimiter;

/// Attempts of a write that deadlocks or cannot be serialized.
const MAX_ATTEMPTS: u32 = 6;

/// A PostgreSQL database.
#[derive(Debug)]
pub struct Postgres {
    pool: Pool,
    limiter: WriteLimiter,
    is_remote_plaintext: bool,
    /// Whether other processes may serve the same database.
    pub(crate) is_shared: bool,
    /// Servers that this process has connected to.
    cluster: Arc<ClusterState>,
    /// Pool of the one connection that reads other processes' changes.
    feed_pool: Pool,
    /// Publisher of changes, once the process has subscribed.
    feed: OnceLock<Arc<ChangeFeed>>,
    subscriber: OnceLock<SubscriberTask>,
}

/// Task that is aborted when dropped.
#[derive(Debug)]
struct SubscriberTask(AbortHandle);

impl Drop for SubscriberTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Postgres {
    pub(crate) fn connect(url: &str, size: usize) -> Result<Self> {
        let url = DatabaseUrl::parse(url).map_err(Error::Unavailable)?;
        let connector = url.connector()?;
        let is_remote_plaintext = url.is_remote_plaintext();
        let mut config = url.config;
        let cluster = Arc::default();
        let pool = pool::open(&config, connector.clone(), size, &cluster, true)?;
        config.application_name(changes::APPLICATION_NAME);
        let feed_pool = pool::open(&config, connector, 1, &cluster, false)?;
        let limiter = WriteLimiter::new(size, ACQUIRE_TIMEOUT);
        Ok(Self {
            pool,
            limiter,
            is_remote_plaintext,
            is_shared: false,
            cluster,
            feed_pool,
            feed: OnceLock::new(),
            subscriber: OnceLock::new(),
        })
    }

    /// Subscribes the listener to all later changes of this and other processes.
    pub(crate) async fn subscribe(
        &self,
        watches: &'static [WatchSpec],
        listener: Listener,
    ) -> Result<FeedFreshness> {
        let feed = Arc::new(ChangeFeed::new(watches, listener));
        // Set first: own writes are published from now on, others' from the subscriber's first poll on.
        let kept = self.feed.set(Arc::clone(&feed));
        kept.map_err(|_| Error::Statement("the process has already subscribed".into()))?;
        let freshness = feed.freshness.clone();
        let context = SubscriberContext {
            feed_pool: self.feed_pool.clone(),
            pool: self.pool.clone(),
            cluster: Arc::clone(&self.cluster),
            feed,
        };
        let task = tokio::spawn(ChangeSubscriber::open(&context).await?.run_supervised());
        self.subscriber.get_or_init(|| SubscriberTask(task.abort_handle()));
        Ok(freshness)
    }

    pub(crate) fn feed_process(&self) -> Option<i64> {
        self.feed.get().map(|feed| feed.node)
    }

    pub(crate) async fn catch_up(&self) {
        if let Some(feed) = self.feed.get() {
            feed.catch_up().await;
        }
    }

    /// Prepares a statement as a write would run it.
    pub(crate) async fn prepare(&self, sql: &Sql) -> Result<()> {
        let instrumented = self.feed.get().map(|feed| feed.instrument(sql));
        if matches!(instrumented.as_deref(), Some(Instrumentation::Unknown)) {
            let reason = format!("its changes cannot be determined: {}", sql.postgres);
            return Err(Error::Statement(reason));
        }
        self.client().await?.prepare(statement_text(sql, instrumented.as_deref())).await?;
        Ok(())
    }

    /// Whether connections cross the network unencrypted.
    pub(crate) const fn is_remote_plaintext(&self) -> bool {
        self.is_remote_plaintext
    }

    pub(crate) async fn client(&self) -> Result<Object> {
        pool::acquire(&self.pool).await
    }

    /// Runs the write to its end even if the caller gives up, so that no connection returns inside a transaction.
    /// The write keeps its permit until the server responds: otherwise writes that wait for a standby would pile up
    /// on new connections until the server accepts none.
    pub(crate) async fn submit(
        &self,
        mut write: Box<dyn ErasedWrite>,
        key: Option<i64>,
    ) -> Result<()> {
        let permit = self.limiter.acquire(key).await?;
        let (pool, feed) = (self.pool.clone(), self.feed.get().cloned());
        tokio::spawn(async move {
            let run = run_write(&pool, feed.as_ref(), write.as_mut());
            let outcome = AssertUnwindSafe(run).catch_unwind().await;
            let panicked = |_| Err(Error::Statement("a write panicked".into()));
            write.finish(outcome.unwrap_or_else(panicked));
            drop(permit);
        });
        Ok(())
    }

    pub(crate) async fn close(&self) {
        if self.is_shared && self.feed.get().is_some_and(|feed| feed.has_published()) {
            // Until caches of other processes are invalid, so that a command's changes are in effect when it ends.
            tokio::time::sleep(MAX_LAG).await;
        }
        if let Some(subscriber) = self.subscriber.get() {
            subscriber.0.abort();
        }
        self.feed_pool.close();
        self.pool.close();
    }
}

/// Runs a write until it commits or fails. `Ok` includes a failed write, whose own error is its result.
async fn run_write(
    pool: &Pool,
    feed: Option<&Arc<ChangeFeed>>,
    write: &mut dyn ErasedWrite,
) -> Result<()> {
    let mut attempts = 1;
    loop {
        if let ControlFlow::Break(outcome) = run_once(pool, feed, write, attempts).await {
            return outcome;
        }
        tokio::time::sleep(Duration::from_millis(u64::from(5 * attempts))).await;
        attempts += 1;
    }
}

/// Runs a write once; `Continue` asks for another attempt.
async fn run_once(
    pool: &Pool,
    feed: Option<&Arc<ChangeFeed>>,
    write: &mut dyn ErasedWrite,
    attempts: u32,
) -> ControlFlow<Result<()>> {
    let tx = match PgTx::begin(pool, feed).await {
        Ok(tx) => tx,
        Err(error) => return ControlFlow::Break(Err(error)),
    };
    let mut tx = Tx::Postgres(Box::new(tx));
    let keep = write.run(&mut tx).await;
    let Tx::Postgres(tx) = tx else { unreachable!("a transaction keeps its engine") };
    let is_retry = tx.may_retry();
    if keep && !tx.has_failed() {
        return match tx.commit().await {
            Err(error) if error.code().is_some_and(is_retryable) && attempts < MAX_ATTEMPTS => {
                ControlFlow::Continue(())
            }
            outcome => ControlFlow::Break(outcome.map_err(Error::from)),
        };
    }
    tx.rollback().await;
    if is_retry && attempts < MAX_ATTEMPTS {
        return ControlFlow::Continue(());
    }
    if is_retry {
        tracing::warn!(attempts, "a write conflicted with concurrent writes in every attempt");
    }
    // The write ignored the error of a statement: the server would roll back silently.
    let ignored_error = || Error::Unavailable("a statement failed".into());
    ControlFlow::Break(if keep { Err(ignored_error()) } else { Ok(()) })
}
