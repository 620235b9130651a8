//! To which server each connection of a pool leads.

use parking_lot::Mutex;
use tokio::task::AbortHandle;

/// Ends the connections to a server in whose place another one is followed. Had it died, they would end by
/// themselves; of one that hangs they would be waited for without end, and once it goes on it would be read and
/// written beside its successor.
#[derive(Debug, Default)]
pub(crate) struct Ties(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The server whose changes are followed, known by when it started: another one may stand behind the
    /// same address. None while they are not.
    followed: Option<i64>,
    /// The server of each connection, and the task that carries it.
    open: Vec<(i64, AbortHandle)>,
}

impl Ties {
    /// Notes a connection, and answers whether it may be used: it must not lead to another server than the
    /// one that is followed.
    pub(crate) fn add(&self, server: i64, carrier: AbortHandle) -> bool {
        let mut state = self.0.lock();
        state.open.retain(|(_, carrier)| !carrier.is_finished());
        let is_right = state.followed.is_none_or(|followed| followed == server);
        if is_right {
            state.open.push((server, carrier));
        }
        is_right
    }

    /// From now on it is this server and no other.
    pub(crate) fn follow(&self, server: i64) {
        let mut state = self.0.lock();
        state.followed = Some(server);
        for (_, carrier) in state.open.extract_if(.., |(at, _)| *at != server) {
            carrier.abort();
        }
    }

    /// Which one will be followed is not known.
    pub(crate) fn lose(&self) {
        self.0.lock().followed = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

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
        ties.lose();
        assert!(ties.add(1, back.abort_handle()));
        ties.follow(1);
        assert!(new.await.unwrap_err().is_cancelled());
        assert!(!back.is_finished());
    }
}
