//! Accepts connections, limits their number and times, and shuts them down gracefully.

use crate::http::client_ip::network;
use crate::http::client_limit::{KeyedLimit, KeyedPermit};
use crate::http::server::listener::ListenerKind;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
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
use tokio_io_timeout::TimeoutWriter;
use tower::{Service, ServiceExt as _};

/// Maximum bytes of a request's head, and read buffer of a connection. Browsers send a few hundred bytes;
/// with hyper's default of 400 KiB, idle connections could hold 6 GB.
const MAX_HEAD: usize = 32 * 1024;
/// Time in which a client must read some part of a pending response. A slow client that keeps reading is served.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Send buffer of a connection, which Linux doubles. It is writable again when a third is free: with a larger
/// buffer, a slow client behind a fast proxy would look stalled.
const SEND_BUFFER: u32 = 128 * 1024;
/// Listen backlog.
const BACKLOG: u32 = 1_024;
/// Pause after a failed accept, for example when file descriptors run out.
const ACCEPT_PAUSE: Duration = Duration::from_millis(250);

/// HTTP service that can be cloned for each connection.
pub(crate) trait Server:
    Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static
{
}

impl<S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static> Server
    for S
{
}

/// Permit of one open connection.
#[derive(Debug)]
struct ConnectionPermit {
    _network: KeyedPermit,
    _listener: OwnedSemaphorePermit,
}

impl ConnectionPermit {
    fn new(network: KeyedPermit, listener: OwnedSemaphorePermit) -> Self {
        metrics::gauge!("kith_connections").increment(1.0);
        Self { _network: network, _listener: listener }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        metrics::gauge!("kith_connections").decrement(1.0);
    }
}

/// Binds a listener. Accepted connections inherit its send buffer.
pub(crate) fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A restart must not wait for sockets in TIME_WAIT.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `stopped` becomes true, then finishes the requests in flight.
pub(crate) async fn serve<S>(
    listener: TcpListener,
    server: S,
    kind: ListenerKind,
    mut stopped: watch::Receiver<bool>,
) where
    S: Server,
    S::Future: Send,
{
    let max_connections = kind.max_connections();
    let permits = Arc::new(Semaphore::new(max_connections));
    let networks = Arc::new(KeyedLimit::default());
    let graceful = GracefulShutdown::new();
    // An error means that the sender was dropped, so no stop can come.
    let stop = async move { drop(stopped.wait_for(|stop| *stop).await) };
    tokio::pin!(stop);
    loop {
        // At the limit, further connections wait in the listen backlog.
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
            Err(error) if is_connection_error(&error) => continue,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let ip = peer.ip().to_canonical();
        let max = kind.max_per_network(ip, max_connections);
        let network_permit = networks.acquire_network(network(ip), max);
        let Some((network_permit, listener_permit)) = network_permit.zip(permit.ok()) else {
            metrics::counter!("kith_connections_refused_total").increment(1);
            continue;
        };
        // Responses are written in one piece, so Nagle's algorithm would only delay them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection was closed immediately");
            continue;
        }
        let permit = ConnectionPermit::new(network_permit, listener_permit);
        let config = (kind.head_timeout_and_keep_alive(), permit);
        // The detached task owns the permit.
        drop(serve_connection(stream, peer, server.clone(), config, &graceful));
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Returns whether an accept error concerns a single connection, such as one closed by its client.
fn is_connection_error(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

fn serve_connection<S>(
    stream: impl AsyncRead + AsyncWrite + Send + 'static,
    peer: SocketAddr,
    server: S,
    ((head_timeout, keep_alive), permit): ((Duration, bool), ConnectionPermit),
    graceful: &GracefulShutdown,
) -> JoinHandle<()>
where
    S: Server,
    S::Future: Send,
{
    let service = tower::service_fn(move |request: hyper::Request<Incoming>| {
        let server = server.clone();
        // Boxed, because hyper keeps room for it until the connection ends.
        Box::pin(async move {
            // A head that arrives in few large segments can exceed hyper's limit.
            if head_size(&request) > MAX_HEAD {
                count_cut("long_head");
                return Ok(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response());
            }
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            server.oneshot(request).await
        })
    });
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(READ_TIMEOUT));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .keep_alive(keep_alive)
        .header_read_timeout(head_timeout)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(service));
    // Mapped, because an async block would have room for the connection twice.
    tokio::spawn(graceful.watch(connection).map(|ended| {
        // Clients disconnect at any time, and some never send or read anything.
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended with an error");
            if let Some(reason) = cut_reason(&error) {
                count_cut(reason);
            }
        }
        drop(permit);
    }))
}

/// Returns the size of a request's head, without its method and version.
fn head_size(request: &hyper::Request<Incoming>) -> usize {
    let lines = request.headers().iter();
    let lines = lines.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    let path = request.uri().path_and_query();
    path.map_or(0, |path| path.as_str().len()) + lines.sum::<usize>()
}

/// Returns the limit that ended a connection; `None` for other errors.
fn cut_reason(error: &hyper::Error) -> Option<&'static str> {
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

fn count_cut(reason: &'static str) {
    metrics::counter!("kith_connections_cut_total", "why" => reason).increment(1);
}

