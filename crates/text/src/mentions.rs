//! Extraction of @names from a text.
//!
//! Conforms to twitter-text's published cases, with intentional differences: a name has 3 to 20 characters and longer
//! ones are not cut; there are no lists; `@ada.example.org` belongs to another network; an @ after an accented Latin
//! letter, in a URL, or after a slash is part of the text, except in `@ada/@bob`; a combining mark at the
//! end invalidates a name.

use crate::clean::category;
use crate::links;
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategoryGroup, Script};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A member named in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Mention {
    /// Username in lower case, without the @.
    #[schema(pattern = "^[a-z0-9_]+$")]
    pub username: String,
    /// Start of the @, in UTF-16 units.
    #[schema(example = 6)]
    pub start: usize,
    /// End of the name, in UTF-16 units.
    #[schema(example = 10)]
    pub end: usize,
}

/// Maximum number of mentions per text; later ones are ignored.
const MAX_MENTIONS: usize = 50;

/// Finds every `@name` that is a separate word: not a part of another word, a URL or a path. Does not check whether
/// members exist.
#[must_use]
pub fn find_mentions(text: &str) -> Vec<Mention> {
    let chars = text.chars().collect::<Vec<_>>();
    let in_url = links::mark_urls(&chars);
    let mut found = Vec::<Mention>::new();
    let mut utf16_offset = 0;
    for (i, c) in chars.iter().enumerate() {
        if found.len() == MAX_MENTIONS {
            break;
        }
        if is_at(*c) && !in_url[i] {
            let follows_mention = found.last().is_some_and(|last| last.end + 1 == utf16_offset);
            if can_begin_name(&chars[..i], follows_mention)
                && let Some(name) = take_name(&chars[i + 1..])
            {
                found.push(Mention {
                    start: utf16_offset,
                    end: utf16_offset + 1 + name.len(),
                    username: name,
                });
            }
        }
        utf16_offset += c.len_utf16();
    }
    found
}

const fn is_at(c: char) -> bool {
    matches!(c, '@' | '＠')
}

const fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns whether an @ can begin a name after a text. `follows_mention`: a mention ends before the last character,
/// as in `@ada/@bob`.
fn can_begin_name(before: &[char], follows_mention: bool) -> bool {
    match before {
        [] => true,
        [.., '/'] => follows_mention,
        [.., c] if !is_attached(*c) => true,
        // Manual reposts: RT@ada.
        [head @ .., 'r' | 'R', 't' | 'T'] => !head.last().is_some_and(|c| {
            is_name_char(*c) || matches!(c, '+' | '~' | '.' | '-') || is_accented(*c)
        }),
        _ => false,
    }
}

/// Returns whether a character before an @ makes it part of something else.
fn is_attached(c: char) -> bool {
    is_name_char(c)
        || is_at(c)
        || matches!(c, '!' | '#' | '＃' | '$' | '%' | '&' | '*')
        || is_accented(c)
}

/// Returns whether a character is a Latin letter beyond ASCII, or an accent on one. Full-width letters of East Asian
/// text are not: words do not continue after them.
fn is_accented(c: char) -> bool {
    let full_width = matches!(c, '\u{ff21}'..='\u{ff5a}');
    !c.is_ascii()
        && !full_width
        && (matches!(c, '\u{300}'..='\u{36f}')
            || CodePointMapData::<Script>::new().get(c) == Script::Latin)
}

/// Returns the name at the start of a text, in lower case; `None` if it is invalid.
fn take_name(text: &[char]) -> Option<String> {
    let name =
        text.iter().take_while(|c| is_name_char(**c)).collect::<String>().to_ascii_lowercase();
    let rest = &text[name.len()..];
    let is_continued = match rest {
        [] => false,
        [':', '/', '/', ..] => true,
        [c, ..] => is_at(*c) || is_accented(*c) || is_mark(*c),
    };
    ((3..=20).contains(&name.len()) && !is_continued && !is_domain(rest)).then_some(name)
}

fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(category(c))
}

/// Returns whether a name continues as `.example.org` or `-smith.example.org`, a handle of another network. `@ada.Yes`
/// is a sentence that lacks a space.
fn is_domain(rest: &[char]) -> bool {
    let suffix = rest
        .iter()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))
        .collect::<String>();
    let labels = suffix
        .split('.')
        .skip(1)
        .take_while(|label| !label.is_empty())
        .map(|label| label.trim_matches('-'))
        .collect::<Vec<_>>();
    labels.last().is_some_and(|last| {
        last.starts_with("xn--")
            || last.len() >= 2
                && last
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || labels.len() >= 2 && c.is_ascii_uppercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        find_mentions(text).into_iter().map(|found| found.username).collect()
    }

    #[test]
    fn names_are_separate_words() {
        assert_eq!(
            names("@ada, @Bob_1! (@eve) 「@kim」 ＠lin's"),
            ["ada", "bob_1", "eve", "kim", "lin"]
        );
        assert_eq!(names("你好@ada你好"), ["ada"]);
        for none in [
            "a@ada.org",
            "ada@bob",
            "@ab",
            "@aaaaaaaaaaaaaaaaaaaaa",
            "@@ada",
            "x/@ada",
            "@ada@example.org",
            "@ada.example.org",
        ] {
            assert_eq!(names(none), Vec::<String>::new(), "{none}");
        }
        assert_eq!(names("by @ada. Yes"), ["ada"]);
    }

    /// proves: entity-post-mentions
    #[test]
    fn positions_are_utf_16() {
        let found = find_mentions("👋 @ada");
        assert_eq!((found[0].start, found[0].end), (3, 7));
    }

    /// proves: mention-most
    #[test]
    fn a_text_has_at_most_fifty_names() {
        assert_eq!(find_mentions(&"@ada ".repeat(60)).len(), 50);
    }
}
