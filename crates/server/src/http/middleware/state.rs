//! State of the middleware.

use crate::http::client_limit::KeyedLimit;
use crate::http::concurrency_limit::ConcurrencyLimiter;
use crate::platform::Platform;
use crate::platform::ids::Id;
use axum::http::{HeaderMap, HeaderValue};
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::Arc;

/// Content-Security-Policy of pages: same origin only. The storage's origin is appended for uploads.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    media-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'; connect-src 'self'";

/// Returns the member of a request's session if it is cached. Does not check that the member is active.
pub type CachedMember = Box<dyn Fn(&HeaderMap) -> Option<Id> + Send + Sync>;

/// Shared handle of the middleware's state.
#[derive(Clone)]
pub struct MiddlewareState(Arc<MiddlewareStateInner>);

/// Fields of [`MiddlewareState`].
pub struct MiddlewareStateInner {
    platform: Platform,
    /// Content-Security-Policy of pages.
    pub content_policy: HeaderValue,
    /// Limits API requests in flight.
    pub concurrency: Arc<ConcurrencyLimiter>,
    /// Concurrent API requests by member or client network.
    pub api_requests: Arc<KeyedLimit>,
    /// Concurrent requests for pages, files and images by client network.
    pub file_requests: Arc<KeyedLimit>,
    /// Looks up the member of a request, for the limit of concurrent requests and for log lines.
    pub cached_member: CachedMember,
}

impl MiddlewareState {
    /// Builds the state of the middleware.
    #[must_use]
    pub fn new(platform: Platform, cached_member: CachedMember) -> Self {
        let permits = platform.settings.in_flight.map(NonZeroUsize::get);
        Self(Arc::new(MiddlewareStateInner {
            content_policy: content_policy(platform.storage.upload_origin()),
            concurrency: Arc::new(ConcurrencyLimiter::new(permits)),
            api_requests: Arc::default(),
            file_requests: Arc::default(),
            cached_member,
            platform,
        }))
    }
}

impl fmt::Debug for MiddlewareState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MiddlewareState").finish_non_exhaustive()
    }
}

impl Deref for MiddlewareState {
    type Target = MiddlewareStateInner;

    fn deref(&self) -> &MiddlewareStateInner {
        &self.0
    }
}

impl Deref for MiddlewareStateInner {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}

/// Builds the Content-Security-Policy, which allows uploads to the storage's origin.
fn content_policy(upload_origin: Option<&str>) -> HeaderValue {
    let policy = upload_origin.map(|origin| format!("{CSP} {origin}"));
    let policy = policy.and_then(|policy| HeaderValue::try_from(policy).ok());
    policy.unwrap_or(HeaderValue::from_static(CSP))
}
