//! Connections: how many there may be, how long each may take to say what it wants, and their orderly end.

use crate::http::client_ip::network;
use crate::http::client_limit::{KeyedLimit, KeyedPermit};
use crate::http::server::listener::Audience;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::error::Error as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_io_timeout::TimeoutStream;
use tower::{Service, ServiceExt as _};

/// Bytes of a request's head, and what a connection keeps of a body until somebody takes it. A browser sends a few
/// hundred; with hyper's own bound of 400 KiB, connections that say nothing more could hold 3 GB.
const LONGEST_HEAD: usize = 32 * 1024;
/// How long a client may take nothing of an answer that waits for it. A slow one that goes on is served.
const READING: Duration = Duration::from_secs(30);
/// Bytes of answers that the system keeps for a client; Linux makes twice as many. Room shows again when a third is
/// gone: with more, a slow client behind a fast proxy would look like one that has stopped.
const KEPT: u32 = 128 * 1024;
/// Connections that wait to be taken.
const BACKLOG: u32 = 1_024;
/// A pause when the system has no room for another connection.
const EXHAUSTED: Duration = Duration::from_millis(250);

pub(crate) trait Server:
    Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static
{
}

impl<S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static> Server
    for S
{
}

/// One connection, until it is dropped.
#[derive(Debug)]
struct ConnectionPermit {
    _of_network: KeyedPermit,
    _of_all: OwnedSemaphorePermit,
}

