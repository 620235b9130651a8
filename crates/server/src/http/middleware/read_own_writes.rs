//! Lets clients read their own writes when their next request goes to another node.
//!
//! The response to a write names its node in a cookie. Another node that gets the cookie polls the change feed before
//! it answers. The cookie names no position in the feed, which would reveal to visitors whether their
//! request wrote something, such as a login link for an account that exists.

use crate::http::cookies;
use crate::http::middleware::state::MiddlewareState;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::middleware::Next;
use axum::response::Response;

/// Name of the cookie with the node of the client's last write.
const COOKIE: &str = "written-on";
/// Lifetime of the cookie in seconds. A node that is behind for a second uses no cache.
const MAX_AGE: i64 = 5;

/// Catches up with the node of the request's cookie, and sets the cookie after a write.
pub async fn read_own_writes(
    State(state): State<MiddlewareState>,
    request: Request,
    next: Next,
) -> Response {
    let Some(process) = state.db.feed_process() else {
        return next.run(request).await;
    };
    let node = || format!("{process:x}");
    if cookies::value(request.headers(), COOKIE).is_some_and(|written_on| written_on != node()) {
        state.db.catch_up().await;
    }
    let may_write = !request.method().is_safe();
    let mut response = next.run(request).await;
    if may_write && response.status().is_success() {
        let (name, text) = cookies::set_cookie(&state, COOKIE, &node(), MAX_AGE);
        if let Ok(value) = HeaderValue::try_from(text) {
            response.headers_mut().append(name, value);
        }
    }
    response
}
