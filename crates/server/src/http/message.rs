//! Response body with one message.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

/// A message about the result.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    /// Message for the member.
    #[schema(
        min_length = 1,
        max_length = 500,
        example = "We'll let you know when it's your turn."
    )]
    pub message: String,
}

impl Message {
    /// Creates a response body with a sentence.
    pub fn new(text: impl Into<String>) -> Json<Self> {
        Json(Self { message: text.into() })
    }
}
