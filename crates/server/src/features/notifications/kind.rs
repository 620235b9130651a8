//! Type of a notification, as stored and as returned by the API.

use serde::Serialize;
use utoipa::ToSchema;

/// Type of a notification.
// The database stores the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotificationKind {
    /// Another member follows the member.
    Follow = 0,
    /// Another member likes the member's post.
    Like = 1,
    /// Another member replied to the member's post.
    Reply = 2,
    /// Another member reposted the member's post.
    Repost = 3,
    /// Another member mentioned the member.
    Mention = 4,
}

impl NotificationKind {
    /// Returns whether notifications of the type are pushed unless the member decides otherwise.
    pub(crate) const fn is_pushed_by_default(self) -> bool {
        matches!(self, Self::Follow | Self::Reply | Self::Mention)
    }

    pub(super) const fn from_stored(number: i64) -> Self {
        match number {
            0 => Self::Follow,
            1 => Self::Like,
            2 => Self::Reply,
            3 => Self::Repost,
            _ => Self::Mention,
        }
    }
}
