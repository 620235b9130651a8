//! Load shedding: a concurrency limit with a bounded queue in two priorities.
//!
//! A request that finds no permit and a full queue is answered 503 before it is routed: of twice the load half the
//! responses are errors, and their cost is taken from the requests that succeed. The low priority is not starved: a
//! write costs about twice as much as a feed, so a server that answers writes only answers half as many requests.

use crate::app::App;
use crate::clock::Clock;
use crate::error::ApiError;
use crate::extract::JSON_LIMIT;
use crate::{guard, keyed_limit};
use axum::Router;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::future::RouteFuture;
use futures_util::future::{BoxFuture, Either};
use futures_util::{StreamExt as _, stream};
use http_body_util::BodyExt as _;
use metrics::{Counter, Gauge};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::oneshot;
use tower::Service;

/// Most requests in flight wait for a commit, which they share: with 8 the capacity is half of that with 32.
const PERMITS_PER_CORE: usize = 32;
/// Waiting requests of each priority, per permit.
const QUEUE_PER_PERMIT: usize = 2;
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Of `TURNS` permits that become free while both priorities wait, this many go to the normal priority.
const NORMAL_TURNS: usize = 2;
const TURNS: usize = 7;
/// How long the body of a request that is rejected may take.
const MAX_DRAIN: Duration = Duration::from_secs(15);

/// Which queue a request waits in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// Feeds, lists of posts, searches and suggestions.
    Low,
    /// Writes, logins and everything else.
    Normal,
}

impl Priority {
    /// The priority of a request; `None` if it needs no permit, like pages, images and uploads.
    #[must_use]
    pub fn of(method: &Method, path: &str) -> Option<Self> {
        let api = path.strip_prefix("/api/")?;
        if *method == Method::PUT && api.starts_with("objects/") {
            return None;
        }
        let is_low = match api {
            "posts/feed" | "posts/for-you" | "users/search" | "users/suggested" | "trending" => {
                true
            }
            _ => {
                (api.starts_with("users/") || api.starts_with("hashtags/"))
                    && api.ends_with("/posts")
            }
        };
        Some(if is_low { Self::Low } else { Self::Normal })
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Low => "browse",
            Self::Normal => "other",
        }
    }
}

/// Bounds the requests that are worked on, and those that wait.
#[derive(Debug)]
pub struct ConcurrencyLimiter {
    state: Mutex<LimiterState>,
    /// Of each priority.
    max_waiting: usize,
    in_flight: Gauge,
    waiting: Gauge,
}

#[derive(Debug)]
struct LimiterState {
    free: usize,
    /// By priority, the oldest first. A request that gave up leaves its closed channel behind.
    queues: [VecDeque<oneshot::Sender<Permit>>; 2],
    turn: usize,
}

impl LimiterState {
    fn next_waiter(&mut self) -> Option<oneshot::Sender<Permit>> {
        self.turn = (self.turn + 1) % TURNS;
        let first = if self.turn < NORMAL_TURNS {
            Priority::Normal
        } else {
            Priority::Low
        } as usize;
        [first, 1 - first].into_iter().find_map(|queue| {
            let queue = &mut self.queues[queue];
            std::iter::from_fn(|| queue.pop_front()).find(|waiter| !waiter.is_closed())
        })
    }
}

/// A request being worked on. Dropping it admits the next one.
#[derive(Debug)]
pub struct Permit(Arc<ConcurrencyLimiter>);

impl Permit {
    fn new(limiter: &Arc<ConcurrencyLimiter>) -> Self {
        limiter.in_flight.increment(1.0);
        Self(Arc::clone(limiter))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.in_flight.decrement(1.0);
        let mut state = self.0.state.lock();
        let next = state.next_waiter();
        if next.is_none() {
            state.free += 1;
        }
        drop(state);
        if let Some(next) = next {
            // A waiter that gave up in the meantime returns the permit, which then goes to the one after it.
            drop(next.send(Self::new(&self.0)));
        }
    }
}

/// The current request's permit. A handler releases it before it waits for another limit, such as image processing.
#[derive(Debug, Clone, Default)]
pub struct CurrentPermit(Arc<Mutex<Option<Permit>>>);

impl CurrentPermit {
    /// Admits the next request.
    pub fn release(&self) {
        // Outside of the lock: it wakes another request.
        let permit = self.0.lock().take();
        drop(permit);
    }
}

impl<S: Sync> FromRequestParts<S> for CurrentPermit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}

struct WaitingGuard<'a>(&'a Gauge);

