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
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use std::convert::Infallible;
use std::sync::Arc;

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
    let (feed, posts) = query.parse()?;
    let opened = state.registry.open(auth.member, &auth.session_hash, posts);
    let registration = opened.map_err(|error| match error {
        OpenError::TooMany => ApiError::too_many_requests(RETRY_AFTER),
        OpenError::Closing => ApiError::unavailable(),
    })?;
    let known_state = headers.get("last-event-id").cloned();
    let events =
        EventStream::new(Arc::clone(&state), registration, auth.session_hash, feed, known_state);
    // Browsers that lost their connections together do not reconnect together.
    let retry = stream::iter([format!("retry: {}\n\n", fastrand::u64(1_000..5_000))]);
    let events = stream::unfold(events, |mut events: EventStream| async move {
        Some((events.next().await?, events))
    });
    let events = Body::from_stream(retry.chain(events).map(Ok::<_, Infallible>));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, events).into_response())
}
