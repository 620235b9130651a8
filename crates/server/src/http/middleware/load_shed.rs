//! Load shedding: a request waits for a permit before it is routed, or is rejected.

use crate::http::client_ip;
use crate::http::client_limit::{KeyedPermit, MAX_PER_NETWORK};
use crate::http::concurrency_limit::{CurrentPermit, Priority};
use crate::http::error::{ApiError, Result};
use crate::http::extract::JSON_LIMIT;
use crate::http::middleware::request_log::{self, LoggedMember};
use crate::http::middleware::state::MiddlewareState;
use crate::platform::ids::Id;
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use http_body_util::BodyExt as _;
use metrics::Counter;

/// Maximum concurrent API requests of one member: half the permits of a core.
const MAX_PER_MEMBER: usize = 16;
/// Maximum concurrent API requests of visitors from one network.
const MAX_PER_VISITOR_NETWORK: usize = 32;
/// `Retry-After` of a request over the limit, in seconds.
const RETRY_AFTER: u64 = 2;

fn shed_counter(priority: Priority) -> Counter {
    metrics::counter!("kith_http_shed_total", "class" => priority.label())
}

/// Exports the counters of rejected requests with the value 0.
pub(crate) fn count_from_zero() {
    for priority in [Priority::Low, Priority::Normal] {
        shed_counter(priority).absolute(0);
    }
}

/// Builds the response to a request that is not routed, and counts it.
fn reject(state: &MiddlewareState, error: ApiError) -> Response {
    let mut response = error.into_response();
    metrics::counter!(
        "kith_http_requests_total", "method" => "any", "route" => "rejected",
        "status" => response.status().as_u16().to_string()
    )
    .increment(1);
    let id = HeaderValue::from(state.id().0);
    response.headers_mut().insert(request_log::REQUEST_ID, id);
    response
}

/// Acquires the permit of the client, buffers the body, and then waits for a permit of the server, so that slow senders
/// hold none.
pub async fn shed_load(
    State(state): State<MiddlewareState>,
    mut request: Request,
    next: Next,
) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let member = if is_api { (state.cached_member)(request.headers()) } else { None };
    if let Some(member) = member {
        request.extensions_mut().insert(LoggedMember(member));
    }
    let client_permit = match acquire_client_permit(&state, &request, member) {
        Ok(client_permit) => client_permit,
        Err(error) => return reject(&state, error),
    };
    let priority = Priority::for_request(request.method(), request.uri().path());
    let response = match priority {
        None => next.run(request).await,
        Some(priority) => {
            let mut request = buffer_body(request).await;
            let Some(permit) = state.concurrency.acquire(priority, &state.clock).await else {
                shed_counter(priority).increment(1);
                return reject(&state, ApiError::unavailable());
            };
            let permit = CurrentPermit::new(permit);
            request.extensions_mut().insert(permit.clone());
            let response = next.run(request).await;
            permit.release();
            response
        }
    };
    match client_permit {
        // The permit is dropped with the response body. A stream of events stays open, and its number is limited elsewhere.
        Some(client_permit) if !is_event_stream(&response) => response.map(|body| {
            Body::new(body.map_err(move |error| {
                let _client_permit = &client_permit;
                error
            }))
        }),
        _ => response,
    }
}

fn is_event_stream(response: &Response) -> bool {
    let content_type = response.headers().get(header::CONTENT_TYPE);
    content_type.is_some_and(|value| value == "text/event-stream")
}

/// Buffers the body up to [`JSON_LIMIT`]. The rest is left to the handler, which rejects it with a reason.
async fn buffer_body(request: Request) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    let (parts, body) = request.into_parts();
    let mut rest = body.into_data_stream();
    // In one buffer: a body sent as single bytes would otherwise take forty times its size.
    let mut buffered = Vec::new();
    let mut failure = None;
    while buffered.len() <= JSON_LIMIT
        && let Some(chunk) = rest.next().await
    {
        match chunk {
            Ok(bytes) => buffered.extend_from_slice(&bytes),
            Err(error) => {
                failure = Some(Err(error));
                break;
            }
        }
    }
    let buffered = std::iter::once(Ok(Bytes::from(buffered))).chain(failure);
    Request::from_parts(parts, Body::from_stream(stream::iter(buffered).chain(rest)))
}

/// Acquires the permit that counts a request until its response is sent: by member if the session is cached, else by
/// network. 429 over the limit.
fn acquire_client_permit(
    state: &MiddlewareState,
    request: &Request,
    member: Option<Id>,
) -> Result<Option<KeyedPermit>> {
    if !state.rate_limiter.is_enabled() {
        return Ok(None);
    }
    let network =
        || client_ip::network_behind_proxy(state, request.extensions(), request.headers());
    let permit = if let Some(member) = member {
        state.api_requests.acquire_member(member, MAX_PER_MEMBER)
    } else if let Some(network) = network() {
        if request.uri().path().starts_with("/api/") {
            state.api_requests.acquire_network(network, MAX_PER_VISITOR_NETWORK)
        } else {
            state.file_requests.acquire_network(network, MAX_PER_NETWORK)
        }
    } else {
        return Ok(None);
    };
    permit.map(Some).ok_or_else(|| {
        metrics::counter!("kith_connections_refused_total").increment(1);
        ApiError::too_many_requests(RETRY_AFTER)
    })
}
