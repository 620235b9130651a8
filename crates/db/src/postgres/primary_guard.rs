//! To which server each connection of a pool leads.

use super::timeouts::LONGEST;
use parking_lot::Mutex;
use tokio::task::AbortHandle;
use tokio::time::sleep;

/// Ends the connections to a server in whose place another one is followed. Had it died, they would end by
/// themselves; of one that hangs they would be waited for without end, and once it goes on it would be read and
/// written beside its successor.
#[derive(Debug, Default)]
pub(crate) struct Ties(Mutex<State>);

/// How often another server of a cluster took over from the one before, as a server tells it of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeline {
    /// The same for a server and its standbys.
    pub(crate) cluster: i64,
    /// One more after each time.
    pub(crate) number: i64,
}

/// A connection.
#[derive(Debug)]
struct Open {
    /// To which server.
    server: i64,
    /// In which round it was opened.
    round: u64,
    /// The task that carries it.
    carrier: AbortHandle,
}

#[derive(Debug, Default)]
struct State {
    /// When the followed server started, since another may be behind the same address. None while following none.
    followed: Option<i64>,
    /// The latest that was met, for as long as the process runs.
    latest: Option<Timeline>,
    /// Whether it was said that a server was left since another one had taken over from it.
    is_said: bool,
    /// How often what is followed was lost.
    round: u64,
    open: Vec<Open>,
}

impl Ties {
    /// Whether a server of this timeline may be used: not if another one took over from it, even if that one is
    /// away for a while. What is written behind its back would be lost, and what it wrote since is not there.
    pub(crate) fn admits(&self, timeline: Option<Timeline>) -> bool {
        let mut state = self.0.lock();
        if let (Some(its), Some(latest)) = (timeline, state.latest)
            && its.cluster == latest.cluster
            && its.number < latest.number
        {
            if !std::mem::replace(&mut state.is_said, true) {
                tracing::error!(
                    timeline = its.number,
                    latest = latest.number,
                    "a PostgreSQL that takes writes is not used: another one took over from it; start Kith again if it was put there on purpose"
                );
            }
            return false;
        }
        state.latest = timeline.or(state.latest);
        true
    }

    /// Notes a connection and returns whether it may be used: it must not lead to another server than the followed one.
    pub(crate) fn add(&self, server: i64, carrier: AbortHandle) -> bool {
        let mut state = self.0.lock();
        state.open.retain(|open| !open.carrier.is_finished());
        let is_right = state.followed.is_none_or(|followed| followed == server);
        if is_right {
            let round = state.round;
            state.open.push(Open {
                server,
                round,
                carrier,
            });
        }
        is_right
    }

    /// From now on it is this server and no other. Answers that were due when it was lost come soon, if they come: the
    /// way of these connections may have been cut where neither end notices.
    pub(crate) fn follow(&self, server: i64) {
        let mut state = self.0.lock();
        state.followed = Some(server);
        state.is_said = false;
        for open in state.open.extract_if(.., |open| open.server != server) {
            open.carrier.abort();
        }
        let round = state.round;
        let before = state.open.iter().filter(|open| open.round < round);
        let before = before.map(|open| open.carrier.clone()).collect::<Vec<_>>();
        if !before.is_empty() {
            tokio::spawn(async move {
                sleep(LONGEST).await;
                for carrier in before {
                    carrier.abort();
                }
            });
        }
    }

    /// Which one will be followed is not known.
    pub(crate) fn lose(&self) {
        let mut state = self.0.lock();
        state.followed = None;
        state.round += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    #[test]
    fn nobody_goes_back_to_a_server_from_which_another_one_took_over() {
        let ties = Ties::default();
        let of = |cluster, number| Some(Timeline { cluster, number });
        assert!(ties.admits(of(7, 1)) && ties.admits(of(7, 1)));
        assert!(ties.admits(of(7, 2)) && !ties.admits(of(7, 1)));
        ties.lose();
        assert!(!ties.admits(of(7, 1)), "nor while none is followed");
        assert!(ties.admits(None), "it does not tell");
        assert!(!ties.admits(of(7, 1)) && ties.admits(of(7, 3)));
        assert!(ties.admits(of(8, 1)), "a cluster of its own");
    }

    #[tokio::test]
    async fn connections_lead_to_the_server_that_is_followed() {
        let ties = Ties::default();
        let [old, new, late, back] = [(); 4].map(|()| tokio::spawn(pending::<()>()));
        assert!(ties.add(1, old.abort_handle()));
        assert!(ties.add(2, new.abort_handle()), "nobody follows any yet");
        ties.follow(2);
        assert!(old.await.unwrap_err().is_cancelled());
        assert!(!new.is_finished());
        assert!(!ties.add(1, late.abort_handle()), "the other one again");
        ties.lose();
        ties.follow(2);
        tokio::task::yield_now().await;
        assert!(!new.is_finished(), "it was the same one");
        tokio::time::pause();
        tokio::time::sleep(LONGEST + LONGEST / 2).await;
        assert!(new.is_finished(), "what was due then came, or never comes");
        ties.lose();
        assert!(ties.add(1, back.abort_handle()));
        ties.follow(1);
        assert!(new.await.unwrap_err().is_cancelled());
        assert!(!back.is_finished());
    }
}
