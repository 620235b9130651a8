//! State of live updates.

use crate::features::events::registry::StreamRegistry;
use crate::features::posts::PostsState;
use crate::features::sessions::SessionsState;
use crate::platform::Platform;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Streams that read from the database at the same time, so that a post of which thousands of browsers show the counts
/// takes few connections.
const CONCURRENT_READS: usize = 8;

/// State of live updates.
#[derive(Debug)]
pub struct EventsState {
    platform: Platform,
    /// Sessions, which streams end with.
    pub(super) sessions: Arc<SessionsState>,
    /// Posts.
    pub(super) posts: Arc<PostsState>,
    /// Open streams.
    pub(super) registry: Arc<StreamRegistry>,
    /// Limits the streams that read.
    pub(super) reads: Semaphore,
}

impl EventsState {
    pub(crate) fn new(
        platform: Platform,
        sessions: Arc<SessionsState>,
        posts: Arc<PostsState>,
    ) -> Self {
        metrics::gauge!("kith_event_streams").set(0.0);
        Self {
            platform,
            sessions,
            posts,
            registry: Arc::default(),
            reads: Semaphore::new(CONCURRENT_READS),
        }
    }

    /// Ends all streams and opens no further ones, before a stop.
    pub fn close(&self) {
        self.registry.close();
    }
}

impl Deref for EventsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
