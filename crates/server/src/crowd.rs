//! How many of one network there are at once: connections, and calls that a proxy passes on; and of one
//! member, calls, and answers that were not taken yet.
//!
//! A proxy's connections are not counted by network, since all of its clients share them. Of a client
//! behind it, calls are: from before anything of their body is read until their connection has another call or the proxy
//! hangs up, so that who sends or reads without end holds as little as somebody who connects by themselves. That an
//! answer was taken from here says nothing: the system keeps what the proxy has no room for. An office or a school is
//! one network: so that nobody in it keeps its members out, some of a member's calls are not counted by it.

use crate::admission::Class;
use crate::app::App;
use crate::client::{self, WIDER, wider};
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::session;
use axum::body::HttpBody as _;
use axum::extract::Request;
use axum::http::Method;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::time::{Instant, sleep_until};

/// Connections at once of one network that is no trusted proxy and not this machine, and calls at once of
/// one behind a proxy; of IPv6, a network is a /64.
pub(crate) const MOST_OF_ONE: usize = 256;
/// How many networks' worth those of each of [`WIDER`] have together: whoever has a /48 has 65,536 networks, and
/// many a provider gives 256 households one.
const WORTH: [usize; WIDER.len()] = [2, 8];
/// Calls at once of one member behind a proxy that do not count by their network, and as many without a body by
/// which sessions are ended.
const MOST_OF_MEMBER: usize = 32;
/// Pages and files of the web app at once, of one network behind a proxy, that do not count among its calls.
const MOST_OF_READERS: usize = 128;
/// Bytes of large answers to one member that are not taken yet, before the next one. Whoever has many
/// networks could leave as many unread as there are connections.
const MOST_UNREAD: usize = 8 << 20;
/// The same of all members, for who has any: whoever has invited themselves is many.
const MUCH_UNREAD: usize = 128 << 20;
/// The same for anybody. The memory of a small machine holds so many.
const ALL_UNREAD: usize = 256 << 20;
/// Seconds after which somebody may try again who has too many calls under way.
pub(crate) const LATER: u64 = 2;

/// Who is here.
#[derive(Debug, Default)]
pub struct Crowd(Mutex<HashMap<Of, usize>>);

/// Whose somebody is counted as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    Network(IpAddr),
    /// The first of [`WIDER`] around it.
    Home(IpAddr),
    /// The second.
    Site(IpAddr),
    /// One whose answers are not taken yet, in bytes.
    Member(Id),
    /// All of these.
    Members,
    /// One who calls.
    Caller(Id),
    /// One who ends sessions, or looks at them.
    Ender(Id),
}

/// One of a network or of a member, until it is dropped.
#[derive(Debug)]
pub(crate) struct Guest {
    crowd: Arc<Crowd>,
    of: [Option<Of>; 1 + WIDER.len()],
    /// What it counts as.
    weight: usize,
}

/// Where the last call of a connection goes on to count, until there is another one or the proxy hangs up.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seat(Arc<Mutex<Option<Guest>>>);

impl Seat {
    /// Counts a call from now on, in place of the one before.
    pub(crate) fn take(&self, guest: Option<Guest>) {
        *self.0.lock() = guest;
    }

    /// Counts the last call no longer.
    pub(crate) fn clear(&self) {
        self.0.lock().take();
    }

    /// Goes on to count until then, for nobody can tell when the proxy is done.
    pub(crate) async fn kept(self, until: Instant) {
        sleep_until(until).await;
        drop(self);
    }

    /// Whether a call counts here.
    pub(crate) fn is_taken(&self) -> bool {
        self.0.lock().is_some()
    }
}

impl Crowd {
    /// Takes one more of a network, unless it has so many, or what is around it has its worth.
    pub(crate) fn admit(self: &Arc<Self>, network: IpAddr, most: usize) -> Option<Guest> {
        let [home, site] = WIDER.map(|bits| wider(network, bits));
        let of = [
            Some(Of::Network(network)),
            home.map(Of::Home),
            site.map(Of::Site),
        ];
        self.add(
            of,
            [1, WORTH[0], WORTH[1]].map(|worth| most.saturating_mul(worth)),
        )
    }

    /// 429 when too much of what was answered to a member is not taken yet.
    pub(crate) fn look_at(&self, member: Id) -> Result<()> {
        let counts = self.0.lock();
        match counts.get(&Of::Member(member)) {
            Some(unread) if *unread >= MOST_UNREAD => Err(ApiError::too_many(LATER)),
            _ => Ok(()),
        }
    }

    /// Counts an answer to a member of so many bytes, if it must be given or too much is not taken yet.
    pub(crate) fn leave(self: &Arc<Self>, member: Id, weight: usize, must: bool) -> Option<Guest> {
        let of = [Some(Of::Member(member)), Some(Of::Members), None];
        let mut counts = self.0.lock();
        let count = |of: Of| counts.get(&of).copied().unwrap_or(0);
        let (mine, all) = (count(Of::Member(member)), count(Of::Members));
        let most = if mine > 0 { MUCH_UNREAD } else { ALL_UNREAD };
        if !must && (mine >= MOST_UNREAD || all >= most) {
            return None;
        }
        Some(self.count(&mut counts, of, weight))
    }

