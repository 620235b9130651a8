//! Follows what other processes on the same PostgreSQL changed.
//!
//! A row of `changes` is as visible as what its transaction did. Commits become visible in any order,
//! also seconds late (a standby that hangs), so no number orders them. But PostgreSQL says which
//! transactions a snapshot does not see: those it lists as running, and those above its end. What the
//! next snapshot sees of these is new, all of it and nothing else.

use super::publisher::Office;
use crate::error::no_row;
use crate::postgres::pool::Known;
use crate::{Error, Result};
use deadpool_postgres::{Object, Pool};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// Before a lost connection is opened again.
const AGAIN: Duration = Duration::from_millis(200);
/// How long a look may take before its connection counts as lost.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two removals of old rows.
const SWEEP: Duration = Duration::from_secs(15);
/// How long a row stays after its transaction, at least.
const KEPT: Duration = Duration::from_mins(1);
/// Microseconds of the server's clock without a look after which rows may be missing, as when both were suspended.
const MISSED: i64 = 30_000_000;

/// Two conditions apart, of which an index knows the rows: joined by `or` they read the whole table.
const LOOK: &str = "select s.snapshot, s.server, s.now, c.node, c.seq, c.told
    from (select pg_current_snapshot()::text as snapshot,
                 (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint as server,
                 (extract(epoch from clock_timestamp()) * 1000000)::bigint as now) s
    left join (select xact, node, seq, told from changes where xact = any($1)
               union all
               select xact, node, seq, told from changes where xact >= $2) c on true
    order by c.xact";

/// Those that another process removes at this moment are left to it.
const REMOVE: &str = "delete from changes where (xact, node) in (
    select xact, node from changes where xact < $1 order by xact limit $2 for update skip locked)";
/// Rows that one removal takes.
const MOST: i64 = 5_000;

/// Rows of a server that this one was restored from: no transaction of this one can have left them.
const CLEAR: &str =
    "delete from changes where xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint";

/// What a tail has in common with those that come after it.
#[derive(Clone)]
pub(crate) struct Base {
    /// Of one connection.
    pub(crate) following: Pool,
    /// The connections over which is read and written.
    pub(crate) pool: Pool,
    pub(crate) known: Arc<Known>,
    pub(crate) office: Arc<Office>,
}

impl Base {
    fn lose(&self) {
        self.office.hearing.lose();
        self.known.ties.lose();
    }
}

/// A connection that looks again and again.
pub(crate) struct Tail {
    client: Object,
    base: Base,
    seen: Snapshot,
    /// When the server started: another one may stand behind the same address.
    server: i64,
    /// The server's time of the last look.
    now: i64,
    /// Snapshots' oldest transactions, a sweep apart.
    oldest: VecDeque<(Instant, i64)>,
}

/// Which transactions were seen: those below the end that were not running.
#[derive(Debug, PartialEq, Eq)]
struct Snapshot {
    oldest: i64,
    end: i64,
    running: Vec<i64>,
}

impl Tail {
    /// Begins to follow; from now on everything is told.
    pub(crate) async fn open(base: &Base) -> Result<Self> {
        let client = base.following.get().await?;
        in_time(client.execute(CLEAR, &[])).await?;
        let mut tail = Self {
            client,
            base: base.clone(),
            seen: Snapshot {
                oldest: 0,
                end: i64::MAX,
                running: Vec::new(),
            },
            server: 0,
            now: 0,
            oldest: VecDeque::new(),
        };
        tail.look().await?;
        Ok(tail)
    }

    /// Follows for good, also after a panic, which is most likely the listener's.
    pub(crate) async fn keep(self) {
        metrics::counter!("kith_worker_restarts_total", "worker" => "changes").absolute(0);
        let base = self.base.clone();
        // A set ends its tasks when it is dropped, so that they end with their keeper.
        let mut work = JoinSet::new();
        work.spawn(self.run());
        loop {
            let ended = work.join_next().await;
            // That is all, since the listener may panic again: with its first look the next one tells
            // that it was anything, and only then it is believed.
            base.lose();
            let error = ended.and_then(std::result::Result::err);
            let error = error.map(tracing::field::display);
            tracing::error!(
                error,
                "what follows other processes' changes ended by itself and is started again"
            );
            metrics::counter!("kith_worker_restarts_total", "worker" => "changes").increment(1);
            let base = base.clone();
            work.spawn(async move { Self::open_again(&base).await.run().await });
        }
    }

    async fn run(mut self) {
        let base = self.base.clone();
        loop {
            let error = self.follow().await;
            base.lose();
            base.office.forget();
            tracing::warn!(%error, "what other processes change is not known: nothing is remembered");
            // The pool must not hand this connection out again.
            drop(Object::take(self.client));
            self = Self::open_again(&base).await;
            tracing::info!("what other processes change is known again");
        }
    }

