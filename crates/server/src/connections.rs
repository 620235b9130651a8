//! The connections of members: how many there may be, how long each may take to say what it wants,
//! and their orderly end.

use crate::config::Settings;
use crate::limits::network;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt as _;

/// Time from a connection's start, or from its last answer, to the end of a request's head.
const HEAD: Duration = Duration::from_secs(10);
/// Connections at once.
const MOST: usize = 8_192;
/// Connections at once from one address that is no trusted proxy and not this machine; of IPv6, from one /64.
const MOST_OF_ONE: usize = 256;
/// A pause when the system has no room for another connection.
const EXHAUSTED: Duration = Duration::from_millis(250);

/// Who is connected.
#[derive(Debug, Default)]
struct Guests(Mutex<HashMap<IpAddr, usize>>);

/// One network's connection, until it is dropped.
#[derive(Debug)]
struct Guest {
    guests: Arc<Guests>,
    address: IpAddr,
    _place: OwnedSemaphorePermit,
}

impl Guests {
    /// Takes one connection more, unless the address has too many.
    fn admit(
        self: &Arc<Self>,
        address: IpAddr,
        most: usize,
        place: OwnedSemaphorePermit,
    ) -> Option<Guest> {
        let mut guests = self.0.lock();
        let count = guests.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        metrics::gauge!("kith_connections").increment(1.0);
        Some(Guest {
            guests: self.clone(),
            address,
            _place: place,
        })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        metrics::gauge!("kith_connections").decrement(1.0);
        let mut guests = self.guests.0.lock();
        if let Some(count) = guests.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                guests.remove(&self.address);
            }
        }
    }
}

/// Serves until `stopped` says so, and then until every request that has begun is answered.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    settings: Settings,
    mut stopped: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(MOST));
    let guests = Arc::new(Guests::default());
    let graceful = GracefulShutdown::new();
    // An error means that the order can never come.
    let stop = async move { drop(stopped.wait_for(|stop| *stop).await) };
    tokio::pin!(stop);
    loop {
        // Beyond the bound, who comes waits in the system's own short queue.
        let next = async {
            let place = places.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) if is_of_one(&error) => continue,
            Err(error) => {
                tracing::warn!(%error, "no connection could be taken");
                tokio::time::sleep(EXHAUSTED).await;
                continue;
            }
        };
        let address = peer.ip().to_canonical();
        let known = address.is_loopback() || settings.trusted_proxies.0.contains(&address);
        let most = if known { MOST } else { MOST_OF_ONE };
        let Some(guest) = place
            .ok()
            .and_then(|place| guests.admit(network(address), most, place))
        else {
            metrics::counter!("kith_connections_refused_total").increment(1);
            continue;
        };
        talk(stream, peer, router.clone(), guest, &graceful);
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Whether only this one connection failed, as one that its client gave up.
fn is_of_one(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

/// Answers one connection's requests, beside the others.
fn talk(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    guest: Guest,
    graceful: &GracefulShutdown,
) {
    // Answers are written whole: waiting for more of them would only be slower.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection was gone at once");
        return;
    }
    let service = router.map_request(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // Clients go away in the middle of things, and some never say anything.
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke");
        }
        drop(guest);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: limit-connections
    #[tokio::test]
    async fn one_address_has_so_many_connections() {
        let places = Arc::new(Semaphore::new(8));
        let guests = Arc::new(Guests::default());
        let admit = |text: &str| {
            let place = places.clone().try_acquire_owned().unwrap();
            guests.admit(network(text.parse().unwrap()), 2, place)
        };
        let first = admit("192.0.2.1");
        let second = admit("192.0.2.1");
        assert!(first.is_some() && second.is_some());
        assert!(admit("192.0.2.1").is_none());
        let other = admit("192.0.2.2");
        assert!(other.is_some(), "others are not meant");
        let six = ["2001:db8::1", "2001:db8::2"].map(admit);
        assert!(six.iter().all(Option::is_some));
        assert!(admit("2001:db8::3").is_none(), "a /64 is one");
        drop(six);
        drop(first);
        let again = admit("192.0.2.1");
        assert!(again.is_some());
        drop((second, other, again));
        assert!(guests.0.lock().is_empty(), "who left is forgotten");
        assert_eq!(places.available_permits(), 8);
    }
}
