//! What is counted of writes that wait and of connections that are waited for.

use crate::Result;
use deadpool_postgres::{Object, Pool};
use metrics::{Counter, Gauge};
use std::time::Instant;

/// Writes that wait for their turn.
pub(crate) fn waiting() -> Gauge {
    metrics::gauge!("kith_db_writes_waiting")
}

/// Writes that were refused because too many waited.
pub(crate) fn refused() -> Counter {
    metrics::counter!("kith_db_writes_refused_total")
}

/// A write that waits for its turn until this is dropped: its caller may give up.
pub(crate) struct Waits;

impl Waits {
    pub(crate) fn begin() -> Self {
        waiting().increment(1.0);
        Self
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        waiting().decrement(1.0);
    }
}

/// A connection of the pool, once one is free; how long that took is counted, whether or not it was.
pub(crate) async fn take(pool: &Pool) -> Result<Object> {
    let started = Instant::now();
    let taken = pool.get().await;
    metrics::histogram!("kith_db_pool_wait_seconds").record(started.elapsed().as_secs_f64());
    Ok(taken?)
}
