//! Polls the changes of other processes on the same PostgreSQL database.
//!
//! A row of `changes` becomes visible with its transaction. Commits become visible in any order, also seconds
//! late (a standby that hangs), so no number orders them. But a snapshot names the transactions that it does not
//! see: those it lists as running and those from its `xmax` on. A poll reads the rows that the last snapshot did not see.

use super::feed::ChangeFeed;
use crate::error::no_row;
use crate::postgres::pool::ClusterState;
use crate::{Error, Result};
use deadpool_postgres::{Object, Pool};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Delay between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Delay before a lost connection is opened again.
const RECONNECT_DELAY: Duration = Duration::from_millis(200);
/// Limit of a poll, after which the connection counts as lost.
const POLL_TIMEOUT: Duration = Duration::from_secs(5);
/// Delay between two removals of old rows.
const PRUNE_INTERVAL: Duration = Duration::from_secs(15);
/// Minimum age of a removed row.
const RETENTION: Duration = Duration::from_mins(1);
/// Longest gap between two polls in microseconds of the server's clock. After a longer one (both machines
/// were suspended), rows may be missing.
const MAX_GAP_MICROS: i64 = 30_000_000;

/// Each branch of the union uses an index; with `or`, PostgreSQL reads the whole table.
const POLL: &str = "select s.snapshot, s.started_at, s.now, c.node, c.seq, c.told
    from (select pg_current_snapshot()::text as snapshot,
                 (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as started_at,
                 (extract(epoch from clock_timestamp()) * 1000000)::bigint as now) s
    left join (select xact, node, seq, told from changes where xact = any($1)
               union all
               select xact, node, seq, told from changes where xact >= $2) c on true
    order by c.xact";

/// Skips rows that another process removes concurrently.
const PRUNE: &str = "delete from changes where (xact, node) in (
    select xact, node from changes where xact < $1 order by xact limit $2 for update skip locked)";
/// Maximum number of rows per removal.
const PRUNE_LIMIT: i64 = 5_000;

/// Deletes rows from before a restore: their transaction numbers belong to another server.
const DELETE_FOREIGN: &str =
    "delete from changes where xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint";

/// State that outlives one subscriber.
#[derive(Clone)]
pub(crate) struct SubscriberContext {
    /// Pool of the connection that polls.
    pub(crate) feed_pool: Pool,
    /// Pool of the connections that read and write.
    pub(crate) pool: Pool,
    pub(crate) cluster: Arc<ClusterState>,
    pub(crate) feed: Arc<ChangeFeed>,
}

impl SubscriberContext {
    fn mark_stale(&self) {
        self.feed.freshness.mark_stale();
        self.cluster.guard.unfollow();
    }
}

/// Connection that polls, with the state of its last poll.
pub(crate) struct ChangeSubscriber {
    client: Object,
    context: SubscriberContext,
    /// `None` before the first poll.
    seen: Option<Snapshot>,
    /// Start time of PostgreSQL in microseconds, because another server may have the same host name.
    postmaster_started_at: i64,
    /// PostgreSQL's clock at the last poll, in microseconds.
    polled_at: i64,
    /// Oldest running transaction of past snapshots, one per prune interval.
    prune_horizons: VecDeque<(Instant, i64)>,
}

/// Transactions that a poll saw: those below `xmax` that were not running.
#[derive(Debug, PartialEq, Eq)]
struct Snapshot {
    xmin: i64,
    xmax: i64,
    running: Vec<i64>,
}

impl ChangeSubscriber {
    /// Connects and polls once; every later change is delivered.
    pub(crate) async fn open(context: &SubscriberContext) -> Result<Self> {
        let client = context.feed_pool.get().await?;
        with_poll_timeout(client.execute(DELETE_FOREIGN, &[])).await?;
        let mut subscriber = Self {
            client,
            context: context.clone(),
            seen: None,
            postmaster_started_at: 0,
            polled_at: 0,
            prune_horizons: VecDeque::new(),
        };
        subscriber.poll().await?;
        Ok(subscriber)
    }

    /// Polls until aborted, also after a panic, which most likely is the listener's.
    pub(crate) async fn run_supervised(self) {
        metrics::counter!("kith_worker_restarts_total", "worker" => "changes").absolute(0);
        let context = self.context.clone();
        // A `JoinSet` aborts its tasks when dropped.
        let mut tasks = JoinSet::new();
        tasks.spawn(self.run());
        loop {
            let ended = tasks.join_next().await;
            // The listener may panic again, so it is not called here. The next first poll reports an unknown
            // change, and only then the feed is current.
            context.mark_stale();
            let error = ended.and_then(std::result::Result::err);
            let error = error.map(tracing::field::display);
            tracing::error!(error, "the change subscriber stopped unexpectedly and is restarted");
            metrics::counter!("kith_worker_restarts_total", "worker" => "changes").increment(1);
            let context = context.clone();
            tasks.spawn(async move { Self::reconnect(&context).await.run().await });
        }
    }

    async fn run(mut self) {
        let context = self.context.clone();
        loop {
            let error = self.poll_until_error().await;
            context.mark_stale();
            context.feed.notify_unknown();
            tracing::warn!(%error, "the change feed is interrupted: caches are not used until it resumes");
            // The pool must not reuse this connection.
            drop(Object::take(self.client));
            self = Self::reconnect(&context).await;
            tracing::info!("the change feed has resumed");
        }
    }

