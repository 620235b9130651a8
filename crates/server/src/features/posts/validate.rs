//! Validates the text, images and poll of a new post.

use crate::http::error::{ApiError, Result};
use crate::http::text_limits;
use crate::platform::clock::{MINUTE, Millis};

/// Maximum characters (grapheme clusters) of a post.
const MAX_POST_CHARS: usize = 500;
/// Maximum bytes of a post: one grapheme cluster can have any number of bytes.
const MAX_POST_BYTES: usize = 5_000;
/// Number of options of a poll.
const OPTION_COUNT: std::ops::RangeInclusive<usize> = 2..=4;
/// Maximum characters of a poll option.
pub(super) const MAX_OPTION_CHARS: usize = 50;
pub(super) const OPTION_COUNT_MESSAGE: &str = "A poll needs 2 to 4 options.";
pub(super) const OPTION_LENGTH_MESSAGE: &str = "A poll option can have at most 50 characters.";
/// Maximum images of a post.
const MAX_IMAGES: usize = 4;
/// Maximum characters of an image description.
const MAX_ALT_CHARS: usize = 1_000;
/// Maximum bytes of an image description.
const MAX_ALT_BYTES: usize = MAX_POST_BYTES;
/// Maximum bytes of all options of a poll together.
const MAX_POLL_BYTES: usize = MAX_POST_BYTES;
const ALT_LENGTH_MESSAGE: &str = "The description of an image can have at most 1,000 characters.";
pub(super) const ALT_COUNT_MESSAGE: &str = "There are more descriptions than images.";
/// Duration of a poll, in minutes: five minutes to seven days.
const POLL_MINUTES: std::ops::RangeInclusive<i64> = 5..=10_080;
/// Default duration of a poll, in minutes.
const DEFAULT_POLL_MINUTES: i64 = 1_440;

/// Error message for a post without visible text.
pub(crate) const EMPTY_POST_MESSAGE: &str = "Write something before you post.";

/// Cleans and validates the text of a post.
pub(super) fn check_text(text: &str) -> Result<String> {
    let content = kith_text::clean(text);
    if kith_text::is_blank(&content) {
        return Err(blank());
    }
    if kith_text::length(&content) > MAX_POST_CHARS {
        return Err(too_long());
    }
    if content.len() > MAX_POST_BYTES {
        return Err(text_limits::text_too_large("content"));
    }
    Ok(content)
}

pub(super) fn blank() -> ApiError {
    ApiError::invalid_field("content", EMPTY_POST_MESSAGE)
}

pub(super) fn too_long() -> ApiError {
    ApiError::invalid_field("content", "A post can have at most 500 characters.")
}

/// Builds the error about the poll options.
pub(super) fn bad_options(message: &'static str) -> ApiError {
    ApiError::invalid_field("pollOptions", message)
}

pub(super) fn bad_duration() -> ApiError {
    let message = "A poll can last 5 minutes to 7 days.";
    ApiError::invalid_field("pollDurationMinutes", message)
}

/// Rejects oversized input before anything else processes it.
pub(super) fn check_bounds(text: &str, options: &[String], minutes: Option<i64>) -> Result<()> {
    if text.chars().count() > MAX_POST_BYTES {
        return Err(text_limits::text_too_large("content"));
    }
    if options.len() > *OPTION_COUNT.end() {
        return Err(bad_options(OPTION_COUNT_MESSAGE));
    }
    for option in options {
        text_limits::check_code_points("pollOptions", option, MAX_OPTION_CHARS)?;
    }
    if minutes.is_some_and(|minutes| !POLL_MINUTES.contains(&minutes)) {
        return Err(bad_duration());
    }
    Ok(())
}

pub(super) fn too_many_images() -> ApiError {
    ApiError::invalid_field("imageUrls", "A post can have at most 4 images.")
}

/// Builds the error about the image descriptions.
pub(super) fn bad_alts(message: &'static str) -> ApiError {
    ApiError::invalid_field("imageAlts", message)
}

/// Cleans and validates image descriptions. Returns one per URL, empty where the request has none.
pub(super) fn check_images(urls: &[String], alts: &[Option<String>]) -> Result<Vec<String>> {
    if urls.len() > MAX_IMAGES {
        return Err(too_many_images());
    }
    if alts.len() > urls.len() {
        return Err(bad_alts(ALT_COUNT_MESSAGE));
    }
    let alt = |index| alts.get(index).and_then(Option::as_deref).unwrap_or_default();
    (0..urls.len()).map(|index| check_alt(alt(index))).collect()
}

