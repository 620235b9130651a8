//! Why something is shown that the reader did not ask for.

use serde::Serialize;
use utoipa::ToSchema;

/// A reason: a name for a program and a sentence for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reason {
    /// `own`, `following`, `followed_by`, `follows_you`, `popular` or `new`.
    #[schema(min_length = 3, max_length = 20, example = "followed_by")]
    pub code: &'static str,
    /// The sentence; it may name somebody as they call themselves.
    #[schema(
        min_length = 1,
        max_length = 700,
        example = "Followed by Ada, who you follow"
    )]
    pub message: String,
}

impl Reason {
    /// A reason of that name.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}