impl ConnectionPermit {
    fn new(of_network: KeyedPermit, of_all: OwnedSemaphorePermit) -> Self {
        metrics::gauge!("kith_connections").increment(1.0);
        Self {
            _of_network: of_network,
            _of_all: of_all,
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        metrics::gauge!("kith_connections").decrement(1.0);
    }
}

pub(crate) fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    // A restart need not wait for what is left of old connections.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    // Connections inherit it.
    socket.set_send_buffer_size(KEPT)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stopped` says so, and then until every request that has begun is answered.
pub(crate) async fn serve<S>(
    listener: TcpListener,
    server: S,
    audience: Audience,
    mut stopped: watch::Receiver<bool>,
) where
    S: Server,
    S::Future: Send,
{
    let all = audience.most();
    let permits = Arc::new(Semaphore::new(all));
    let networks = Arc::new(KeyedLimit::default());
    let graceful = GracefulShutdown::new();
    // An error means that the order can never come.
    let stop = async move { drop(stopped.wait_for(|stop| *stop).await) };
    tokio::pin!(stop);
    loop {
        // Beyond the bound, who comes waits in the system's own short queue.
        let next = async {
            let permit = permits.clone().acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
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
        let max = audience.most_of(address, all);
        let of_network = networks.acquire_network(network(address), max);
        let Some((of_network, of_all)) = of_network.zip(permit.ok()) else {
            metrics::counter!("kith_connections_refused_total").increment(1);
            continue;
        };
        // Answers are written whole: waiting for more of them would only be slower.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection was gone at once");
            continue;
        }
        let permit = ConnectionPermit::new(of_network, of_all);
        let with = (audience.manner(), permit);
        // The task is detached and drops its permit by itself.
        drop(talk(stream, peer, server.clone(), with, &graceful));
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

fn talk<S>(
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
    peer: SocketAddr,
    server: S,
    ((head, goes_on), permit): ((Duration, bool), ConnectionPermit),
    graceful: &GracefulShutdown,
) -> JoinHandle<()>
where
    S: Server,
    S::Future: Send,
{
    let service = tower::service_fn(move |request: hyper::Request<Incoming>| {
        let server = server.clone();
        async move {
            // One that came in few large pieces may have been read beyond the bound.
            if length(&request) > LONGEST_HEAD {
                cut("long_head");
                return Ok(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response());
            }
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            server.oneshot(request).await
        }
    });
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(READING));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .keep_alive(goes_on)
        .header_read_timeout(head)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(
            TokioIo::new(Box::pin(stream)),
            TowerToHyperService::new(service),
        );
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // Clients go away in the middle of things, and some never say or read anything.
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke");
            if let Some(why) = bound(&error) {
                cut(why);
            }
        }
        drop(permit);
    })
}

/// Bytes of the head of a request, but for its method and version.
fn length(request: &hyper::Request<Incoming>) -> usize {
    let lines = request.headers().iter();
    let lines = lines.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    let path = request.uri().path_and_query();
    path.map_or(0, |path| path.as_str().len()) + lines.sum::<usize>()
}

/// Which bound ended a connection, if one did.
fn bound(error: &hyper::Error) -> Option<&'static str> {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    if error.is_timeout() {
        Some("late_head")
    } else if error.is_parse_too_large() {
        Some("long_head")
    } else {
        let is_late = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::TimedOut;
        cause.is_some_and(is_late).then_some("unread")
    }
}

fn cut(why: &'static str) {
    metrics::counter!("kith_connections_cut_total", "why" => why).increment(1);
}

/// Names every bound in the figures, also before one was reached.
pub(crate) fn count_from_zero() {
    for why in ["late_head", "long_head", "unread"] {
        metrics::counter!("kith_connections_cut_total", "why" => why).absolute(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::Proxies;
    use axum::Router;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};

    /// proves: limit-connections
    #[tokio::test]
    async fn one_address_has_so_many_connections() {
        let places = Arc::new(Semaphore::new(8));
        let networks = Arc::new(KeyedLimit::default());
        let admit = |text: &str| {
            let of_all = places.clone().try_acquire_owned().unwrap();
            let of_network = networks.acquire_network(network(text.parse().unwrap()), 2);
            of_network.map(|of_network| ConnectionPermit::new(of_network, of_all))
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
        assert_eq!(networks.keys(), 0, "unused keys are removed");
        assert_eq!(places.available_permits(), 8);
    }

    /// The length of an answer that fits into no buffer.
    const LONG: usize = 400_000;
    /// Bytes between server and client.
    const PIPE: usize = 4_096;

    /// A connection on which a long answer is asked for, and the task that serves it.
    async fn asked_for_much(
        graceful: &GracefulShutdown,
    ) -> (DuplexStream, JoinHandle<()>, Arc<Semaphore>) {
        let (mut client, talk, places) = connected(graceful, PIPE);
        client
            .write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .await
            .unwrap();
        (client, talk, places)
    }

    /// A connection, and the task that serves it with long answers.
    fn connected(
        graceful: &GracefulShutdown,
        pipe: usize,
    ) -> (DuplexStream, JoinHandle<()>, Arc<Semaphore>) {
        let places = Arc::new(Semaphore::new(1));
        let networks = Arc::new(KeyedLimit::default());
        let of_all = places.clone().try_acquire_owned().unwrap();
        let peer = SocketAddr::from(([192, 0, 2, 1], 4_000));
        let of_network = networks.acquire_network(peer.ip(), 1).unwrap();
        let permit = ConnectionPermit::new(of_network, of_all);
        let long = || async { vec![b'x'; LONG] };
        let router = Router::new().route("/", axum::routing::get(long));
        let (client, server) = tokio::io::duplex(pipe);
        let with = (Audience::Members(Proxies::default()).manner(), permit);
        let talk = talk(server, peer, router, with, graceful);
        (client, talk, places)
    }

    /// proves: limit-head-size
    #[tokio::test]
    async fn a_head_that_is_too_long_is_refused() {
        let (long, short) = (LONGEST_HEAD, LONGEST_HEAD - 1_000);
        for (length, piece, status) in [
            (short, PIPE, "200"),
            (long, PIPE, "431"),
            // As it comes over a network: in few large pieces.
            (short, 100_000, "200"),
            (long, 100_000, "431"),
            (long + 12_000, 100_000, "431"),
        ] {
            let graceful = GracefulShutdown::new();
            let (mut client, talk, places) = connected(&graceful, piece);
            let head = format!(
                "GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n",
                "x".repeat(length)
            );
            // The rest of it is not taken.
            client.write_all(head.as_bytes()).await.ok();
            let mut line = [0; 12];
            client.read_exact(&mut line).await.unwrap();
            assert_eq!(String::from_utf8_lossy(&line), format!("HTTP/1.1 {status}"));
            drop(client);
            talk.await.unwrap();
            assert_eq!(places.available_permits(), 1);
        }
    }

    /// The clock of this test jumps to the next thing that is waited for.
    /// proves: limit-head
    #[tokio::test(start_paused = true)]
    async fn a_head_has_ten_seconds() {
        for said in ["", "GET / HTTP/1.1\r\nHost: x\r\n"] {
            let graceful = GracefulShutdown::new();
            let (mut client, talk, places) = connected(&graceful, PIPE);
            let began = tokio::time::Instant::now();
            client.write_all(said.as_bytes()).await.unwrap();
            talk.await.unwrap();
            assert_eq!(began.elapsed().as_secs(), 10);
            assert_eq!(places.available_permits(), 1, "the place is free again");
        }
    }

    /// proves: limit-reading
    #[tokio::test(start_paused = true)]
    async fn who_does_not_read_an_answer_is_not_waited_for() {
        let graceful = GracefulShutdown::new();
        let (mut client, talk, places) = asked_for_much(&graceful).await;
        talk.await.unwrap();
        assert_eq!(places.available_permits(), 1, "the place is free again");
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).await.unwrap();
        assert!(!rest.is_empty() && rest.len() <= PIPE, "{}", rest.len());
    }

    /// proves: limit-reading-slowly
    #[tokio::test(start_paused = true)]
    async fn who_reads_slowly_gets_everything() {
        let graceful = GracefulShutdown::new();
        let (mut client, talk, _places) = asked_for_much(&graceful).await;
        let began = tokio::time::Instant::now();
        let mut answer = Vec::new();
        loop {
            tokio::time::sleep(READING * 29 / 30).await;
            let mut piece = [0; PIPE];
            match client.read(&mut piece).await.unwrap() {
                0 => break,
                length => answer.extend_from_slice(&piece[..length]),
            }
        }
        talk.await.unwrap();
        assert!(answer.ends_with(&[b'x'; 1_000]) && answer.len() > LONG);
        assert!(began.elapsed() > 10 * READING, "it was slow indeed");
    }
}
