//! Roles of members.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

// The discriminants are stored.
/// Role of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// No additional permissions.
    Member = 0,
    /// Removes posts and suspends members.
    Moderator = 1,
    /// All permissions.
    Admin = 2,
}

impl Role {
    /// Returns the wire name of a stored role.
    #[must_use]
    pub const fn name(stored: i64) -> &'static str {
        Self::from_stored(stored).as_str()
    }

    /// Parses a stored role; unknown numbers are `Member`.
    #[must_use]
    pub const fn from_stored(stored: i64) -> Self {
        match stored {
            1 => Self::Moderator,
            2 => Self::Admin,
            _ => Self::Member,
        }
    }

    /// Returns the wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Moderator => "moderator",
            Self::Admin => "admin",
        }
    }
}
