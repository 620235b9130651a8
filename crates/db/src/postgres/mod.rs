//! PostgreSQL: a pool of connections with prepared statements.

pub(crate) mod changes;
pub(crate) mod pool;
mod primary_guard;
pub(crate) mod timeouts;
pub(crate) mod tls;
pub(crate) mod write_limiter;

use crate::change_feed::freshness::{Hearing, LATE};
use crate::erased_write::Job;
use crate::{Error, Listener, Param, Result, Sql, Tx, Watch, error::is_retryable};
use changes::instrument::{Plan, text_of};
use changes::publisher::{Office, Teller};
use changes::subscriber::{Base, Tail};
use deadpool_postgres::{Object, Pool};
use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join};
use pool::Known;
use std::future::{Future, poll_fn};
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::Duration;
use timeouts::PATIENCE;
use tls::Address;
use tokio::sync::{Mutex, MutexGuard};
use tokio::task::AbortHandle;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use write_limiter::Turns;

/// How often a deadlocked or unserializable transaction runs before its caller is told to come back.
const TRIES: u32 = 6;
/// A pool of connections to one server.
#[derive(Debug)]
pub struct Postgres {
    pool: Pool,
    turns: Turns,
    is_exposed: bool,
    /// Whether servers may be running on the same database.
    pub(crate) is_beside: bool,
    /// To which server they lead.
    known: Arc<Known>,
    /// The one connection over which others' changes are followed.
    following: Pool,
    /// Who is told what changes.
    office: OnceLock<Arc<Office>>,
    follower: OnceLock<Follower>,
}

/// A task that ends with what it serves.
#[derive(Debug)]
struct Follower(AbortHandle);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Postgres {
    pub(crate) fn connect(url: &str, size: usize) -> Result<Self> {
        let address = Address::parse(url).map_err(Error::Unavailable)?;
        let connector = address.connector()?;
        let is_exposed = address.is_exposed();
        let mut config = address.config;
        let known = Arc::default();
        let pool = pool::open(&config, connector.clone(), size, &known, true)?;
        config.application_name("kith changes");
        let following = pool::open(&config, connector, 1, &known, false)?;
        let turns = Turns::of(size, PATIENCE);
        Ok(Self {
            pool,
            turns,
            is_exposed,
            is_beside: false,
            known,
            following,
            office: OnceLock::new(),
            follower: OnceLock::new(),
        })
    }

    /// Tells the listener of every change from now on, also of what other processes change.
    pub(crate) async fn listen(
        &self,
        watches: &'static [Watch],
        listener: Listener,
    ) -> Result<Hearing> {
        let office = Arc::new(Office::new(watches, listener));
        // First: own writes are told from here on, others' from the tail's first look on.
        let kept = self.office.set(Arc::clone(&office));
        kept.map_err(|_| Error::Statement("somebody listens already".into()))?;
        let hearing = office.hearing.clone();
        let base = Base {
            following: self.following.clone(),
            pool: self.pool.clone(),
            known: Arc::clone(&self.known),
            office,
        };
        let task = tokio::spawn(Tail::open(&base).await?.keep());
        self.follower.get_or_init(|| Follower(task.abort_handle()));
        Ok(hearing)
    }

    /// Prepares a statement without running it, as a write would run it.
    pub(crate) async fn prepare(&self, sql: &Sql) -> Result<()> {
        let plan = self.office.get().map(|office| office.plan(sql));
        if matches!(plan.as_deref(), Some(Plan::Unclear)) {
            let reason = format!("what it changes is not understood: {}", sql.postgres);
            return Err(Error::Statement(reason));
        }
        self.client()
            .await?
            .prepare(text_of(sql, plan.as_deref()))
            .await?;
        Ok(())
    }

    /// Whether what is sent can be read on the way to another machine.
    pub(crate) const fn is_exposed(&self) -> bool {
        self.is_exposed
    }

    pub(crate) async fn client(&self) -> Result<Object> {
        pool::take(&self.pool).await
    }

