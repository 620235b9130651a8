//! Response bodies of invites.

use crate::features::members::MemberRef;
use crate::platform::ids::Id;
use serde::Serialize;
use utoipa::ToSchema;

/// An invite code of mine.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invite {
    /// Its id.
    pub id: Id,
    /// 12 characters to hand to a friend.
    #[schema(
        min_length = 12,
        max_length = 12,
        pattern = "^[0-9A-Z]+$",
        example = "K7QXM3TD9WBE"
    )]
    pub code: String,
    /// Whether a friend joined with it.
    pub is_used: bool,
    /// When it stops working.
    pub expires_at: String,
    /// When it was made.
    pub created_at: String,
    /// When the friend joined.
    pub used_at: Option<String>,
    /// The friend.
    pub used_by: Option<MemberRef>,
}
