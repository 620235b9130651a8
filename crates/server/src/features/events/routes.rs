//! `GET /api/events`.

use crate::features::events::dto::{EventData, EventsQuery, bad_feed, bad_posts};
use crate::features::events::registry::OpenError;
use crate::features::events::state::EventsState;
use crate::features::events::stream::EventStream;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Query;
use crate::http::openapi::documented_errors;
use crate::platform::config::Toggle;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// Time without an event after which a comment is sent, so that proxies keep the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(25);
/// `Retry-After` of a member with too many streams, in seconds.
const RETRY_AFTER: u64 = 30;

documented_errors!(EventsErrors: bad_feed(), bad_posts(), events_off());

fn events_off() -> ApiError {
    ApiError::not_found("events_off", "This network has no live updates.")
}

/// Streams the numbers that a browser shows, as server-sent events: `notifications`, `feed` if `feed` is given, and
/// `counts` of each of `posts` that the viewer may see. Each is sent at first and whenever it changes.
/// `session_ended` is the last event if the session ends. A stream ends after 15 minutes; a member has at most 4.
#[utoipa::path(get, path = "/api/events", operation_id = "streamEvents", tag = "events", params(EventsQuery),
    responses((status = 200, description = "The events; the schema is that of their data", content_type = "text/event-stream",
        body = EventData, example = json!({"unread": 3})), EventsErrors))]
pub async fn stream_events(
    State(state): State<Arc<EventsState>>,
    auth: AuthenticatedMember,
    headers: HeaderMap,
    Query(query): Query<EventsQuery>,
) -> Result<Response> {
    if state.settings.events == Toggle::Off {
        return Err(events_off());
    }
    let watched = query.parse()?;
    let opened = state.registry.open(auth.member, &auth.session_hash, &watched.1);
    let registration = opened.map_err(|error| match error {
        OpenError::TooMany => ApiError::too_many_requests(RETRY_AFTER),
        OpenError::Closing => ApiError::unavailable(),
    })?;
    let events = EventStream::new(Arc::clone(&state), registration, auth.session_hash, watched);
    // Browsers that lost their connections together do not reconnect together.
    let retry = Duration::from_millis(fastrand::u64(1_000..5_000));
    let retry = stream::iter([Event::default().retry(retry)]);
    let known_state = headers.get("last-event-id").cloned();
    let events = stream::unfold((events, known_state), next_events);
    let events = retry.chain(events.flat_map(stream::iter)).map(Ok::<_, Infallible>);
    let mut response =
        Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(response)
}

/// Returns the next events of a stream, and the stream. The first are left out if the browser knows their state.
async fn next_events(
    (events, known_state): (EventStream, Option<HeaderValue>),
) -> Option<(Vec<Event>, (EventStream, Option<HeaderValue>))> {
    let (mut sent, events) = events.next().await?;
    if known_state.is_some_and(|known| known == events.state_id()) {
        sent.clear();
    }
    Some((sent, (events, None)))
}
