//! What members write, made safe and counted as they count it.

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Normal form C, without control and direction-override characters, trimmed.
/// Line breaks and tabs stay; three or more line breaks become two.
#[must_use]
pub fn clean(typed: &str) -> String {
    let mut out = String::with_capacity(typed.len());
    let mut breaks = 0;
    let lines = typed.replace("\r\n", "\n").replace('\r', "\n");
    // First out with what is refused: what stood around it may compose.
    for c in lines.chars().filter(|c| !is_refused(*c)).nfc() {
        breaks = if c == '\n' { breaks + 1 } else { 0 };
        if breaks <= 2 {
            out.push(c);
        }
    }
    out.trim().to_owned()
}

/// The same for a text of one line.
#[must_use]
pub fn clean_line(typed: &str) -> String {
    clean(typed)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Control characters (but line break and tab), and the marks that can make a
/// text read in another order than it is written.
fn is_refused(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Whether anything can be seen: zero-width characters alone are an empty text.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{00ad}' | '\u{034f}' | '\u{180e}' | '\u{3164}' | '\u{115f}' | '\u{1160}' | '\u{fe00}'..='\u{fe0f}')
    })
}

/// Length in grapheme clusters: what a person calls characters.
#[must_use]
pub fn length(text: &str) -> usize {
    text.graphemes(true).count()
}

/// The form in which names are compared and searched: lower case, without accents.
#[must_use]
pub fn fold(text: &str) -> String {
    text.nfkd()
        .filter(|c| !unicode_normalization::char::is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: post-clean
    #[test]
    fn dangerous_and_superfluous_characters_go() {
        assert_eq!(clean("  a\u{0}b\u{202e}c \r\n\r\n\r\n\r\nd\t"), "abc \n\nd");
        assert_eq!(clean("e\u{301}"), "é");
        assert_eq!(clean("e\u{0}\u{301}"), "é");
        assert_eq!(clean_line(" a \n b "), "a b");
    }

    #[test]
    fn length_is_what_a_person_counts() {
        for (text, count) in [
            ("", 0),
            ("abc", 3),
            ("é", 1),
            ("👩‍👩‍👧‍👦", 1),
            ("🇩🇪🇫🇷", 2),
            ("नि", 1),
        ] {
            assert_eq!(length(text), count, "{text}");
        }
    }

    #[test]
    fn invisible_text_is_blank() {
        assert!(is_blank("\u{200b}\u{2060} \n"));
        assert!(!is_blank("\u{200b}a"));
    }

    #[test]
    fn folding_drops_case_and_accents() {
        assert_eq!(fold("Ünïcødé ＡＢ"), "unicøde ab");
    }
}
