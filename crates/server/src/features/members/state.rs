//! State of the member routes.

use crate::features::media::MediaState;
use crate::features::members::MemberCache;
use crate::features::relationships::RelationshipCache;
use crate::platform::Platform;
use std::ops::Deref;
use std::sync::Arc;

/// State of the member routes.
#[derive(Debug)]
pub struct MembersState {
    platform: Platform,
    /// Cached members.
    pub(crate) members: Arc<MemberCache>,
    /// Cached follows, blocks and mutes.
    pub(crate) relationships: Arc<RelationshipCache>,
    /// Uploads and images.
    pub(crate) media: Arc<MediaState>,
}

impl MembersState {
    pub(crate) fn new(
        platform: Platform,
        members: Arc<MemberCache>,
        relationships: Arc<RelationshipCache>,
        media: Arc<MediaState>,
    ) -> Self {
        Self { platform, members, relationships, media }
    }
}

impl Deref for MembersState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
