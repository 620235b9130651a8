//! State of what every request passes before a feature handles it.

use crate::http::client_limit::KeyedLimit;
use crate::http::concurrency_limit::ConcurrencyLimiter;
use crate::platform::Platform;
use crate::platform::ids::Id;
use axum::http::{HeaderMap, HeaderValue};
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Deref;
use std::sync::Arc;

/// Scripts, styles and everything else come from our own origin; files may also be sent to the image store.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    media-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'; connect-src 'self'";

/// Returns the member of a request's session if that is cached. It does not prove that the member is active.
pub type CachedMember = Box<dyn Fn(&HeaderMap) -> Option<Id> + Send + Sync>;

/// A cheap handle on the state of the middleware.
#[derive(Clone)]
pub struct Edge(Arc<Parts>);

/// The parts behind [`Edge`].
pub struct Parts {
    platform: Platform,
    /// The Content-Security-Policy of pages.
    pub content_policy: HeaderValue,
    /// Bounds the API requests that are worked on.
    pub concurrency: Arc<ConcurrencyLimiter>,
    /// API requests at the same time, by member or client network.
    pub api_requests: Arc<KeyedLimit>,
    /// Requests for pages, files and images at the same time, by client network.
    pub file_requests: Arc<KeyedLimit>,
    /// Names the member whose concurrent requests are counted.
    pub cached_member: CachedMember,
}

impl Edge {
    /// State of the middleware before a server.
    #[must_use]
    pub fn new(platform: Platform, cached_member: CachedMember) -> Self {
        let permits = platform.settings.in_flight.map(NonZeroUsize::get);
        Self(Arc::new(Parts {
            content_policy: content_policy(platform.storage.upload_origin()),
            concurrency: Arc::new(ConcurrencyLimiter::new(permits)),
            api_requests: Arc::default(),
            file_requests: Arc::default(),
            cached_member,
            platform,
        }))
    }
}

impl fmt::Debug for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Edge").finish_non_exhaustive()
    }
}

impl Deref for Edge {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Deref for Parts {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}

/// What pages may load, with the store that browsers send files to.
fn content_policy(upload_origin: Option<&str>) -> HeaderValue {
    let policy = upload_origin.map(|origin| format!("{CSP} {origin}"));
    let policy = policy.and_then(|policy| HeaderValue::try_from(policy).ok());
    policy.unwrap_or(HeaderValue::from_static(CSP))
}
