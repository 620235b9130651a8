//! How many of one network there are at once: connections, and calls that a proxy passes on; and of one
//! member, calls, and answers that were not taken yet.
//!
//! A proxy's connections are not counted by network, since all of its clients share them. Of a client
//! behind it, calls are: from before anything of their body is read until their connection has another call or ends, so
//! that who sends or reads without end holds as little as somebody who connects by themselves. That an answer was
//! taken from here says nothing: the system keeps what the proxy has no room for. An office or a school is
//! one network: so that nobody in it keeps its members out, some of a member's calls are not counted by it.

use crate::admission::Class;
use crate::app::App;
use crate::client::{self, WIDER, wider};
use crate::error::{ApiError, Result};
use crate::ids::Id;
use crate::session;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

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
/// Answers of more than [`SMALL`] bytes to one member that are not taken yet. Whoever has many networks could leave
/// as many unread as there are connections.
const MOST_UNREAD: usize = 64;
/// Bytes of an answer that need not be counted.
const SMALL: u64 = 32 * 1024;
/// Bytes of an answer that go out at once. The rest is held here until there is room for more.
const PIECE: usize = 16 * 1024;
/// Seconds after which somebody may try again who has too many calls under way.
const LATER: u64 = 2;

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
    /// One whose answer is not taken yet.
    Member(Id),
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
}

/// Where the last call of a connection goes on to count, until there is another one or the connection ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seat(Arc<Mutex<Option<Guest>>>);

impl Seat {
    /// Counts the last call no longer.
    pub(crate) fn clear(&self) {
        self.0.lock().take();
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

    /// 429 when so many answers to a member are not taken yet.
    pub(crate) fn look_at(&self, member: Id) -> Result<()> {
        let counts = self.0.lock();
        match counts.get(&Of::Member(member)) {
            Some(unread) if *unread >= MOST_UNREAD => Err(ApiError::too_many(LATER)),
            _ => Ok(()),
        }
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
        for of in of.into_iter().flatten() {
            *counts.entry(of).or_default() += 1;
        }
        drop(counts);
        let crowd = Arc::clone(self);
        Some(Guest { crowd, of })
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
                *count -= 1;
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

/// The answer to a call that was counted, and goes on to be in the connection's seat.
pub(crate) fn answer(answer: Response, guest: Option<Guest>, seat: Option<Seat>) -> Response {
    match guest {
        Some(guest) => answer.map(|body| Held::body(body, guest, seat)),
        None => answer,
    }
}

/// The answer to a member's call, counted unless it is as small as most.
pub(crate) fn answer_member(app: &App, answer: Response, member: Option<Id>) -> Response {
    let length = answer.body().size_hint().exact();
    let counted = member.filter(|_| length.is_none_or(|length| length > SMALL));
    let of = [counted.map(Of::Member), None, None];
    let guest = counted.and_then(|_| app.crowd.add(of, [usize::MAX; 3]));
    self::answer(answer, guest, None)
}

/// An answer that counts until it is taken, and longer where it has a seat.
struct Held {
    body: Body,
    rest: Bytes,
    guest: Option<Guest>,
    seat: Option<Seat>,
}

impl Held {
    fn body(body: Body, guest: Guest, seat: Option<Seat>) -> Body {
        // A head alone fits into any proxy.
        if body.is_end_stream() {
            return body;
        }
        Body::new(Self {
            body,
            rest: Bytes::new(),
            guest: Some(guest),
            seat,
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(seat) = &self.seat {
            *seat.0.lock() = self.guest.take();
        }
    }
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            let next = std::task::ready!(Pin::new(&mut self.body).poll_frame(context));
            match next.map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(frame))) => return Poll::Ready(Some(Ok(frame))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (behind, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(behind.lower() + rest);
        if let Some(upper) = behind.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt as _;

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

    /// proves: busy-behind-proxy
    #[tokio::test]
    async fn an_answer_counts_until_it_is_taken() {
        let crowd = Arc::new(Crowd::default());
        let network = IpAddr::from([192, 0, 2, 1]);
        let guest = crowd.admit(network, 1).unwrap();
        let long = (0..=u8::MAX)
            .cycle()
            .take(3 * PIECE + 7)
            .collect::<Vec<_>>();
        let seat = Seat::default();
        let mut body = Held::body(Body::from(long.clone()), guest, Some(seat.clone()));
        let mut taken = Vec::new();
        while let Some(frame) = body.frame().await {
            assert!(crowd.admit(network, 1).is_none(), "{}", taken.len());
            let left = (long.len() - taken.len()) as u64;
            let piece = frame.unwrap().into_data().unwrap();
            assert!(piece.len() <= PIECE);
            taken.extend_from_slice(&piece);
            let hint = body.size_hint().exact();
            assert_eq!(hint, Some(left - piece.len() as u64));
        }
        assert!(taken == long && body.is_end_stream());
        drop(body);
        assert!(
            crowd.admit(network, 1).is_none(),
            "the proxy may still hold it"
        );
        seat.clear();
        assert_eq!(crowd.told_apart(), 0, "who left is forgotten");
    }
}
