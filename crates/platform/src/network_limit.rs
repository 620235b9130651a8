//! Rate limits of client networks for all nodes together, in the database. On SQLite, which has one server, the
//! buckets in its memory are enough.

use crate::Platform;
use crate::clock::{Millis, SECOND};
use crate::rate_limit::{AnonymousAction, RateLimited};
use kith_db::{Engine, Result, Sql, Tx, Write, params, sql};
use std::net::IpAddr;

/// Takes a token, unless the bucket is so empty that it will not be full in time.
const TAKE: Sql = sql!(
    "insert into network_limits (network, name, full_at) values ($1, $2, $3)
     on conflict (network, name) do update set full_at = $5
       + case when network_limits.full_at > $4 then network_limits.full_at else $4 end
     where network_limits.full_at <= $6
     returning full_at"
);
const FIND: Sql = sql!("select full_at from network_limits where network = $1 and name = $2");
const PURGE: Sql = sql!(
    "delete from network_limits where (network, name) in
       (select network, name from network_limits where full_at < $1 order by full_at limit $2)"
);

/// Takes one token for a client network from the bucket that all nodes share, or returns the time to wait.
pub async fn check(
    platform: &Platform,
    action: AnonymousAction,
    network: IpAddr,
) -> Result<Result<(), RateLimited>> {
    if platform.db.engine() == Engine::Sqlite || !platform.rate_limiter.is_enabled() {
        return Ok(Ok(()));
    }
    let name = action.name_and_default().0;
    let limit = platform.settings.limits.limit_or_default(action.name_and_default());
    let period = Millis::try_from(limit.period.as_millis()).unwrap_or(Millis::MAX);
    let take = TakeToken {
        network: platform.key.network_hash(network),
        name,
        now: platform.now(),
        refill: period / Millis::from(limit.count.max(1)),
        period,
    };
    let wait = platform.db.write(take).await?;
    let Some(wait) = wait else {
        return Ok(Ok(()));
    };
    platform.rate_limiter.record_rejection(name);
    Ok(Err(RateLimited { retry_after: u64::try_from(wait / SECOND).unwrap_or(0) + 1 }))
}

/// Takes a token from a bucket.
struct TakeToken {
    network: i64,
    name: &'static str,
    now: Millis,
    /// Time in which a token refills.
    refill: Millis,
    /// Time in which an empty bucket refills.
    period: Millis,
}

impl Write for TakeToken {
    /// Milliseconds to wait if the bucket is empty.
    type Out = Option<Millis>;
    type Err = kith_db::Error;

    fn contention_key(&self) -> Option<i64> {
        Some(self.network)
    }

    async fn run(&self, tx: &mut Tx) -> Result<Option<Millis>> {
        // A bucket has a token while it is full again within the time in which all others refill.
        let latest = self.now + self.period - self.refill;
        let first = self.now + self.refill;
        let bound = params![self.network, self.name, first, self.now, self.refill, latest];
        if tx.opt(&TAKE, bound, |_| Ok(())).await?.is_some() {
            return Ok(None);
        }
        let bound = params![self.network, self.name];
        let full_at = tx.opt(&FIND, bound, |row| row.int(0)).await?;
        Ok(Some(full_at.map_or(0, |full_at| full_at - latest)))
    }
}

/// Deletes a batch of full buckets, and returns how many.
pub async fn purge(tx: &mut Tx, now: Millis, limit: u32) -> Result<u64> {
    tx.exec(&PURGE, params![now, limit]).await
}
