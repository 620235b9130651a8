//! JSON representations of members.

use crate::features::members::role::Role;
use crate::features::relationships::BlocksAndMutes;
use crate::features::settings::Announcement;
use crate::platform::ids::Id;
use serde::Serialize;
use utoipa::ToSchema;

/// A short reference to a member.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberRef {
    /// Id of the member.
    pub id: Id,
    /// Username without the @.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
    /// Display name.
    pub display_name: String,
    /// URL of the profile picture; null if there is none.
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
    /// Id of the member.
    pub id: Id,
    /// Username without the @.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
    /// Display name, 1 to 50 characters (grapheme clusters).
    pub display_name: String,
    /// Bio, at most 160 characters (grapheme clusters).
    #[schema(max_length = 1920, example = "Writes the first programs.")]
    pub bio: String,
    /// URL of the member's website with the scheme http or https, or empty.
    #[schema(max_length = 2000, pattern = "^(https?://.+)?$", example = "https://ada.example/")]
    pub website: String,
    /// URL of the profile picture; null if there is none.
    pub profile_image_url: Option<String>,
    /// URL of the header image; null if there is none.
    pub header_image_url: Option<String>,
    /// Time at which the member joined.
    pub created_at: String,
    /// Number of followers.
    pub follower_count: i64,
    /// Number of followed members.
    pub following_count: i64,
    /// Number of posts and replies.
    pub post_count: i64,
    /// Whether the viewer follows the member.
    pub is_following: bool,
    /// Whether the member follows the viewer.
    pub follows_you: bool,
    /// Blocks and mutes between the viewer and the member.
    #[serde(flatten)]
    pub kept_away: BlocksAndMutes,
    /// Member whose invite was used to join; null also if that member is hidden from the viewer.
    pub invited_by: Option<MemberRef>,
    /// Time of the member's suspension; null if the member is not suspended. Only moderators and admins can
    /// read profiles of suspended members.
    pub suspended_at: Option<String>,
}

/// The authenticated member.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// The public profile.
    #[serde(flatten)]
    pub user: User,
    /// Email address that login links are sent to; null for a founder who has not set one yet.
    #[schema(example = "ada@example.org")]
    pub email: Option<String>,
    /// Number of invite codes that the member can create now.
    pub invites_available: i64,
    /// Whether a moderator has frozen the member's invites: no codes can be created, and existing ones cannot
    /// be used.
    pub invites_frozen: bool,
    /// Number of unread notifications, counted up to 1,000.
    pub unread_notification_count: i64,
    /// Number of notices from the moderators, answers to objections and outcomes of own reports that are unread.
    #[schema(minimum = 0, example = 1)]
    pub unread_notices: i64,
    /// Role of the member.
    #[schema(value_type = Role)]
    pub role: &'static str,
    /// Whether the username is the provisional one assigned at sign-up.
    pub username_is_provisional: bool,
    /// Newest version of the rules that the member agreed to; 0 for none.
    #[schema(minimum = 0, example = 1)]
    pub accepted_rules_version: i64,
    /// Announcement of the operator; null if there is none.
    pub announcement: Option<Announcement>,
    /// Time of the scheduled deletion of the account; null if there is none.
    #[schema(
        format = "date-time",
        min_length = 24,
        max_length = 24,
        example = "2026-11-28T09:30:00.000Z"
    )]
    pub deletion_at: Option<String>,
}
