//! The door of a server that is full: a call that would be refused is refused before anything is done for
//! it. Of ten times as many calls as can be answered nine are refusals, and what they cost is taken from
//! those that are answered.

use crate::admission::Class;
use crate::app::App;
use crate::error::ApiError;
use crate::guard;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::future::RouteFuture;
use futures_util::future::{Either, Ready, ready};
use metrics::Counter;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower::Service;

/// Bodies of at most so many bytes came with their head, as a rule. They are passed over, and the
/// connection goes on; larger ones are read first, so that their senders read why they are refused.
const SMALL: u64 = 1_024;
/// The methods that are told apart in the figures.
const METHODS: [Method; 5] = [
    Method::GET,
    Method::POST,
    Method::PUT,
    Method::DELETE,
    Method::HEAD,
];

/// Answers a connection's requests: by the router, unless too many wait.
#[derive(Debug, Clone)]
pub struct Door {
    app: App,
    router: Router,
    refusal: Arc<Refusal>,
}

/// What is the same in all refusals.
#[derive(Debug)]
struct Refusal {
    headers: HeaderMap,
    body: Bytes,
    browsing: Counter,
    other: Counter,
    answered: [Counter; METHODS.len()],
}

impl Refusal {
    fn of(app: &App) -> Self {
        let error = ApiError::unavailable();
        // A constant text, which nothing can fail to write.
        let body = serde_json::to_vec(&error).unwrap_or_default();
        let mut headers = error.into_response().headers().clone();
        guard::protect(app, guard::Kind::Call, &mut headers);
        let shed =
            |class: &'static str| metrics::counter!("kith_http_shed_total", "class" => class);
        Self {
            headers,
            body: Bytes::from(body),
            browsing: shed("browse"),
            other: shed("other"),
            answered: METHODS.map(|method| {
                metrics::counter!(
                    "kith_http_requests_total",
                    "method" => guard::known(&method), "route" => "door", "status" => "503"
                )
            }),
        }
    }
}

impl Door {
    /// In front of the router.
    #[must_use]
    pub fn new(app: App, router: Router) -> Self {
        let refusal = Arc::new(Refusal::of(&app));
        Self {
            app,
            router,
            refusal,
        }
    }

    /// The class of a call that would find no room, now and without its body.
    fn refused(&self, request: &Request) -> Option<Class> {
        if self.app.admission.has_room() {
            return None;
        }
        let path = request.uri().path();
        let class = Class::of(request.method(), path)?;
        let is_small = request.body().size_hint().upper();
        let is_small = is_small.is_some_and(|bytes| bytes <= SMALL);
        (is_small && self.app.admission.is_full(class)).then_some(class)
    }

    fn refuse(&self, class: Class, method: &Method) -> Response {
        let refusal = &self.refusal;
        match class {
            Class::Browse => refusal.browsing.increment(1),
            Class::Other => refusal.other.increment(1),
        }
        if let Some(number) = METHODS.iter().position(|known| known == method) {
            refusal.answered[number].increment(1);
        }
        let mut response = Response::new(Body::from(refusal.body.clone()));
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        *response.headers_mut() = refusal.headers.clone();
        let id = HeaderValue::from(self.app.id().0);
        response.headers_mut().insert(guard::REQUEST_ID, id);
        response
    }
}

impl Service<Request> for Door {
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Ready<Result<Response, Infallible>>, RouteFuture<Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request>::poll_ready(&mut self.router, context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match self.refused(&request) {
            Some(class) => Either::Left(ready(Ok(self.refuse(class, request.method())))),
            None => Either::Right(self.router.call(request)),
        }
    }
}
