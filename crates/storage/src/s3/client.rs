//! Requests over HTTP: bounded in time, repeated when that may help, never redirected.

use std::error::Error;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as Hyper;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use jiff::Timestamp;
use tokio::time::{Instant, sleep, timeout};
use url::Url;

use super::answer;
use super::content::{Content, Sent};
use crate::Failure;

/// How long a connection may take to open.
const CONNECT: Duration = Duration::from_secs(3);
/// How long an answer may take to begin, beyond what sending takes.
const ANSWER: Duration = Duration::from_secs(10);
/// The slowest line on which sending is waited for, in bytes a second.
const SLOWEST: u64 = 512 * 1024;
/// How long a body may stand still.
pub(super) const STALL: Duration = Duration::from_secs(10);
/// How long a connection is kept for the next request; servers close theirs later than that.
const IDLE: Duration = Duration::from_secs(20);
/// How many idle connections are kept.
const KEPT: usize = 32;

/// Requests for one call at most.
const ATTEMPTS: u32 = 4;
/// After so long no further attempt begins: somebody waits.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest pause before the second attempt; it doubles each time.
const PAUSE: Duration = Duration::from_millis(200);

/// A pool of connections.
pub(super) struct Client {
    hyper: Hyper<HttpsConnector<HttpConnector>, Sent>,
}

/// One call, as it is made at each attempt.
pub(super) struct Call<'a> {
    pub(super) method: Method,
    /// The address, signed at the given time.
    pub(super) sign: &'a (dyn Fn(&Timestamp) -> Url + Sync),
    /// Headers; the signed ones among them are the same at every attempt.
    pub(super) headers: HeaderMap,
    pub(super) content: Content,
}

/// An attempt that failed.
struct Trouble {
    failure: Failure,
    may_pass: bool,
}

impl Client {
    /// A client that trusts the system's certificates; an error is one sentence.
    pub(super) fn new(encrypted: bool) -> Result<Self, String> {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT));
        tcp.set_nodelay(true);
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(trust(encrypted)?)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let hyper = Hyper::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(KEPT)
            .build(connector);
        Ok(Self { hyper })
    }

    /// Makes a call until it is answered with anything but a passing trouble. Any other answer,
    /// also a refusal, is the caller's to read.
    pub(super) async fn send(&self, call: &Call<'_>) -> Result<Response<Incoming>, Failure> {
        let begun = Instant::now();
        let mut attempt = 1;
        loop {
            let trouble = match self.attempt(call).await {
                Ok(response) => return Ok(response),
                Err(trouble) => trouble,
            };
            let pause = pause(attempt);
            if !trouble.may_pass || attempt == ATTEMPTS || begun.elapsed() + pause > PATIENCE {
                return Err(trouble.failure);
            }
            sleep(pause).await;
            attempt += 1;
        }
    }

    async fn attempt(&self, call: &Call<'_>) -> Result<Response<Incoming>, Trouble> {
        let request = request(call).map_err(|failure| Trouble {
            failure,
            may_pass: false,
        })?;
        let sending = Duration::from_millis(call.content.length() * 1000 / SLOWEST);
        let trouble = |text: String| {
            let failure = Failure::Unavailable(text);
            Trouble {
                failure,
                may_pass: true,
            }
        };
        let response = timeout(ANSWER + sending, self.hyper.request(request)).await;
        let response = response.map_err(|_| trouble("S3 did not answer in time".to_owned()))?;
        let response = response.map_err(|error| trouble(causes(&error)))?;
        if is_passing(response.status()) {
            let failure = answer::refusal(&call.method, response).await;
            return Err(Trouble {
                failure,
                may_pass: true,
            });
        }
        Ok(response)
    }
}

fn trust(encrypted: bool) -> Result<rustls::ClientConfig, String> {
    let mut roots = rustls::RootCertStore::empty();
    if encrypted {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            return Err("this system has no certificates to know S3 by".to_owned());
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be used: {error}"))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn request(call: &Call<'_>) -> Result<Request<Sent>, Failure> {
    // S3 compares the signature's time with its own clock, so it is the real one.
    let url = (call.sign)(&Timestamp::now());
    let uri = url.as_str().parse::<Uri>();
    let uri = uri.map_err(|_| Failure::Unavailable("S3 has no such address".to_owned()))?;
    let mut request = Request::new(call.content.open());
    *request.method_mut() = call.method.clone();
    *request.uri_mut() = uri;
    *request.headers_mut() = call.headers.clone();
    if call.method == Method::PUT {
        let length = call.content.length().into();
        request
            .headers_mut()
            .insert(http::header::CONTENT_LENGTH, length);
    }
    Ok(request)
}

/// Answers that another attempt may turn into a better one.
fn is_passing(status: StatusCode) -> bool {
    // 409: another conditional write is under way. 507, a full disk, does not pass.
    matches!(status.as_u16(), 408 | 409 | 429 | 500 | 502 | 503 | 504)
}

/// A random part of the longest pause, so that many callers do not come back at once.
fn pause(attempt: u32) -> Duration {
    let longest = PAUSE * 2_u32.pow(attempt - 1);
    let random = RandomState::new().hash_one(attempt) % 1024;
    longest / 2 + longest / 2 * u32::try_from(random).unwrap_or(0) / 1024
}

/// An error with all that led to it. None of them knows the address, and with it the signature.
pub(super) fn causes(error: &dyn Error) -> String {
    let mut text = format!("S3 cannot be reached: {error}");
    let mut next = error.source();
    while let Some(cause) = next {
        text = format!("{text}: {cause}");
        next = cause.source();
    }
    text
}

/// The whole body of a response of at most `limit` bytes. One that comes a byte at a time never stands still,
/// and must not keep whoever waits for ever.
pub(super) async fn collect(body: Incoming, limit: u64) -> Result<Bytes, Failure> {
    let whole = STALL + Duration::from_secs(limit / SLOWEST);
    let collected = timeout(whole, gather(body, limit)).await;
    let slow = |_| Failure::Unavailable("S3 answered too slowly".to_owned());
    collected.map_err(slow)?
}

async fn gather(body: Incoming, limit: u64) -> Result<Bytes, Failure> {
    use futures_util::TryStreamExt as _;
    let mut stream = std::pin::pin!(super::content::incoming(body));
    let mut bytes = Vec::new();
    while let Some(chunk) = stream.try_next().await? {
        if (bytes.len() + chunk.len()) as u64 > limit {
            return Err(Failure::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.into())
}