    fn add(self: &Arc<Self>, of: [Option<Of>; 3], bounds: [usize; 3]) -> Option<Guest> {
        let mut counts = self.0.lock();
        let is_full = |(of, bound): (&Option<Of>, usize)| {
            let count = of.as_ref().and_then(|of| counts.get(of));
            count.is_some_and(|count| *count >= bound)
        };
        if of.iter().zip(bounds).any(is_full) {
            return None;
        }
        Some(self.count(&mut counts, of, 1))
    }

    fn count(
        self: &Arc<Self>,
        counts: &mut HashMap<Of, usize>,
        of: [Option<Of>; 3],
        weight: usize,
    ) -> Guest {
        for of in of.into_iter().flatten() {
            *counts.entry(of).or_default() += weight;
        }
        let crowd = Arc::clone(self);
        Guest { crowd, of, weight }
    }

    /// How many are told apart.
    #[cfg(test)]
    pub(crate) fn told_apart(&self) -> usize {
        self.0.lock().len()
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut counts = self.crowd.0.lock();
        for of in self.of.iter().flatten() {
            if let Some(count) = counts.get_mut(of) {
                *count -= self.weight;
                if *count == 0 {
                    counts.remove(of);
                }
            }
        }
    }
}

/// Counts a call that a proxy passes on, until the answer given for it is gone. None of who connects by
/// themselves: they are counted there. 429 when its client has too many, and neither the web app's readers there
/// nor its member have room for it.
pub(crate) fn enter(app: &App, request: &Request) -> Result<Option<Guest>> {
    let Some(client) = client::behind(app, request.extensions(), request.headers()) else {
        return Ok(None);
    };
    let guest = reader(app, request, client)
        .or_else(|| member(app, request))
        .or_else(|| app.crowd.admit(client, MOST_OF_ONE));
    guest.map(Some).ok_or_else(|| {
        metrics::counter!("kith_connections_refused_total").increment(1);
        ApiError::too_many(LATER)
    })
}

/// Counts a call without a body for the web app itself, which asks nobody and holds nothing but its connection.
fn reader(app: &App, request: &Request, client: IpAddr) -> Option<Guest> {
    let (method, path) = (request.method(), request.uri().path());
    let is_app = matches!(*method, Method::GET | Method::HEAD)
        && Class::of(method, path).is_none()
        && !path.starts_with("/images/");
    let counts = is_app && request.body().is_end_stream();
    counts.then(|| app.readers.admit(client, MOST_OF_READERS))?
}

/// Counts a call by its member, if their session is remembered. What ends sessions needs no body and is soon answered:
/// it is counted apart, since a thief could leave the member's other calls unfinished.
fn member(app: &App, request: &Request) -> Option<Guest> {
    let member = session::remembered(app, request.headers())?;
    let ends = request.uri().path().starts_with("/api/auth/") && request.body().is_end_stream();
    let of = if ends {
        Of::Ender(member)
    } else {
        Of::Caller(member)
    };
    app.crowd.add([Some(of), None, None], [MOST_OF_MEMBER; 3])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: busy-behind-proxy, limit-connections
    #[test]
    fn a_household_leaves_connections_to_its_neighbours() {
        let crowd = Arc::new(Crowd::default());
        let admit = |address: String| crowd.admit(address.parse().unwrap(), 2);
        let of = |network: u32| admit(format!("2001:db8:0:{network:x}::"));
        let one = (0..3).filter_map(|_| of(0)).collect::<Vec<_>>();
        assert_eq!(one.len(), 2, "one network");
        let home = (1..256).filter_map(of).collect::<Vec<_>>();
        assert_eq!(home.len(), 2, "a /56 has two networks' worth");
        let neighbours = (256..4_096).filter_map(of).collect::<Vec<_>>();
        assert_eq!(neighbours.len(), 12, "a /48 has eight");
        let others = ["2001:db8:1::", "192.0.2.1"].map(|other| admit(other.to_owned()).unwrap());
        drop((one, home, neighbours, others));
        assert_eq!(crowd.told_apart(), 0, "who left is forgotten");
    }

    /// proves: busy-unread-all
    #[test]
    fn many_members_leave_only_so_much_unread() {
        let crowd = Arc::new(Crowd::default());
        let leave = |member: i64| crowd.leave(Id(member), 2 << 20, false);
        let mut left = Vec::new();
        for member in 0..16 {
            left.extend((0..5).map_while(|_| leave(member)));
        }
        assert_eq!(left.len(), 64, "four of each are 128 MiB");
        assert!(leave(0).is_none(), "who has some");
        left.extend((16..128).map_while(leave));
        assert_eq!(left.len(), 128, "256 MiB");
        assert!(leave(200).is_none());
        assert!(
            crowd.leave(Id(0), 1, true).is_some(),
            "what is done is told"
        );
        left.truncate(8);
        assert!(leave(0).is_none() && leave(200).is_some());
        drop(left);
        assert_eq!(crowd.told_apart(), 0, "who left is forgotten");
    }
}
