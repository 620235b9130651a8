//! Finding the #tags in a text.
//!
//! Conforms to the cases that twitter-text publishes, with these differences on
//! purpose: a tag neither begins nor ends with a middle dot or a joiner, and never
//! takes a part of an emoji; marks alone are no letters; the full-width underscore and
//! the half-width middle dot count as their usual forms; and a tag that is longer than
//! can be listed is none. Emoji and hyphens are no part of a tag.

use crate::clean::{category, clean, length};
use crate::fold::fold;
use crate::links;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// At most so many tags of a text are found.
const MAX_HASHTAGS: usize = 30;
/// Grapheme clusters of a folded tag.
const MAX_LENGTH: usize = 100;
/// Bytes of a folded tag: a grapheme cluster can have any number of marks.
const MAX_BYTES: usize = 500;

/// A hashtag in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hashtag {
    /// The tag without the #, in the form in which tags are compared and listed.
    #[schema(min_length = 1, max_length = 500, example = "webdev")]
    pub tag: String,
    /// Start of the #, in UTF-16 units.
    pub start: usize,
    /// End of the tag, in UTF-16 units.
    pub end: usize,
}

/// Finds every `#tag` that is a word of its own: not a part of another word or a URL.
#[must_use]
pub fn find_hashtags(text: &str) -> Vec<Hashtag> {
    let chars = text.chars().collect::<Vec<_>>();
    let in_url = links::inside(&chars);
    let mut found = Vec::new();
    let mut units = 0;
    for (i, c) in chars.iter().enumerate() {
        if found.len() == MAX_HASHTAGS {
            break;
        }
        let free = i == 0 || !(is_tag_char(chars[i - 1]) || chars[i - 1] == '&');
        if is_hash(*c) && !in_url[i] && free {
            let written = written(&chars[i + 1..]);
            if let Some(tag) = stored(written) {
                let length = written.iter().map(|c| c.len_utf16()).sum::<usize>();
                found.push(Hashtag {
                    tag,
                    start: units,
                    end: units + 1 + length,
                });
            }
        }
        units += c.len_utf16();
    }
    found
}

/// Returns the stored form of a tag that was typed with or without #, or `None` if it is no tag.
#[must_use]
pub fn normalize_hashtag(typed: &str) -> Option<String> {
    // Folding a text costs more than any tag is long.
    if typed.chars().count() > MAX_BYTES {
        return None;
    }
    let typed = clean(typed);
    let chars = typed
        .strip_prefix(is_hash)
        .unwrap_or(&typed)
        .chars()
        .collect::<Vec<_>>();
    (written(&chars).len() == chars.len())
        .then(|| stored(&chars))
        .flatten()
}

const fn is_hash(c: char) -> bool {
    matches!(c, '#' | '＃')
}

/// The characters after a # that are its tag, which may be none.
fn written(text: &[char]) -> &[char] {
    let mut tag = &text[..text.iter().take_while(|c| is_tag_char(**c)).count()];
    let rest = &text[tag.len()..];
    if matches!(rest, ['#' | '＃', ..] | [':', '/', '/', ..])
        || tag.first().is_some_and(|c| is_joint(*c) || is_mark(*c))
    {
        return &[];
    }
    // What turns the character before it into an emoji takes that character along.
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

/// A written tag folded, if that is a tag still: not only digits, not too long.
fn stored(written: &[char]) -> Option<String> {
    let tag = fold(&written.iter().collect::<String>());
    let tag = tag.trim_matches(is_joint);
    let fits = tag.len() <= MAX_BYTES
        && tag.chars().all(is_tag_char)
        && tag.chars().any(is_letter)
        && !tag.starts_with(is_mark)
        && length(tag) <= MAX_LENGTH;
    fits.then(|| tag.to_owned())
}

fn is_letter(c: char) -> bool {
    // The Hangul fillers are invisible letters.
    let filler = matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    !filler && GeneralCategoryGroup::Letter.contains(category(c))
}

/// An accent or a vowel sign, as opposed to what makes an emoji.
fn is_mark(c: char) -> bool {
    !is_presentation(c) && GeneralCategoryGroup::Mark.contains(category(c))
}

/// The selectors of text or emoji style, and enclosing marks such as a keycap.
fn is_presentation(c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}') || category(c) == GeneralCategory::EnclosingMark
}

/// What joins the parts of a tag and therefore neither begins nor ends one: middle
/// dots, and the joiners without width that Persian and Sinhala are spelled with.
const fn is_joint(c: char) -> bool {
    matches!(c, '·' | '・' | '\u{ff65}' | '\u{200c}' | '\u{200d}')
}

/// Letters, marks, decimal digits, and the punctuation that is part of words.
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
    fn a_tag_in_an_address_is_what_it_is_in_a_text() {
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
    fn a_tag_is_as_long_as_can_be_listed() {
        assert!(normalize_hashtag(&"é".repeat(100)).is_some());
        assert_eq!(normalize_hashtag(&"a".repeat(101)), None);
        assert!(normalize_hashtag(&"漢".repeat(100)).is_some());
        assert_eq!(normalize_hashtag(&"नी".repeat(100)), None, "600 bytes");
        assert_eq!(find_hashtags(&format!("#{}", "a".repeat(101))), []);
    }

    /// proves: bound-hashtags
    #[test]
    fn thirty_at_most() {
        assert_eq!(find_hashtags(&"#tag ".repeat(40)).len(), 30);
    }
}
