//! Metrics of waiting writes.

use metrics::{Counter, Gauge};

/// Gauge of writes that wait to run.
pub(crate) fn waiting_writes() -> Gauge {
    metrics::gauge!("kith_db_writes_waiting")
}

/// Counter of writes rejected because the queue was full.
pub(crate) fn rejected_writes() -> Counter {
    metrics::counter!("kith_db_writes_refused_total")
}

/// Counts a write as waiting until dropped, also when its caller gives up.
pub(crate) struct QueueGuard;

impl QueueGuard {
    pub(crate) fn enter() -> Self {
        waiting_writes().increment(1.0);
        Self
    }
}

impl Drop for QueueGuard {
    fn drop(&mut self) {
        waiting_writes().decrement(1.0);
    }
}
