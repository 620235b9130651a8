//! Extraction of #tags from a text.
//!
//! Conforms to twitter-text's published cases, with intentional differences: a tag neither begins nor ends with a
//! middle dot or joiner and takes no part of an emoji; marks alone are not letters; the full-width underscore and the
//! half-width middle dot equal their usual forms; tags over the length limit are ignored. Emoji and hyphens end a tag.

use crate::clean::{category, clean, length};
use crate::fold::fold;
use crate::links;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum number of tags per text; later ones are ignored.
const MAX_HASHTAGS: usize = 30;
/// Maximum length of a folded tag in grapheme clusters.
const MAX_LENGTH: usize = 100;
/// Maximum length of a folded tag in bytes, since a grapheme cluster can have any number of marks.
const MAX_BYTES: usize = 500;

/// A hashtag in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hashtag {
    /// Normalized hashtag without the #.
    #[schema(min_length = 1, max_length = 500, example = "webdev")]
    pub tag: String,
    /// Start of the #, in UTF-16 units.
    pub start: usize,
    /// End of the tag, in UTF-16 units.
    pub end: usize,
}

/// Finds every `#tag` that is a separate word: not a part of another word or a URL.
#[must_use]
pub fn find_hashtags(text: &str) -> Vec<Hashtag> {
    let chars = text.chars().collect::<Vec<_>>();
    let in_url = links::mark_urls(&chars);
    let mut found = Vec::new();
    let mut utf16_offset = 0;
    for (i, c) in chars.iter().enumerate() {
        if found.len() == MAX_HASHTAGS {
            break;
        }
        let is_word_start = i == 0 || !(is_tag_char(chars[i - 1]) || chars[i - 1] == '&');
        if is_hash(*c) && !in_url[i] && is_word_start {
            let tag_chars = take_tag(&chars[i + 1..]);
            if let Some(tag) = fold_tag(tag_chars) {
                let length = tag_chars.iter().map(|c| c.len_utf16()).sum::<usize>();
                found.push(Hashtag { tag, start: utf16_offset, end: utf16_offset + 1 + length });
            }
        }
        utf16_offset += c.len_utf16();
    }
    found
}

/// Normalizes a tag typed with or without #; `None` if it is not a valid tag.
#[must_use]
pub fn normalize_hashtag(typed: &str) -> Option<String> {
    // Do not fold a text that is longer than any tag.
    if typed.chars().count() > MAX_BYTES {
        return None;
    }
    let typed = clean(typed);
    let chars = typed.strip_prefix(is_hash).unwrap_or(&typed).chars().collect::<Vec<_>>();
    (take_tag(&chars).len() == chars.len()).then(|| fold_tag(&chars)).flatten()
}

const fn is_hash(c: char) -> bool {
    matches!(c, '#' | '＃')
}

/// Returns the characters of the tag at the start of a text that follows a #; empty without a valid tag.
fn take_tag(text: &[char]) -> &[char] {
    let mut tag = &text[..text.iter().take_while(|c| is_tag_char(**c)).count()];
    let rest = &text[tag.len()..];
    if matches!(rest, ['#' | '＃', ..] | [':', '/', '/', ..])
        || tag.first().is_some_and(|c| is_joint(*c) || is_mark(*c))
    {
        return &[];
    }
    // A presentation selector makes the character before it an emoji, which is not part of the tag.
    if rest.first().is_some_and(|c| is_presentation(*c)) {
        let emoji = tag.iter().rposition(|c| !is_mark(*c)).unwrap_or(0);
        tag = &tag[..emoji];
    }
    while let [head @ .., last] = tag
        && is_joint(*last)
    {
        tag = head;
    }
    tag
}

/// Folds a tag; `None` if it has only digits or is too long.
fn fold_tag(tag: &[char]) -> Option<String> {
    let tag = fold(&tag.iter().collect::<String>());
    let tag = tag.trim_matches(is_joint);
    let is_valid = tag.len() <= MAX_BYTES
        && tag.chars().all(is_tag_char)
        && tag.chars().any(is_letter)
        && !tag.starts_with(is_mark)
        && length(tag) <= MAX_LENGTH;
    is_valid.then(|| tag.to_owned())
}

fn is_letter(c: char) -> bool {
    // Hangul fillers are invisible letters.
    let filler = matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    !filler && GeneralCategoryGroup::Letter.contains(category(c))
}

/// Returns whether a character is an accent or a vowel sign, rather than an emoji modifier.
fn is_mark(c: char) -> bool {
    !is_presentation(c) && GeneralCategoryGroup::Mark.contains(category(c))
}

/// Returns whether a character is a selector of text or emoji style, or an enclosing mark such as a keycap.
fn is_presentation(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}') || category(c) == GeneralCategory::EnclosingMark
}

/// Returns whether a character joins the parts of a tag, and cannot begin or end one: middle dots, and the zero-width
/// joiners of Persian and Sinhala.
const fn is_joint(c: char) -> bool {
    matches!(c, '·' | '・' | '\u{ff65}' | '\u{200c}' | '\u{200d}')
}

/// Returns whether a character can be part of a tag: letters, marks, decimal digits, and the punctuation of words.
fn is_tag_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    is_letter(c)
        || is_mark(c)
        || is_joint(c)
        || category(c) == GeneralCategory::DecimalNumber
        || matches!(
            c,
            // Underscore; Cyrillic kavyka; Hebrew maqaf, geresh, gershayim; Tibetan tsheg.
            '＿' | '\u{a67e}' | '\u{5be}' | '\u{5f3}' | '\u{5f4}' | '\u{f0b}' | '\u{f0c}'
            // Japanese dashes, voicing marks and the ditto mark.
            | '～' | '〜' | '゛' | '゜' | '゠' | '〃'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: tag-odd
    #[test]
    fn a_tag_in_a_url_is_normalized_like_in_a_text() {
        for (typed, stored) in [
            ("Rust", Some("rust")),
            ("#Rust", Some("rust")),
            ("＃ｒｕｓｔ", Some("rust")),
            (" #Café ", Some("cafe")),
            ("हिन्दी", Some("हिन्दी")),
            ("##rust", None),
            ("# rust", None),
            ("rust lang", None),
            ("rust-lang", None),
            ("rust·", None),
            ("2026", None),
            ("#", None),
            ("", None),
            ("#️⃣", None),
            ("\u{3164}", None),
        ] {
            assert_eq!(normalize_hashtag(typed).as_deref(), stored, "{typed}");
        }
    }

    /// proves: bound-hashtags
    #[test]
    fn a_tag_has_at_most_100_characters() {
        assert!(normalize_hashtag(&"é".repeat(100)).is_some());
        assert_eq!(normalize_hashtag(&"a".repeat(101)), None);
        assert!(normalize_hashtag(&"漢".repeat(100)).is_some());
        assert_eq!(normalize_hashtag(&"नी".repeat(100)), None, "600 bytes");
        assert_eq!(find_hashtags(&format!("#{}", "a".repeat(101))), []);
    }

    /// proves: bound-hashtags
    #[test]
    fn a_text_has_at_most_thirty_tags() {
        assert_eq!(find_hashtags(&"#tag ".repeat(40)).len(), 30);
    }
}