impl<'a> WaitingGuard<'a> {
    fn new(gauge: &'a Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for WaitingGuard<'_> {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

impl ConcurrencyLimiter {
    /// A limiter with that many permits; [`PERMITS_PER_CORE`] for each core if `None`.
    #[must_use]
    pub fn new(permits: Option<usize>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let permits = permits.unwrap_or(PERMITS_PER_CORE * cores);
        Self {
            state: Mutex::new(LimiterState {
                free: permits,
                queues: Default::default(),
                turn: 0,
            }),
            max_waiting: permits * QUEUE_PER_PERMIT,
            in_flight: metrics::gauge!("kith_http_in_flight"),
            waiting: metrics::gauge!("kith_http_waiting"),
        }
    }

    /// Whether a request of this priority would be rejected now.
    #[must_use]
    pub fn is_full(&self, priority: Priority) -> bool {
        let state = self.state.lock();
        state.free == 0 && state.queues[priority as usize].len() >= self.max_waiting
    }

    /// Number of waiting requests.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state.lock().queues.iter().map(VecDeque::len).sum()
    }

    /// A permit, after waiting for [`MAX_WAIT`] at most; `None` when the queue is full or the time is over.
    pub async fn acquire(self: &Arc<Self>, priority: Priority, clock: &Clock) -> Option<Permit> {
        let receiver = {
            let mut state = self.state.lock();
            if state.free > 0 {
                state.free -= 1;
                return Some(Permit::new(self));
            }
            let queue = &mut state.queues[priority as usize];
            if queue.len() >= self.max_waiting {
                return None;
            }
            let (sender, receiver) = oneshot::channel();
            queue.push_back(sender);
            receiver
        };
        let _waiting = WaitingGuard::new(&self.waiting);
        tokio::select! {
            permit = receiver => permit.ok(),
            () = clock.sleep(MAX_WAIT) => None,
        }
    }
}

/// The outermost service: answers 503 when there is no room for a request, and routes it otherwise.
#[derive(Debug, Clone)]
pub struct LoadShed {
    app: App,
    router: Router,
    rejection: Arc<Rejection>,
}

/// The response to every rejected request but for its id.
#[derive(Debug)]
struct Rejection {
    headers: HeaderMap,
    body: Bytes,
    shed: [Counter; 2],
    responses: Counter,
}

impl LoadShed {
    /// In front of a router.
    #[must_use]
    pub fn new(app: App, router: Router) -> Self {
        let error = ApiError::unavailable();
        // A constant text, which cannot fail to serialize.
        let body = serde_json::to_vec(&error).unwrap_or_default();
        let mut headers = error.into_response().headers().clone();
        guard::protect(&app, guard::Kind::Call, &mut headers);
        let rejection = Arc::new(Rejection {
            headers,
            body: Bytes::from(body),
            shed: [Priority::Low, Priority::Normal].map(shed_counter),
            responses: metrics::counter!(
                "kith_http_requests_total", "method" => "any", "route" => "shed", "status" => "503"
            ),
        });
        Self {
            app,
            router,
            rejection,
        }
    }

    fn reject(&self, priority: Priority) -> Response {
        self.rejection.shed[priority as usize].increment(1);
        self.rejection.responses.increment(1);
        let mut response = Response::new(Body::from(self.rejection.body.clone()));
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        *response.headers_mut() = self.rejection.headers.clone();
        let id = HeaderValue::from(self.app.id().0);
        response.headers_mut().insert(guard::REQUEST_ID, id);
        response
    }
}

impl Service<Request> for LoadShed {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<BoxFuture<'static, Result<Response, Infallible>>, RouteFuture<Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.router, context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let priority = Priority::of(request.method(), request.uri().path());
        let Some(priority) = priority.filter(|priority| self.app.concurrency.is_full(*priority))
        else {
            return Either::Right(self.router.call(request));
        };
        let response = self.reject(priority);
        Either::Left(Box::pin(async {
            // A connection that is closed on an unread body can lose the response.
            drop(tokio::time::timeout(MAX_DRAIN, buffer_body(request)).await);
            Ok(response)
        }))
    }
}

fn shed_counter(priority: Priority) -> Counter {
    metrics::counter!("kith_http_shed_total", "class" => priority.label())
}

/// Counts a request, reads its body, and then waits for a permit: a request that is sent slowly holds none.
pub async fn limit(State(app): State<App>, request: Request, next: Next) -> Response {
    let counted = match keyed_limit::count(&app, &request) {
        Ok(counted) => counted,
        Err(error) => return error.into_response(),
    };
    let priority = Priority::of(request.method(), request.uri().path());
    let response = match priority {
        None => next.run(request).await,
        Some(priority) => {
            let mut request = buffer_body(request).await;
            let Some(permit) = app.concurrency.acquire(priority, &app.clock).await else {
                shed_counter(priority).increment(1);
                return ApiError::unavailable().into_response();
            };
            let permit = CurrentPermit(Arc::new(Mutex::new(Some(permit))));
            request.extensions_mut().insert(permit.clone());
            let response = next.run(request).await;
            permit.release();
            response
        }
    };
    match counted {
        // Dropped with the body.
        Some(counted) => response.map(|body| {
            Body::new(body.map_err(move |error| {
                let _counted = &counted;
                error
            }))
        }),
        None => response,
    }
}

/// Reads the body as far as [`JSON_LIMIT`]. The rest is left to the handler, which rejects it with a reason.
async fn buffer_body(request: Request) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    let (parts, body) = request.into_parts();
    let mut rest = body.into_data_stream();
    // In one piece: a body of single bytes would take forty times its size.
    let mut read = Vec::new();
    let mut broken = None;
    while read.len() <= JSON_LIMIT
        && let Some(piece) = rest.next().await
    {
        match piece {
            Ok(bytes) => read.extend_from_slice(&bytes),
            Err(error) => {
                broken = Some(Err(error));
                break;
            }
        }
    }
    let read = std::iter::once(Ok(Bytes::from(read))).chain(broken);
    Request::from_parts(parts, Body::from_stream(stream::iter(read).chain(rest)))
}
