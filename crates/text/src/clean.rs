//! Texts as they are stored, and their length.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// Returns a text as it is stored: normal form C without control and direction characters, trimmed, with at most two
/// line breaks in a row.
#[must_use]
pub fn clean(typed: &str) -> String {
    let mut out = String::with_capacity(typed.len());
    let mut breaks = 0;
    let lines = typed.replace("\r\n", "\n").replace('\r', "\n");
    // Remove characters before composing, because their neighbours may compose.
    for c in lines.chars().filter(|c| !is_removed(*c)).nfc() {
        breaks = if c == '\n' { breaks + 1 } else { 0 };
        if breaks <= 2 {
            out.push(c);
        }
    }
    out.trim().to_owned()
}

/// Returns a text as it is stored in a field of one line: [`clean`]ed, each run of white space as one space.
#[must_use]
pub fn clean_line(typed: &str) -> String {
    clean(typed).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a character is removed: control characters except line break and tab, and characters that change
/// the direction of text.
fn is_removed(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Invisible characters that Unicode counts as visible: blank Braille, a musical null notehead, a Khitan filler.
const BLANK_LETTERS: [char; 3] = ['\u{2800}', '\u{1d159}', '\u{16fe4}'];

/// Returns whether a text has no visible character.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Returns whether a character other than white space is invisible.
pub(crate) fn is_invisible(c: char) -> bool {
    BLANK_LETTERS.contains(&c) || is_ignorable(c)
}

/// Returns the Unicode category of a character: letter, mark, punctuation and so on.
pub(crate) fn category(c: char) -> GeneralCategory {
    CodePointMapData::new().get(c)
}

/// Returns the length in grapheme clusters, which people call characters.
#[must_use]
pub fn length(text: &str) -> usize {
    text.graphemes(true).count()
}

/// Returns whether Unicode defines a character as ignorable for display.
pub(crate) fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: post-clean
    #[test]
    fn dangerous_and_superfluous_characters_are_removed() {
        assert_eq!(clean("  a\u{0}b\u{202e}c \r\n\r\n\r\n\r\nd\t"), "abc \n\nd");
        assert_eq!(clean("e\u{301}"), "é");
        assert_eq!(clean("e\u{0}\u{301}"), "é");
        assert_eq!(clean_line(" a \n b "), "a b");
    }

    /// proves: text-invisible
    #[test]
    fn invisible_text_is_blank() {
        assert!(is_blank("\u{200b}\u{2060} \n"));
        assert!(!is_blank("\u{200b}a"));
    }
}
