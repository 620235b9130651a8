//! The HTTP client beneath `object_store`: bounded in time and size, never redirected.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::header::CONTENT_LENGTH;
use http::{Request, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::client::legacy::connect::HttpConnector as Tcp;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use tempfile::NamedTempFile;
use tokio::fs::File;
use tokio::time::timeout;
use tokio_util::io::ReaderStream;
use tower_http::timeout::TimeoutBody;

use super::errors;
use crate::StorageError;
use crate::object::{STALL_TIMEOUT, transfer_timeout};

/// How long a connection may take to open.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a connection is kept for the next request; servers close theirs later than that.
const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// How many idle connections are kept.
const MAX_IDLE: usize = 32;

/// Largest response body that is not an object, in bytes: a thousand keys, at a few hundred each.
const MAX_RESPONSE_BYTES: usize = 4 * 1024 * 1024;
/// Bytes that are read from a file at a time.
const CHUNK: usize = 256 * 1024;

/// Marks a request whose response is an object, which is streamed and may have any length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Streamed;

/// A file and its length, sent instead of a payload: those of `object_store` are in memory.
#[derive(Debug, Clone)]
pub(super) struct FileBody(pub(super) Arc<NamedTempFile>, pub(super) u64);

/// A pool of connections to the bucket, and to the servers that issue credentials for it.
#[derive(Debug, Clone)]
pub(super) struct Client(
    Hyper<HttpsConnector<Tcp>, UnsyncBoxBody<Bytes, Box<dyn Error + Send + Sync>>>,
);

impl Client {
    /// A client that trusts the system's certificates; an error is one sentence.
    pub(super) fn new(is_encrypted: bool) -> Result<Self, String> {
        let mut tcp = Tcp::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        tcp.set_nodelay(true);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(trust(is_encrypted)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let pool = Hyper::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .pool_max_idle_per_host(MAX_IDLE)
            .build(connector);
        Ok(Self(pool))
    }

    /// Sends a request and waits for the response's head.
    async fn send(&self, request: HttpRequest) -> Result<Response<Incoming>, HttpError> {
        let host = host(&request);
        let (mut parts, payload) = request.into_parts();
        let (length, body) = if let Some(FileBody(file, length)) = parts.extensions.remove() {
            // Not among the signed headers.
            parts.headers.insert(CONTENT_LENGTH, length.into());
            let unreadable = |error| HttpError::new(HttpErrorKind::Unknown, error);
            let file = File::from_std(file.reopen().map_err(unreadable)?);
            let pieces = ReaderStream::with_capacity(file, CHUNK);
            let frames = pieces.map(|piece| piece.map(Frame::data).map_err(Into::into));
            (length, StreamBody::new(frames).boxed_unsync())
        } else {
            let length = payload.content_length() as u64;
            (length, payload.map_err(Into::into).boxed_unsync())
        };
        let sent = self.0.request(Request::from_parts(parts, body));
        let sent = timeout(transfer_timeout(length), sent).await.map_err(|_| {
            let late = format!("{host} did not answer in time");
            HttpError::new(HttpErrorKind::Unknown, StorageError::Unavailable(late))
        })?;
        sent.map_err(|error| HttpError::new(HttpErrorKind::Request, unreachable(&host, &error)))
    }
}

impl HttpConnector for Client {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Client {
    /// Makes one attempt. An error response becomes a [`StorageError`] within the error, except a missing
    /// object and a failed condition, which the library handles.
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (method, host) = (request.method().clone(), host(&request));
        let is_object = request.extensions().get::<Streamed>().is_some();
        let query = request.uri().query().unwrap_or_default();
        let is_list = query.contains("list-type=2");
        let (parts, body) = self.send(request).await?.into_parts();
        let lost = |error| HttpError::new_boxed(HttpErrorKind::Interrupted, error);
        if is_object && parts.status.is_success() {
            let body = TimeoutBody::new(STALL_TIMEOUT, body).map_err(lost);
            return Ok(Response::from_parts(parts, HttpResponseBody::new(body)));
        }
        let late = |error| HttpError::new(HttpErrorKind::Unknown, error);
        let body = timeout(STALL_TIMEOUT, Limited::new(body, MAX_RESPONSE_BYTES).collect());
        let body = body.await.map_err(late)?.map_err(lost)?.to_bytes();
        if parts.status.is_success() {
            // The library would parse another page as an empty list.
            if is_list && !body.windows(17).any(|part| part == b"<ListBucketResult") {
                let other = format!("the list of {host} cannot be read");
                return Err(HttpError::new(
                    HttpErrorKind::Decode,
                    StorageError::Unavailable(other),
                ));
            }
            return Ok(Response::from_parts(parts, body.into()));
        }
        let code = errors::find_code(&body);
        match parts.status {
            StatusCode::NOT_FOUND if code.as_deref() != Some("NoSuchBucket") => {}
            StatusCode::PRECONDITION_FAILED => {}
            status => {
                let failure = errors::response_error(&host, &method, status, code.as_deref());
                let kind = if is_retryable(status) {
                    HttpErrorKind::Request
                } else {
                    HttpErrorKind::Unknown
                };
                return Err(HttpError::new(kind, failure));
            }
        }
        Ok(Response::from_parts(parts, body.into()))
    }
}

fn host(request: &HttpRequest) -> String {
    request.uri().host().unwrap_or_default().to_owned()
}

fn trust(is_encrypted: bool) -> Result<rustls::ClientConfig, String> {
    let mut roots = rustls::RootCertStore::empty();
    // Credentials may come over TLS where the bucket has none.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if is_encrypted && roots.is_empty() {
        return Err("this system has no certificates to know S3 by".to_owned());
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be used: {error}"))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// Whether a retry may succeed.
fn is_retryable(status: StatusCode) -> bool {
    // 409: another conditional write is in progress. 507, a full disk, is not retried.
    matches!(status.as_u16(), 408 | 409 | 429 | 500 | 502 | 503 | 504)
}

/// A connection error with its causes, none of which contains the URL or headers with credentials.
fn unreachable(host: &str, error: &dyn Error) -> StorageError {
    let mut text = format!("{host} cannot be reached: {error}");
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    StorageError::Unavailable(text)
}
