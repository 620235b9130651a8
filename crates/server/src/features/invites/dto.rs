//! Response bodies of invites.

use crate::features::members::MemberRef;
use crate::platform::ids::Id;
use serde::Serialize;
use utoipa::ToSchema;

/// An invite code of the authenticated member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invite {
    /// Id of the invite.
    pub id: Id,
    /// Code of 12 characters.
    #[schema(min_length = 12, max_length = 12, pattern = "^[0-9A-Z]+$", example = "K7QXM3TD9WBE")]
    pub code: String,
    /// Whether a member has joined with the code.
    pub is_used: bool,
    /// Time at which the code expires.
    pub expires_at: String,
    /// Time of creation.
    pub created_at: String,
    /// Time at which the invited member joined; null if the code is unused.
    pub used_at: Option<String>,
    /// Member who joined with the code; null if it is unused.
    pub used_by: Option<MemberRef>,
}
