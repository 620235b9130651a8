//! Keeps all connections of a process on the current primary.

use super::timeouts::RESPONSE_TIMEOUT;
use parking_lot::Mutex;
use tokio::task::AbortHandle;
use tokio::time::sleep;

/// Aborts connections to a server that another one replaced. A hung server never closes them, and once it
/// continued, the process would read and write beside the new primary.
#[derive(Debug, Default)]
pub(crate) struct PrimaryGuard(Mutex<State>);

/// PostgreSQL timeline: failover increments it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeline {
    /// System identifier, shared by a server and its standbys.
    pub(crate) cluster: i64,
    /// Timeline number.
    pub(crate) number: i64,
}

/// A registered connection.
#[derive(Debug)]
struct OpenConnection {
    /// Start time of its server.
    server: i64,
    /// Epoch in which it was opened.
    epoch: u64,
    /// Driver task of the connection.
    task: AbortHandle,
}

/// The followed server and the connections to it.
#[derive(Debug, Default)]
struct State {
    /// Start time of the followed server, because another may have the same host name; `None` without one.
    followed: Option<i64>,
    /// Latest timeline seen since the process started.
    latest: Option<Timeline>,
    /// Whether the rejection of a replaced server was logged.
    is_logged: bool,
    /// Incremented when the followed server is lost.
    epoch: u64,
    open: Vec<OpenConnection>,
}

impl PrimaryGuard {
    /// Whether a server of this timeline may be used. A replaced server may not, even while its successor is
    /// unreachable: it lacks newer writes, and writes to it would be lost.
    pub(crate) fn allows(&self, timeline: Option<Timeline>) -> bool {
        let mut state = self.0.lock();
        if let (Some(its), Some(latest)) = (timeline, state.latest)
            && its.cluster == latest.cluster
            && its.number < latest.number
        {
            if !std::mem::replace(&mut state.is_logged, true) {
                tracing::error!(
                    timeline = its.number,
                    latest = latest.number,
                    "a PostgreSQL server that another one replaced is not used; restart Kith if it is primary again on purpose"
                );
            }
            return false;
        }
        state.latest = timeline.or(state.latest);
        true
    }

    /// Registers a connection and returns whether it may be used: it must lead to the followed server, if any.
    pub(crate) fn register(&self, server: i64, task: AbortHandle) -> bool {
        let mut state = self.0.lock();
        state.open.retain(|open| !open.task.is_finished());
        let is_allowed = state.followed.is_none_or(|followed| followed == server);
        if is_allowed {
            let epoch = state.epoch;
            state.open.push(OpenConnection { server, epoch, task });
        }
        is_allowed
    }

    /// Follows this server only. Connections from before the loss are aborted after the response timeout, because
    /// their network path may be cut without notice to either end.
    pub(crate) fn follow(&self, server: i64) {
        let mut state = self.0.lock();
        state.followed = Some(server);
        state.is_logged = false;
        for open in state.open.extract_if(.., |open| open.server != server) {
            open.task.abort();
        }
        let epoch = state.epoch;
        let before = state.open.iter().filter(|open| open.epoch < epoch);
        let before = before.map(|open| open.task.clone()).collect::<Vec<_>>();
        if !before.is_empty() {
            tokio::spawn(async move {
                sleep(RESPONSE_TIMEOUT).await;
                for task in before {
                    task.abort();
                }
            });
        }
    }

    /// Follows no server until the next one is known.
    pub(crate) fn unfollow(&self) {
        let mut state = self.0.lock();
        state.followed = None;
        state.epoch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    #[test]
    fn a_server_that_another_one_replaced_is_not_used_again() {
        let guard = PrimaryGuard::default();
        let of = |cluster, number| Some(Timeline { cluster, number });
        assert!(guard.allows(of(7, 1)) && guard.allows(of(7, 1)));
        assert!(guard.allows(of(7, 2)) && !guard.allows(of(7, 1)));
        guard.unfollow();
        assert!(!guard.allows(of(7, 1)), "rejected also while no server is followed");
        assert!(guard.allows(None), "an unknown timeline is accepted");
        assert!(!guard.allows(of(7, 1)) && guard.allows(of(7, 3)));
        assert!(guard.allows(of(8, 1)), "another cluster");
    }

    #[tokio::test]
    async fn connections_lead_to_the_server_that_is_followed() {
        let guard = PrimaryGuard::default();
        let [old, new, late, back] = [(); 4].map(|()| tokio::spawn(pending::<()>()));
        assert!(guard.register(1, old.abort_handle()));
        assert!(guard.register(2, new.abort_handle()), "no server is followed yet");
        guard.follow(2);
        assert!(old.await.unwrap_err().is_cancelled());
        assert!(!new.is_finished());
        assert!(!guard.register(1, late.abort_handle()), "another server than the followed one");
        guard.unfollow();
        guard.follow(2);
        tokio::task::yield_now().await;
        assert!(!new.is_finished(), "the same server is followed");
        tokio::time::pause();
        tokio::time::sleep(RESPONSE_TIMEOUT + RESPONSE_TIMEOUT / 2).await;
        assert!(new.is_finished(), "aborted after the response timeout");
        guard.unfollow();
        assert!(guard.register(1, back.abort_handle()));
        guard.follow(1);
        assert!(new.await.unwrap_err().is_cancelled());
        assert!(!back.is_finished());
    }
}
