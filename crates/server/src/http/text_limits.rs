//! How long and how large texts may be.

use crate::http::error::{ApiError, Result};
use kith_text::length;

/// Average code points of a grapheme cluster: enough for family emoji, too few for many marks on each letter.
const CODE_POINTS_PER_CHARACTER: usize = 12;

/// Rejects a text of more than `characters` grapheme clusters with `sentence`, or with one about its size if it is too large
/// for so many.
pub fn check_size(
    field: &'static str,
    text: &str,
    characters: usize,
    sentence: &'static str,
) -> Result<()> {
    if length(text) > characters {
        return Err(ApiError::invalid(field, sentence));
    }
    check_room(field, text, characters)
}

/// Rejects a text, as sent or cleaned, that is too large for `characters` grapheme clusters.
pub fn check_room(field: &'static str, text: &str, characters: usize) -> Result<()> {
    if text.chars().count() > CODE_POINTS_PER_CHARACTER * characters {
        return Err(takes_too_much(field));
    }
    Ok(())
}

/// The error for a text whose few characters are too large.
pub(crate) fn takes_too_much(field: &'static str) -> ApiError {
    let sentence = "This text is too large to save. Try fewer emoji or combining marks.";
    ApiError::invalid(field, sentence)
}