/// Exports all counters of cut connections with the value 0.
pub(crate) fn count_from_zero() {
    for reason in ["late_head", "long_head", "unread"] {
        metrics::counter!("kith_connections_cut_total", "why" => reason).absolute(0);
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
    async fn connections_per_address_are_limited() {
        let permits = Arc::new(Semaphore::new(8));
        let networks = Arc::new(KeyedLimit::default());
        let admit = |text: &str| {
            let listener_permit = permits.clone().try_acquire_owned().unwrap();
            let network_permit = networks.acquire_network(network(text.parse().unwrap()), 2);
            network_permit
                .map(|network_permit| ConnectionPermit::new(network_permit, listener_permit))
        };
        let first = admit("192.0.2.1");
        let second = admit("192.0.2.1");
        assert!(first.is_some() && second.is_some());
        assert!(admit("192.0.2.1").is_none());
        let other = admit("192.0.2.2");
        assert!(other.is_some(), "other networks are not limited");
        let ipv6 = ["2001:db8::1", "2001:db8::2"].map(admit);
        assert!(ipv6.iter().all(Option::is_some));
        assert!(admit("2001:db8::3").is_none(), "a /64 is one");
        drop(ipv6);
        drop(first);
        let new = admit("192.0.2.1");
        assert!(new.is_some());
        drop((second, other, new));
        assert_eq!(networks.key_count(), 0, "unused keys are removed");
        assert_eq!(permits.available_permits(), 8);
    }

    /// Length of a response that exceeds every buffer.
    const LONG: usize = 400_000;
    /// Buffer between server and client.
    const PIPE: usize = 4_096;

    /// Opens a connection that requests a long response, and returns it with the serving task.
    async fn request_long_response(
        graceful: &GracefulShutdown,
    ) -> (DuplexStream, JoinHandle<()>, Arc<Semaphore>) {
        let (mut client, task, permits) = connect(graceful, PIPE);
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
        (client, task, permits)
    }

    /// Opens a connection to a server with long responses, and returns it with the serving task.
    fn connect(
        graceful: &GracefulShutdown,
        pipe: usize,
    ) -> (DuplexStream, JoinHandle<()>, Arc<Semaphore>) {
        let permits = Arc::new(Semaphore::new(1));
        let networks = Arc::new(KeyedLimit::default());
        let listener_permit = permits.clone().try_acquire_owned().unwrap();
        let peer = SocketAddr::from(([192, 0, 2, 1], 4_000));
        let network_permit = networks.acquire_network(peer.ip(), 1).unwrap();
        let permit = ConnectionPermit::new(network_permit, listener_permit);
        let long = || async { vec![b'x'; LONG] };
        let router = Router::new().route("/", axum::routing::get(long));
        let (client, server) = tokio::io::duplex(pipe);
        let config =
            (ListenerKind::Public(Proxies::default()).head_timeout_and_keep_alive(), permit);
        let task = serve_connection(server, peer, router, config, graceful);
        (client, task, permits)
    }

    /// proves: limit-head-size
    #[tokio::test]
    async fn a_head_over_the_limit_is_rejected() {
        let (long, short) = (MAX_HEAD, MAX_HEAD - 1_000);
        for (length, segment, status) in [
            (short, PIPE, "200"),
            (long, PIPE, "431"),
            // In few large segments, as over a network.
            (short, 100_000, "200"),
            (long, 100_000, "431"),
            (long + 12_000, 100_000, "431"),
        ] {
            let graceful = GracefulShutdown::new();
            let (mut client, task, permits) = connect(&graceful, segment);
            let head = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "x".repeat(length));
            // The server stops reading at the limit.
            client.write_all(head.as_bytes()).await.ok();
            let mut line = [0; 12];
            client.read_exact(&mut line).await.unwrap();
            assert_eq!(String::from_utf8_lossy(&line), format!("HTTP/1.1 {status}"));
            drop(client);
            task.await.unwrap();
            assert_eq!(permits.available_permits(), 1);
        }
    }

    /// Runs with a paused clock that advances to the next timer.
    /// proves: limit-head
    #[tokio::test(start_paused = true)]
    async fn a_head_has_ten_seconds() {
        for sent in ["", "GET / HTTP/1.1\r\nHost: x\r\n"] {
            let graceful = GracefulShutdown::new();
            let (mut client, task, permits) = connect(&graceful, PIPE);
            let started = tokio::time::Instant::now();
            client.write_all(sent.as_bytes()).await.unwrap();
            task.await.unwrap();
            assert_eq!(started.elapsed().as_secs(), 10);
            assert_eq!(permits.available_permits(), 1, "the permit is released");
        }
    }

    /// proves: limit-reading
    #[tokio::test(start_paused = true)]
    async fn a_client_that_stops_reading_is_disconnected() {
        let graceful = GracefulShutdown::new();
        let (mut client, task, permits) = request_long_response(&graceful).await;
        task.await.unwrap();
        assert_eq!(permits.available_permits(), 1, "the permit is released");
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).await.unwrap();
        assert!(!rest.is_empty() && rest.len() <= PIPE, "{}", rest.len());
    }

    /// proves: limit-reading-slowly
    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_gets_the_whole_response() {
        let graceful = GracefulShutdown::new();
        let (mut client, task, _permits) = request_long_response(&graceful).await;
        let started = tokio::time::Instant::now();
        let mut response = Vec::new();
        loop {
            tokio::time::sleep(READ_TIMEOUT * 29 / 30).await;
            let mut chunk = [0; PIPE];
            match client.read(&mut chunk).await.unwrap() {
                0 => break,
                length => response.extend_from_slice(&chunk[..length]),
            }
        }
        task.await.unwrap();
        assert!(response.ends_with(&[b'x'; 1_000]) && response.len() > LONG);
        assert!(started.elapsed() > 10 * READ_TIMEOUT, "the client was slow");
    }
}
