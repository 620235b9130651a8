//! A member on the wire.

use crate::features::members::Role;
use crate::features::relationships::KeptAway;
use crate::platform::ids::Id;
use serde::Serialize;
use utoipa::ToSchema;

/// Enough of a member to name and link them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberRef {
    /// The member's id.
    pub id: Id,
    /// Without the @.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
    /// As shown.
    pub display_name: String,
    /// Address of the avatar.
    pub profile_image_url: Option<String>,
}

impl MemberRef {
    /// Returns the placeholder for an author hidden from the viewer. Its id and username cannot exist.
    #[must_use]
    pub fn hidden() -> Self {
        Self {
            id: Id::NONE,
            username: "_".to_owned(),
            display_name: "Hidden".to_owned(),
            profile_image_url: None,
        }
    }
}

/// A member's profile.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The member's id.
    pub id: Id,
    /// Without the @.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
    /// As shown, 1 to 50 characters as people count them (grapheme clusters).
    pub display_name: String,
    /// At most 160 characters as people count them (grapheme clusters).
    #[schema(max_length = 1920, example = "Writes the first programs.")]
    pub bio: String,
    /// An http or https address, or empty.
    #[schema(
        max_length = 2000,
        pattern = "^(https?://.+)?$",
        example = "https://ada.example/"
    )]
    pub website: String,
    /// Address of the avatar.
    pub profile_image_url: Option<String>,
    /// Address of the header image.
    pub header_image_url: Option<String>,
    /// When they joined.
    pub created_at: String,
    /// How many follow them.
    pub follower_count: i64,
    /// How many they follow.
    pub following_count: i64,
    /// Their posts and replies.
    pub post_count: i64,
    /// Whether the reader follows them.
    pub is_following: bool,
    /// Whether they follow the reader.
    pub follows_you: bool,
    /// What keeps the two apart.
    #[serde(flatten)]
    pub kept_away: KeptAway,
    /// Whose invite they joined with; null also for a reader who does not see them.
    pub invited_by: Option<MemberRef>,
    /// Since when they are suspended. Only moderators and admins open such a profile; null otherwise.
    pub suspended_at: Option<String>,
}

/// The logged-in member.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// What everybody sees.
    #[serde(flatten)]
    pub user: User,
    /// The address that login links go to; a founder may have none yet.
    #[schema(example = "ada@example.org")]
    pub email: Option<String>,
    /// Invite codes that can be made now.
    pub invites_available: i64,
    /// Whether a moderator has frozen the member's invites: no code can be made, and none that was made works.
    pub invites_frozen: bool,
    /// Notifications not read yet; of more than 1,000, as many are counted.
    pub unread_notification_count: i64,
    /// What they may do.
    #[schema(value_type = Role)]
    pub role: &'static str,
    /// Whether the username is the one that sign-up gave.
    pub username_is_provisional: bool,
    /// When the account will be deleted, as the member asked.
    #[schema(
        format = "date-time",
        min_length = 24,
        max_length = 24,
        example = "2026-11-28T09:30:00.000Z"
    )]
    pub deletion_at: Option<String>,
}
