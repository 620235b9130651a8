//! State of web push.

use crate::features::push::client::PushClient;
use crate::features::push::vapid::VapidKey;
use crate::features::relationships::RelationshipCache;
use crate::features::sessions::SessionsState;
use crate::platform::Platform;
use std::ops::Deref;
use std::sync::Arc;

/// State of web push.
#[derive(Debug)]
pub struct PushState {
    platform: Platform,
    /// Sessions, which subscriptions end with.
    pub(super) sessions: Arc<SessionsState>,
    /// Cached follows, blocks and mutes.
    pub(super) relationships: Arc<RelationshipCache>,
    pub(super) client: PushClient,
}

impl PushState {
    pub(crate) fn new(
        platform: Platform,
        sessions: Arc<SessionsState>,
        relationships: Arc<RelationshipCache>,
    ) -> Result<Self, String> {
        let key = VapidKey::derive(&platform.key);
        let (hosts, origin) = (platform.settings.push_hosts.clone(), platform.settings.origin());
        let client = PushClient::new(key, hosts, origin)?;
        Ok(Self { platform, sessions, relationships, client })
    }
}

impl Deref for PushState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
