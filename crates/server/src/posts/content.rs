//! The rules for what a post may hold.

use crate::clock::{MINUTE, Millis};
use crate::error::{ApiError, Result};
use crate::text;

/// Characters, as a person counts them.
const LONGEST: usize = 500;
/// Bytes: a grapheme can be piled arbitrarily high.
const LARGEST: usize = 5_000;
/// Options of a poll.
const OPTIONS: std::ops::RangeInclusive<usize> = 2..=4;
/// Characters of one option.
const LONGEST_OPTION: usize = 50;
/// Bytes of one option: room for 50 of the largest emoji.
const LARGEST_OPTION: usize = 2_400;
/// A day, unless the author says otherwise.
const POLL_MINUTES: i64 = 1_440;

/// The text of a post, cleaned, or the sentence that says what is wrong with it.
pub(super) fn check_text(typed: &str) -> Result<String> {
    let content = text::clean(typed);
    if text::is_blank(&content) {
        return Err(ApiError::invalid(
            "content",
            "Write something before you post.",
        ));
    }
    let sentence = "A post can have at most 500 characters.";
    text::check_size("content", &content, LONGEST, LARGEST, sentence)?;
    Ok(content)
}

/// A poll to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewPoll {
    pub(super) options: Vec<String>,
    pub(super) expires_at: Millis,
}

/// A poll from what was sent; blank options are dropped, and none at all is no poll.
pub(super) fn check_poll(
    sent: &[String],
    minutes: Option<i64>,
    now: Millis,
) -> Result<Option<NewPoll>> {
    let options = sent
        .iter()
        .map(|option| text::clean_line(option))
        .filter(|option| !text::is_blank(option))
        .collect::<Vec<_>>();
    if options.is_empty() {
        return Ok(None);
    }
    let refuse = |sentence: &'static str| Err(ApiError::invalid("pollOptions", sentence));
    if !OPTIONS.contains(&options.len()) {
        return refuse("A poll needs 2 to 4 options.");
    }
    for option in &options {
        let sentence = "A poll option can have at most 50 characters.";
        text::check_size(
            "pollOptions",
            option,
            LONGEST_OPTION,
            LARGEST_OPTION,
            sentence,
        )?;
    }
    let mut folded = options
        .iter()
        .map(|option| option.to_lowercase())
        .collect::<Vec<_>>();
    folded.sort_unstable();
    if folded.windows(2).any(|pair| pair[0] == pair[1]) {
        return refuse("The options of a poll must differ.");
    }
    let minutes = minutes.unwrap_or(POLL_MINUTES);
    if !(5..=10_080).contains(&minutes) {
        return Err(ApiError::invalid(
            "pollDurationMinutes",
            "A poll can last 5 minutes to 7 days.",
        ));
    }
    Ok(Some(NewPoll {
        options,
        expires_at: now + minutes * MINUTE,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: post-length, post-bytes, post-blank
    #[test]
    fn five_hundred_of_anything_fit() {
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
            check_poll(
                &options
                    .iter()
                    .map(|&text| text.to_owned())
                    .collect::<Vec<_>>(),
                None,
                0,
            )
        };
        assert_eq!(poll(&[]), Ok(None));
        assert_eq!(poll(&["", " "]), Ok(None));
        assert!(
            poll(&["a", "", "b "])
                .is_ok_and(|poll| poll.is_some_and(|poll| poll.options == ["a", "b"]))
        );
        for bad in [
            &["a"][..],
            &["a", "A"],
            &["a", "b", "c", "d", "e"],
            &["a", &"x".repeat(51)],
        ] {
            assert!(poll(bad).is_err(), "{bad:?}");
        }
        assert!(check_poll(&["a".into(), "b".into()], Some(4), 0).is_err());
    }
}
