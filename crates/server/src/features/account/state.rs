//! State of the export and the deletion of accounts.

use crate::features::posts::PostsState;
use crate::platform::Platform;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Notify;

/// State of the export and the deletion of accounts.
#[derive(Debug)]
pub struct AccountState {
    platform: Platform,
    pub(crate) posts: Arc<PostsState>,
    /// Wakes the export worker.
    pub(crate) exports: Notify,
}

impl AccountState {
    pub(crate) fn new(platform: Platform, posts: Arc<PostsState>) -> Self {
        Self { platform, posts, exports: Notify::new() }
    }
}

impl Deref for AccountState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