    /// Runs the write to its end even when the caller hangs up, so that no connection returns inside a transaction. It
    /// keeps its turn until the server answers: a write that waits for a standby keeps waiting there, and new
    /// connections for further writes would pile up until the server takes none.
    pub(crate) async fn submit(&self, mut job: Box<dyn Job>, row: Option<i64>) -> Result<()> {
        let turn = self.turns.take(row).await?;
        let (pool, office) = (self.pool.clone(), self.office.get().cloned());
        tokio::spawn(async move {
            let run = attempt(&pool, office.as_ref(), job.as_mut());
            let ended = AssertUnwindSafe(run).catch_unwind().await;
            let panicked = |_| Err(Error::Statement("a write panicked".into()));
            job.finish(ended.unwrap_or_else(panicked));
            drop(turn);
        });
        Ok(())
    }

    pub(crate) async fn close(&self) {
        if self.is_beside && self.office.get().is_some_and(|office| office.has_told()) {
            // Until no server uses what it remembers of before: what a command says it did is in effect.
            tokio::time::sleep(LATE).await;
        }
        if let Some(follower) = self.follower.get() {
            follower.0.abort();
        }
        self.following.close();
        self.pool.close();
    }
}

/// Parameters as the client library takes them.
pub(crate) fn as_dyn<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params
        .iter()
        .map(|param| param as &(dyn ToSql + Sync))
        .collect()
}

/// Runs a write until it is made or refused; an error stands instead of what it answered.
async fn attempt(pool: &Pool, office: Option<&Arc<Office>>, job: &mut dyn Job) -> Result<()> {
    let mut tries = 1;
    loop {
        if let ControlFlow::Break(ended) = once(pool, office, job, tries).await {
            return ended;
        }
        tokio::time::sleep(Duration::from_millis(u64::from(5 * tries))).await;
        tries += 1;
    }
}

/// Runs a write once, and answers whether that was the end of it.
async fn once(
    pool: &Pool,
    office: Option<&Arc<Office>>,
    job: &mut dyn Job,
    tries: u32,
) -> ControlFlow<Result<()>> {
    let begun = match PgTx::begin(pool, office).await {
        Ok(begun) => begun,
        Err(error) => return ControlFlow::Break(Err(error)),
    };
    let mut tx = Tx::Postgres(Box::new(begun));
    let keep = job.run(&mut tx).await;
    let Tx::Postgres(tx) = tx else {
        unreachable!("a transaction keeps its engine")
    };
    let may_mend = tx.retry.load(Relaxed) && !tx.is_lasting.load(Relaxed);
    let has_failed = tx.retry.load(Relaxed) || tx.is_lasting.load(Relaxed);
    if keep && !has_failed {
        return match tx.commit().await {
            Err(error) if error.code().is_some_and(is_retryable) && tries < TRIES => {
                ControlFlow::Continue(())
            }
            ended => ControlFlow::Break(ended.map_err(Error::from)),
        };
    }
    tx.rollback().await;
    if may_mend && tries < TRIES {
        return ControlFlow::Continue(());
    }
    if may_mend {
        tracing::warn!(
            tries,
            "a write was in the way of others each time that it was tried"
        );
    }
    // A statement failed whose answer nobody waited for: the server would undo the rest in silence.
    let unheard = || Error::Unavailable("a statement was refused".into());
    ControlFlow::Break(if keep { Err(unheard()) } else { Ok(()) })
}

/// What is asked, once it was sent and the turn is the next one's.
async fn sent<T>(turn: MutexGuard<'_, ()>, asked: impl Future<Output = T> + Send) -> T {
    let mut asked = pin!(asked);
    // Polled for the first time, it leaves.
    let first = poll_fn(|context| Poll::Ready(asked.as_mut().poll(context))).await;
    drop(turn);
    match first {
        Poll::Ready(done) => done,
        Poll::Pending => asked.await,
    }
}

/// A connection between `begin` and its end. Concurrent statements travel together, in the order of their first poll.
#[derive(Debug)]
pub struct PgTx {
    /// Taken at the end; a transaction dropped half way closes its connection.
    client: Option<Object>,
    /// `begin` travels with the first statement.
    is_begun: AtomicBool,
    /// The order of sending: a statement that is not prepared yet must not be overtaken by those behind it.
    turn: Mutex<()>,
    /// A statement failed in a way that a second run may mend.
    retry: AtomicBool,
    /// One failed in a way that it would fail again.
    is_lasting: AtomicBool,
    /// The server cannot write (any more): the connection is no use.
    demoted: AtomicBool,
    teller: Teller,
}

