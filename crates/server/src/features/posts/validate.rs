//! The rules for what a post may hold.

use crate::http::error::{ApiError, Result};
use crate::http::text_limits;
use crate::platform::clock::{MINUTE, Millis};

/// Characters, as a person counts them.
const LONGEST: usize = 500;
/// Bytes: a grapheme can be piled arbitrarily high.
const LARGEST: usize = 5_000;
/// Options of a poll.
const OPTIONS: std::ops::RangeInclusive<usize> = 2..=4;
/// Characters of one option.
pub(super) const LONGEST_OPTION: usize = 50;
pub(super) const HOW_MANY: &str = "A poll needs 2 to 4 options.";
pub(super) const HOW_LONG: &str = "A poll option can have at most 50 characters.";
/// Images of a post.
const IMAGES: usize = 4;
/// Characters of what is said of an image.
const LONGEST_ALT: usize = 1_000;
/// Bytes of one, as many as a whole post has.
const LARGEST_ALT: usize = LARGEST;
/// Bytes of all options of a poll.
const LARGEST_POLL: usize = LARGEST;
const LONG_ALT: &str = "The description of an image can have at most 1,000 characters.";
pub(super) const HOW_MANY_ALTS: &str = "There are more descriptions than images.";
/// Five minutes to seven days.
const MINUTES: std::ops::RangeInclusive<i64> = 5..=10_080;
/// A day, unless the author says otherwise.
const POLL_MINUTES: i64 = 1_440;

/// A post without anything to see.
pub(crate) const NOTHING_WRITTEN: &str = "Write something before you post.";

/// The text of a post, cleaned, or the sentence that says what is wrong with it.
pub(super) fn check_text(typed: &str) -> Result<String> {
    let content = kith_text::clean(typed);
    if kith_text::is_blank(&content) {
        return Err(blank());
    }
    if kith_text::length(&content) > LONGEST {
        return Err(too_long());
    }
    if content.len() > LARGEST {
        return Err(text_limits::takes_too_much("content"));
    }
    Ok(content)
}

pub(super) fn blank() -> ApiError {
    ApiError::invalid("content", NOTHING_WRITTEN)
}

pub(super) fn too_long() -> ApiError {
    ApiError::invalid("content", "A post can have at most 500 characters.")
}

/// Something about the options; the sentence says what.
pub(super) fn bad_options(sentence: &'static str) -> ApiError {
    ApiError::invalid("pollOptions", sentence)
}

pub(super) fn bad_duration() -> ApiError {
    let sentence = "A poll can last 5 minutes to 7 days.";
    ApiError::invalid("pollDurationMinutes", sentence)
}

/// Refuses what no post, reply or repost can hold, before anything is made of it.
pub(super) fn check_bounds(typed: &str, options: &[String], minutes: Option<i64>) -> Result<()> {
    if typed.chars().count() > LARGEST {
        return Err(text_limits::takes_too_much("content"));
    }
    if options.len() > *OPTIONS.end() {
        return Err(bad_options(HOW_MANY));
    }
    for option in options {
        text_limits::check_room("pollOptions", option, LONGEST_OPTION)?;
    }
    if minutes.is_some_and(|minutes| !MINUTES.contains(&minutes)) {
        return Err(bad_duration());
    }
    Ok(())
}

pub(super) fn too_many_images() -> ApiError {
    ApiError::invalid("imageUrls", "A post can have at most 4 images.")
}

/// Something about the descriptions of images; the sentence says what.
pub(super) fn bad_alts(sentence: &'static str) -> ApiError {
    ApiError::invalid("imageAlts", sentence)
}

/// What the images show, cleaned: one text for each address, empty where nothing was said.
pub(super) fn check_images(urls: &[String], alts: &[Option<String>]) -> Result<Vec<String>> {
    if urls.len() > IMAGES {
        return Err(too_many_images());
    }
    if alts.len() > urls.len() {
        return Err(bad_alts(HOW_MANY_ALTS));
    }
    let said = |at| alts.get(at).and_then(Option::as_deref).unwrap_or_default();
    (0..urls.len()).map(|at| check_alt(said(at))).collect()
}

fn check_alt(typed: &str) -> Result<String> {
    text_limits::check_room("imageAlts", typed, LONGEST_ALT)?;
    let alt = kith_text::clean(typed);
    text_limits::check_size("imageAlts", &alt, LONGEST_ALT, LONG_ALT)?;
    if alt.len() > LARGEST_ALT {
        return Err(text_limits::takes_too_much("imageAlts"));
    }
    Ok(if kith_text::is_blank(&alt) {
        String::new()
    } else {
        alt
    })
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
        .map(|option| kith_text::clean_line(option))
        .filter(|option| !kith_text::is_blank(option))
        .collect::<Vec<_>>();
    if options.is_empty() {
        return Ok(None);
    }
    let refuse = |sentence| Err(bad_options(sentence));
    if !OPTIONS.contains(&options.len()) {
        return refuse(HOW_MANY);
    }
    for option in &options {
        text_limits::check_size("pollOptions", option, LONGEST_OPTION, HOW_LONG)?;
    }
    if options.iter().map(String::len).sum::<usize>() > LARGEST_POLL {
        return Err(text_limits::takes_too_much("pollOptions"));
    }
    let mut folded = options
        .iter()
        // By way of upper case, for letters that have two lower ones: ς and σ, ß and ss.
        .map(|option| option.to_uppercase().to_lowercase())
        .collect::<Vec<_>>();
    folded.sort_unstable();
    if folded.windows(2).any(|pair| pair[0] == pair[1]) {
        return refuse("The options of a poll must differ.");
    }
    let minutes = minutes.unwrap_or(POLL_MINUTES);
    if !MINUTES.contains(&minutes) {
        return Err(bad_duration());
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
        let large = ["a", "b", "c"].map(|first| first.to_owned() + &"👨🏻‍👩🏻‍👧🏻‍👦🏻".repeat(49));
        assert!(poll(&[&large[0], &large[1]]).is_ok());
        assert!(
            poll(&large.each_ref().map(String::as_str)).is_err(),
            "too many bytes"
        );
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
