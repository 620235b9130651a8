//! Reasons for recommended posts and suggested members.

use serde::Serialize;
use utoipa::ToSchema;

/// A reason with a code for programs and a message for the member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reason {
    /// `own`, `following`, `followed_by`, `follows_you`, `popular` or `new`.
    #[schema(min_length = 3, max_length = 20, example = "followed_by")]
    pub code: &'static str,
    /// Message for the member; may contain the display name of another member.
    #[schema(min_length = 1, max_length = 700, example = "Followed by Ada, who you follow")]
    pub message: String,
    /// Display name of the member in the message; null if it names none.
    #[schema(max_length = 500, example = "Ada")]
    pub name: Option<String>,
    /// Number of further members in the message; null for posts.
    #[schema(minimum = 0, example = 2)]
    pub others: Option<i64>,
}

impl Reason {
    /// Creates a reason.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), name: None, others: None }
    }

    /// Adds the member named in the message.
    pub(crate) fn with_name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }
}