fn check_alt(text: &str) -> Result<String> {
    text_limits::check_code_points("imageAlts", text, MAX_ALT_CHARS)?;
    let alt = kith_text::clean(text);
    text_limits::check_length("imageAlts", &alt, MAX_ALT_CHARS, ALT_LENGTH_MESSAGE)?;
    if alt.len() > MAX_ALT_BYTES {
        return Err(text_limits::text_too_large("imageAlts"));
    }
    Ok(if kith_text::is_blank(&alt) { String::new() } else { alt })
}

/// A validated poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewPoll {
    pub(super) options: Vec<String>,
    pub(super) expires_at: Millis,
}

/// Validates a poll. Drops blank options; `None` when no option is left.
pub(super) fn check_poll(
    options: &[String],
    minutes: Option<i64>,
    now: Millis,
) -> Result<Option<NewPoll>> {
    let options = options
        .iter()
        .map(|option| kith_text::clean_line(option))
        .filter(|option| !kith_text::is_blank(option))
        .collect::<Vec<_>>();
    if options.is_empty() {
        return Ok(None);
    }
    if !OPTION_COUNT.contains(&options.len()) {
        return Err(bad_options(OPTION_COUNT_MESSAGE));
    }
    for option in &options {
        text_limits::check_length("pollOptions", option, MAX_OPTION_CHARS, OPTION_LENGTH_MESSAGE)?;
    }
    if options.iter().map(String::len).sum::<usize>() > MAX_POLL_BYTES {
        return Err(text_limits::text_too_large("pollOptions"));
    }
    let mut case_folded = options
        .iter()
        // Uppercase first, to unify letters with two lowercase forms: ς and σ, ß and ss.
        .map(|option| option.to_uppercase().to_lowercase())
        .collect::<Vec<_>>();
    case_folded.sort_unstable();
    if case_folded.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(bad_options("The options of a poll must differ."));
    }
    let minutes = minutes.unwrap_or(DEFAULT_POLL_MINUTES);
    if !POLL_MINUTES.contains(&minutes) {
        return Err(bad_duration());
    }
    Ok(Some(NewPoll { options, expires_at: now + minutes * MINUTE }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: post-length, post-bytes, post-blank
    #[test]
    fn a_text_has_at_most_500_characters_and_5000_bytes() {
        assert!(check_text(&"a".repeat(500)).is_ok());
        assert!(check_text(&"é".repeat(500)).is_ok());
        assert!(check_text(&"a".repeat(501)).is_err());
        assert!(check_text(&"👩‍👩‍👧‍👦".repeat(201)).is_err(), "too many bytes");
        for blank in ["", "  \n", "\u{200b}", "\u{202e}"] {
            assert!(check_text(blank).is_err());
        }
    }

    /// proves: poll-options, poll-option-length, poll-distinct, poll-blank
    #[test]
    fn a_poll_has_two_to_four_different_options() {
        let poll = |options: &[&str]| {
            check_poll(&options.iter().map(|&text| text.to_owned()).collect::<Vec<_>>(), None, 0)
        };
        assert_eq!(poll(&[]), Ok(None));
        assert_eq!(poll(&["", " "]), Ok(None));
        assert!(
            poll(&["a", "", "b "])
                .is_ok_and(|poll| poll.is_some_and(|poll| poll.options == ["a", "b"]))
        );
        let large = ["a", "b", "c"].map(|first| first.to_owned() + &"👨🏻‍👩🏻‍👧🏻‍👦🏻".repeat(49));
        assert!(poll(&[&large[0], &large[1]]).is_ok());
        assert!(poll(&large.each_ref().map(String::as_str)).is_err(), "too many bytes");
        for bad in [
            &["a"][..],
            &["a", "A"],
            &["Straße", "STRASSE"],
            &["οδοσ", "ΟΔΟΣ"],
            &["a", "b", "c", "d", "e"],
            &["a", &"x".repeat(51)],
        ] {
            assert!(poll(bad).is_err(), "{bad:?}");
        }
        assert!(check_poll(&["a".into(), "b".into()], Some(4), 0).is_err());
    }
}
