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
    answered_other: Counter,
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
        let answered = |method: &'static str| {
            metrics::counter!(
                "kith_http_requests_total",
                "method" => method, "route" => "door", "status" => "503"
            )
        };
        Self {
            headers,
            body: Bytes::from(body),
            browsing: shed("browse"),
            other: shed("other"),
            answered: METHODS.map(|method| answered(guard::known(&method))),
            answered_other: answered("other"),
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

    /// The class of a call that would find no room now, if it has no body.
    fn refused(&self, request: &Request) -> Option<Class> {
        if self.app.admission.has_room() {
            return None;
        }
        let path = request.uri().path();
        let class = Class::of(request.method(), path)?;
        // A body is read first: a connection that ends on an unread one can lose the answer.
        let is_whole = request.body().is_end_stream();
        (is_whole && self.app.admission.is_full(class)).then_some(class)
    }

    fn refuse(&self, class: Class, method: &Method) -> Response {
        let refusal = &self.refusal;
        match class {
            Class::Browse => refusal.browsing.increment(1),
            Class::Other => refusal.other.increment(1),
        }
        let number = METHODS.iter().position(|known| known == method);
        let answered = number.map_or(&refusal.answered_other, |number| &refusal.answered[number]);
        answered.increment(1);
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