    async fn reconnect(context: &SubscriberContext) -> Self {
        loop {
            tokio::time::sleep(RECONNECT_DELAY).await;
            // Idle connections may lead to the old server, whose reads get no events. One that a panic
            // returned may be inside a transaction.
            for pool in [&context.feed_pool, &context.pool] {
                pool.retain(|_, _| false);
            }
            match Self::open(context).await {
                Ok(subscriber) => return subscriber,
                Err(error) => tracing::debug!(%error, "the change feed cannot connect yet"),
            }
        }
    }

    async fn poll_until_error(&mut self) -> Error {
        loop {
            let asked = self.context.feed.poll_now.notified();
            // A request that waits for a poll ends the delay early.
            let _ = tokio::time::timeout(POLL_INTERVAL, asked).await;
            if let Err(error) = self.poll().await {
                return error;
            }
            if let Err(error) = self.prune().await {
                return error;
            }
        }
    }

    /// Reports the changes that became visible since the last poll; the first poll reports an unknown change.
    async fn poll(&mut self) -> Result<()> {
        let (began, number) = (Instant::now(), self.context.feed.begin_poll());
        let client = &self.client;
        // The first poll reads no rows: it reports an unknown change.
        let (running, xmax) = match &self.seen {
            Some(seen) => (&seen.running[..], seen.xmax),
            None => (&[][..], i64::MAX),
        };
        let rows = with_poll_timeout(async {
            let statement = client.prepare_cached(POLL).await?;
            client.query(&statement, &[&running, &xmax]).await
        });
        let rows = rows.await?;
        let first = rows.first().ok_or_else(no_row)?;
        let (started_at, now): (i64, i64) = (first.try_get(1)?, first.try_get(2)?);
        let seen = Snapshot::parse(first.try_get(0)?)?;
        if self.seen.is_none() {
            // After the snapshot: reads from now on see at least what it saw, and go to no other server.
            self.context.cluster.guard.follow(started_at);
            self.context.feed.notify_unknown();
        } else if started_at != self.postmaster_started_at || seen.xmax < xmax {
            // `xmax` decreases if a crash behind a pooler lost transaction numbers.
            return Err(Error::Unavailable("another server responds".into()));
        } else if now.saturating_sub(self.polled_at) > MAX_GAP_MICROS {
            return Err(Error::Unavailable("the last poll is too long ago".into()));
        }
        for row in &rows {
            if let Some(changes) = row.try_get::<_, Option<&str>>(5)? {
                self.context.feed.receive(row.try_get(3)?, row.try_get(4)?, changes);
            }
        }
        self.seen = Some(seen);
        (self.postmaster_started_at, self.polled_at) = (started_at, now);
        self.context.feed.freshness.mark_current(began);
        self.context.feed.complete_poll(number);
        Ok(())
    }

    /// Removes rows that every process has polled. All processes do so from time to time.
    async fn prune(&mut self) -> Result<()> {
        let now = Instant::now();
        if let Some(seen) = &self.seen
            && self.prune_horizons.back().is_none_or(|last| now - last.0 >= PRUNE_INTERVAL)
        {
            self.prune_horizons.push_back((now, seen.xmin));
        }
        while self.prune_horizons.get(1).is_some_and(|next| now - next.0 > RETENTION) {
            self.prune_horizons.pop_front();
        }
        let Some((since, oldest)) = self.prune_horizons.front().copied() else {
            return Ok(());
        };
        if now - since <= RETENTION {
            return Ok(());
        }
        // A limited number, so that no poll is late: a transaction of hours leaves many. The removal need
        // not be durable, so it waits for no standby.
        let removed = async {
            let begin = "begin; set local synchronous_commit to off";
            self.client.batch_execute(begin).await?;
            let removed = self.client.execute(PRUNE, &[&oldest, &PRUNE_LIMIT]).await?;
            self.client.batch_execute("commit").await?;
            Ok(removed)
        };
        if with_poll_timeout(removed).await? < PRUNE_LIMIT.unsigned_abs() {
            self.prune_horizons.pop_front();
        }
        Ok(())
    }
}

/// Fails if the server does not respond in time.
async fn with_poll_timeout<T>(
    response: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T> {
    let response = tokio::time::timeout(POLL_TIMEOUT, response).await;
    let timed_out = |_| Error::Unavailable("the server does not respond".into());
    Ok(response.map_err(timed_out)??)
}

impl Snapshot {
    /// Parses `xmin:xmax:running,running`.
    fn parse(text: &str) -> Result<Self> {
        let parsed = || {
            let mut parts = text.split(':');
            let xmin = parts.next()?.parse().ok()?;
            let xmax = parts.next()?.parse().ok()?;
            let running = parts.next()?.split_terminator(',');
            let running = running.map(|xact| xact.parse().ok()).collect::<Option<_>>()?;
            Some(Self { xmin, xmax, running })
        };
        parsed().ok_or_else(|| Error::Decode(format!("{text} is not a snapshot")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_lists_the_transactions_that_it_does_not_see() {
        let parse = |text| Snapshot::parse(text).unwrap();
        let snapshot =
            |xmin, xmax, running: &[i64]| Snapshot { xmin, xmax, running: running.to_vec() };
        assert_eq!(parse("10:20:10,14"), snapshot(10, 20, &[10, 14]));
        assert_eq!(parse("20:20:"), snapshot(20, 20, &[]));
        assert!(Snapshot::parse("20").is_err());
    }
}
