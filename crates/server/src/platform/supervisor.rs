//! Background workers. One that ends, as by a panic, is logged, counted and started again: one bad row must neither end
//! the network nor silently end the purging.

use std::future::Future;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// The time until a worker that ended is started again.
const PAUSE: Duration = Duration::from_secs(5);

/// The order to stop, and the answer of a worker that it has finished what was in its hands.
#[derive(Debug, Clone)]
pub struct Ending {
    ordered: watch::Receiver<bool>,
    finished: watch::Sender<bool>,
}

impl Ending {
    /// Of an order that comes when `ordered` is true.
    #[must_use]
    pub fn on(ordered: watch::Receiver<bool>) -> Self {
        let (finished, _) = watch::channel(false);
        Self { ordered, finished }
    }

    /// Comes with the order, and never without.
    pub(crate) async fn ordered(&mut self) {
        if self
            .ordered
            .wait_for(|is_ordered| *is_ordered)
            .await
            .is_err()
        {
            std::future::pending::<()>().await;
        }
    }

    /// Says that nothing is in hand, and waits for the end.
    pub(crate) async fn finish(&self) {
        self.finished.send_replace(true);
        std::future::pending::<()>().await;
    }

    pub(crate) async fn finished(&self) {
        // It cannot fail: the sender is here.
        let _ = self
            .finished
            .subscribe()
            .wait_for(|is_finished| *is_finished)
            .await;
    }
}

/// The workers of a process; they end when this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Workers(JoinSet<()>);

impl Workers {
    /// Keeps a worker at work. `start` makes it, each time anew.
    pub(crate) fn keep<W>(&mut self, name: &'static str, start: impl Fn() -> W + Send + 'static)
    where
        W: Future<Output = ()> + Send + 'static,
    {
        metrics::counter!("kith_worker_restarts_total", "worker" => name).absolute(0);
        self.0.spawn(async move {
            loop {
                // A set ends its tasks when it is dropped, so that a worker ends with its keeper.
                let mut worker = JoinSet::new();
                worker.spawn(start());
                let ended = worker.join_next().await;
                let error = ended.and_then(Result::err).map(tracing::field::display);
                tracing::error!(
                    worker = name,
                    error,
                    "a worker ended by itself and is started again"
                );
                metrics::counter!("kith_worker_restarts_total", "worker" => name).increment(1);
                tokio::time::sleep(PAUSE).await;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::sync::Notify;

    /// The clock of this test jumps to the next thing that is waited for.
    /// proves: ops-workers
    #[tokio::test(start_paused = true)]
    async fn a_worker_that_ends_is_started_again() {
        let (starts, third) = (Arc::new(AtomicU32::new(0)), Arc::new(Notify::new()));
        let (count, reached) = (starts.clone(), third.clone());
        let mut workers = Workers::default();
        workers.keep("test", move || {
            let (count, reached) = (count.clone(), reached.clone());
            async move {
                match count.fetch_add(1, Ordering::SeqCst) {
                    0 => panic!("a bad row"),
                    1 => {}
                    _ => {
                        reached.notify_one();
                        std::future::pending::<()>().await;
                    }
                }
            }
        });
        third.notified().await;
        assert_eq!(starts.load(Ordering::SeqCst), 3);
    }

    /// Nothing works on in a process that is ending.
    #[tokio::test(start_paused = true)]
    async fn workers_end_with_their_keeper() {
        let alive = Arc::new(());
        let (mut workers, own) = (Workers::default(), alive.clone());
        workers.keep("test", move || {
            let held = own.clone();
            async move {
                std::future::pending::<()>().await;
                drop(held);
            }
        });
        tokio::task::yield_now().await;
        assert!(Arc::strong_count(&alive) > 1);
        drop(workers);
        while Arc::strong_count(&alive) > 1 {
            tokio::task::yield_now().await;
        }
    }
}
