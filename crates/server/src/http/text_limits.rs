//! Limits the length and size of texts.

use crate::http::error::{ApiError, Result};
use kith_text::length;

/// Allowed code points per grapheme cluster on average: enough for family emoji, too few for stacks of marks.
const MAX_CODE_POINTS_PER_CHARACTER: usize = 12;

/// Rejects a text of more than `characters` grapheme clusters with `sentence`, or one with too many code points.
pub fn check_length(
    field: &'static str,
    text: &str,
    characters: usize,
    sentence: &'static str,
) -> Result<()> {
    if length(text) > characters {
        return Err(ApiError::invalid_field(field, sentence));
    }
    check_code_points(field, text, characters)
}

/// Rejects a text with too many code points for `characters` grapheme clusters.
pub fn check_code_points(field: &'static str, text: &str, characters: usize) -> Result<()> {
    if text.chars().count() > MAX_CODE_POINTS_PER_CHARACTER * characters {
        return Err(text_too_large(field));
    }
    Ok(())
}

/// Builds the error for a text with too many code points per character.
pub(crate) fn text_too_large(field: &'static str) -> ApiError {
    let sentence = "This text is too large to save. Try fewer emoji or combining marks.";
    ApiError::invalid_field(field, sentence)
}