impl PgTx {
    async fn begin(pool: &Pool, office: Option<&Arc<Office>>) -> Result<Self> {
        Ok(Self {
            client: Some(pool::take(pool).await?),
            is_begun: AtomicBool::new(false),
            turn: Mutex::new(()),
            retry: AtomicBool::new(false),
            is_lasting: AtomicBool::new(false),
            demoted: AtomicBool::new(false),
            teller: Teller::new(office.cloned()),
        })
    }

    /// Asks inside the transaction, which begins now if it has not.
    async fn within<T>(
        &self,
        asked: impl Future<Output = Result<T, tokio_postgres::Error>> + Send,
    ) -> Result<T> {
        let client = self.client()?;
        let done = if self.is_begun.swap(true, Relaxed) {
            asked.await
        } else {
            // The first is polled first, and so leaves first.
            let (begun, done) = join(client.batch_execute("begin"), asked).await;
            begun.and(done)
        };
        done.map_err(|error| self.note(error))
    }

    fn client(&self) -> Result<&Object> {
        self.client
            .as_ref()
            .ok_or_else(|| Error::Statement("the transaction has ended".into()))
    }

    fn note(&self, error: tokio_postgres::Error) -> Error {
        let code = error.code();
        // Of statements that travelled together, one may have failed for a reason that nobody waits
        // for any more, and those behind it because of that one.
        let is_behind = code == Some(&SqlState::IN_FAILED_SQL_TRANSACTION);
        if is_behind || code.is_some_and(is_retryable) {
            self.retry.store(true, Relaxed);
        } else {
            self.is_lasting.store(true, Relaxed);
        }
        if code == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            self.demoted.store(true, Relaxed);
        }
        Error::of_write(error)
    }

    /// The rows that a statement answers.
    pub(crate) fn rows<'a>(
        &'a self,
        sql: &'a Sql,
        params: &'a [Param<'_>],
    ) -> BoxFuture<'a, Result<Vec<tokio_postgres::Row>>> {
        Box::pin(async move {
            let plan = self.teller.plan(sql);
            let plan = plan.as_deref();
            let client = self.client()?;
            let params = as_dyn(params);
            let asked = async {
                let turn = self.turn.lock().await;
                let statement = client.prepare_cached(text_of(sql, plan)).await?;
                sent(turn, client.query(&statement, &params)).await
            };
            let rows = self.within(asked).await?;
            self.teller.hear(plan, &rows);
            Ok(rows)
        })
    }

    /// Runs a statement and answers how many rows it changed.
    pub(crate) fn exec<'a>(
        &'a self,
        sql: &'a Sql,
        params: &'a [Param<'_>],
    ) -> BoxFuture<'a, Result<u64>> {
        Box::pin(async move {
            let plan = self.teller.plan(sql);
            if matches!(plan.as_deref(), Some(Plan::Told(_))) {
                return Ok(self.rows(sql, params).await?.len() as u64);
            }
            self.teller.hear(plan.as_deref(), &[]);
            let client = self.client()?;
            let params = as_dyn(params);
            let asked = async {
                let turn = self.turn.lock().await;
                let statement = client.prepare_cached(sql.postgres).await?;
                sent(turn, client.execute(&statement, &params)).await
            };
            self.within(asked).await
        })
    }

    async fn commit(mut self) -> Result<(), tokio_postgres::Error> {
        if let Some(client) = self.client.take()
            && *self.is_begun.get_mut()
        {
            let teller = std::mem::replace(&mut self.teller, Teller::new(None));
            let committed = teller.commit(&client).await;
            // Back to the pool only as it came.
            if committed.is_err() {
                drop(Object::take(client));
            }
            return committed;
        }
        Ok(())
    }

    async fn rollback(mut self) {
        let is_begun = *self.is_begun.get_mut();
        if let Some(client) = &self.client
            && !self.demoted.load(Relaxed)
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
