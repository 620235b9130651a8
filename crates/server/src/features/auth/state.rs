//! State of the routes of login, sessions and email changes.

use crate::features::sessions::SessionsState;
use crate::platform::Platform;
use std::ops::Deref;
use std::sync::Arc;

/// State of the routes of login, sessions and email changes.
#[derive(Debug)]
pub struct AuthState {
    platform: Platform,
    /// Sessions.
    pub(crate) sessions: Arc<SessionsState>,
}

impl AuthState {
    pub(crate) fn new(platform: Platform, sessions: Arc<SessionsState>) -> Self {
        Self { platform, sessions }
    }
}

impl Deref for AuthState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
