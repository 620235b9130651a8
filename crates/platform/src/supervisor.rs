//! Supervises background workers: logs, counts and restarts each worker that ends, for example by a panic.

use std::future::Future;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Delay before a worker is restarted.
const RESTART_DELAY: Duration = Duration::from_secs(5);

/// Shutdown request to a worker, and the worker's report that it has finished its work in flight.
#[derive(Debug, Clone)]
pub struct ShutdownSignal {
    requested: watch::Receiver<bool>,
    finished: watch::Sender<bool>,
}

impl ShutdownSignal {
    /// Creates a signal that is requested when the channel becomes true.
    #[must_use]
    pub fn new(requested: watch::Receiver<bool>) -> Self {
        let (finished, _) = watch::channel(false);
        Self { requested, finished }
    }

    /// Waits until a shutdown is requested; forever if the sender is dropped.
    pub async fn requested(&mut self) {
        if self.requested.wait_for(|is_requested| *is_requested).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// Reports that no work is in flight, and waits until the process ends.
    pub async fn report_finished(&self) {
        self.finished.send_replace(true);
        std::future::pending::<()>().await;
    }

    /// Waits for [`ShutdownSignal::report_finished`].
    pub async fn finished(&self) {
        // Cannot fail: this value holds the sender.
        let _ = self.finished.subscribe().wait_for(|is_finished| *is_finished).await;
    }
}

/// Background workers of the process, which are aborted on drop.
#[derive(Debug, Default)]
pub struct Supervisor(JoinSet<()>);

impl Supervisor {
    /// Spawns a worker with `start`, and calls `start` again whenever it ends.
    pub fn spawn_supervised<W>(
        &mut self,
        name: &'static str,
        start: impl Fn() -> W + Send + 'static,
    ) where
        W: Future<Output = ()> + Send + 'static,
    {
        metrics::counter!("kith_worker_restarts_total", "worker" => name).absolute(0);
        self.0.spawn(async move {
            loop {
                // Dropping a set aborts its tasks, so the worker ends with the supervisor.
                let mut worker = JoinSet::new();
                worker.spawn(start());
                let ended = worker.join_next().await;
                let error = ended.and_then(Result::err).map(tracing::field::display);
                tracing::error!(
                    worker = name,
                    error,
                    "a worker ended unexpectedly and is restarted"
                );
                metrics::counter!("kith_worker_restarts_total", "worker" => name).increment(1);
                tokio::time::sleep(RESTART_DELAY).await;
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

    /// The paused clock of this test jumps to the next timer.
    /// proves: ops-workers
    #[tokio::test(start_paused = true)]
    async fn an_ended_worker_is_restarted() {
        let (starts, third) = (Arc::new(AtomicU32::new(0)), Arc::new(Notify::new()));
        let (count, reached) = (starts.clone(), third.clone());
        let mut supervisor = Supervisor::default();
        supervisor.spawn_supervised("test", move || {
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

    #[tokio::test(start_paused = true)]
    async fn workers_end_with_their_supervisor() {
        let alive = Arc::new(());
        let (mut supervisor, own) = (Supervisor::default(), alive.clone());
        supervisor.spawn_supervised("test", move || {
            let held = own.clone();
            async move {
                std::future::pending::<()>().await;
                drop(held);
            }
        });
        tokio::task::yield_now().await;
        assert!(Arc::strong_count(&alive) > 1);
        drop(supervisor);
        while Arc::strong_count(&alive) > 1 {
            tokio::task::yield_now().await;
        }
    }
}