    async fn open_again(base: &Base) -> Self {
        loop {
            tokio::time::sleep(AGAIN).await;
            // Idle connections may lead to the server that was, and what they read is not told of. One
            // that came back in a panic may be in the middle of something.
            for pool in [&base.following, &base.pool] {
                pool.retain(|_, _| false);
            }
            match Self::open(base).await {
                Ok(tail) => return tail,
                Err(error) => tracing::debug!(%error, "the connection is still lost"),
            }
        }
    }

    async fn follow(&mut self) -> Error {
        loop {
            tokio::time::sleep(PAUSE).await;
            if let Err(error) = self.look().await {
                return error;
            }
            if let Err(error) = self.sweep().await {
                return error;
            }
        }
    }

    /// Tells what has become visible since the last look; the first one tells that it was anything.
    async fn look(&mut self) -> Result<()> {
        let began = Instant::now();
        let (client, running, end) = (&self.client, &self.seen.running, self.seen.end);
        let rows = in_time(async {
            let statement = client.prepare_cached(LOOK).await?;
            client.query(&statement, &[running, &end]).await
        });
        let rows = rows.await?;
        let first = rows.first().ok_or_else(no_row)?;
        let (server, now): (i64, i64) = (first.try_get(1)?, first.try_get(2)?);
        let seen = Snapshot::parse(first.try_get(0)?)?;
        if end == i64::MAX {
            // After the snapshot: who asks the database from now on is shown all that it shows, and is not
            // shown what another server does.
            self.base.known.ties.follow(server);
            self.base.office.forget();
        } else if server != self.server || seen.end < end {
            // The latter when it crashed and a pooler between us hid that: it counts anew what it had not kept.
            return Err(Error::Unavailable("another server answers".into()));
        } else if now.saturating_sub(self.now) > MISSED {
            return Err(Error::Unavailable("the last look is too long ago".into()));
        }
        for row in &rows {
            if let Some(told) = row.try_get::<_, Option<&str>>(5)? {
                self.base
                    .office
                    .receive(row.try_get(3)?, row.try_get(4)?, told);
            }
        }
        (self.seen, self.server, self.now) = (seen, server, now);
        self.base.office.hearing.heard(began);
        Ok(())
    }

    /// Removes what everybody has seen, now and then; all processes do.
    async fn sweep(&mut self) -> Result<()> {
        let now = Instant::now();
        if self.oldest.back().is_none_or(|last| now - last.0 >= SWEEP) {
            self.oldest.push_back((now, self.seen.oldest));
        }
        while self.oldest.get(1).is_some_and(|next| now - next.0 > KEPT) {
            self.oldest.pop_front();
        }
        let Some((since, oldest)) = self.oldest.front().copied() else {
            return Ok(());
        };
        if now - since <= KEPT {
            return Ok(());
        }
        // A few at a time, so that no look is late for it: after a transaction of hours there are many.
        // Whether the removal itself is durable is nobody's question, so no standby is waited for.
        let removed = async {
            let begin = "begin; set local synchronous_commit to off";
            self.client.batch_execute(begin).await?;
            let removed = self.client.execute(REMOVE, &[&oldest, &MOST]).await?;
            self.client.batch_execute("commit").await?;
            Ok(removed)
        };
        if in_time(removed).await? < MOST.unsigned_abs() {
            self.oldest.pop_front();
        }
        Ok(())
    }
}

/// The answer of a server that may have vanished.
async fn in_time<T>(answer: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T> {
    let answer = tokio::time::timeout(PATIENCE, answer).await;
    let silent = |_| Error::Unavailable("the server is silent".into());
    Ok(answer.map_err(silent)??)
}

impl Snapshot {
    /// Reads `oldest:end:running,running`.
    fn parse(text: &str) -> Result<Self> {
        let parsed = || {
            let mut parts = text.split(':');
            let oldest = parts.next()?.parse().ok()?;
            let end = parts.next()?.parse().ok()?;
            let running = parts.next()?.split_terminator(',');
            let running = running
                .map(|xact| xact.parse().ok())
                .collect::<Option<_>>()?;
            Some(Self {
                oldest,
                end,
                running,
            })
        };
        parsed().ok_or_else(|| Error::Decode(format!("{text} is no snapshot")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_says_what_it_does_not_see() {
        let parse = |text| Snapshot::parse(text).unwrap();
        let snapshot = |oldest, end, running: &[i64]| Snapshot {
            oldest,
            end,
            running: running.to_vec(),
        };
        assert_eq!(parse("10:20:10,14"), snapshot(10, 20, &[10, 14]));
        assert_eq!(parse("20:20:"), snapshot(20, 20, &[]));
        assert!(Snapshot::parse("20").is_err());
    }
}
