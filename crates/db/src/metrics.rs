//! What is counted of writes that wait and of connections that are waited for.

use metrics::{Counter, Gauge};

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
