//! What members write, made safe and counted as they count it.

use crate::error::{ApiError, Result};
use icu_properties::props::{
    CanonicalCombiningClass, DefaultIgnorableCodePoint, GeneralCategory, JoiningType, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};
use unicode_segmentation::UnicodeSegmentation;

/// Normal form C without control and direction characters, trimmed; three or more line breaks become two.
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

/// Control characters but line break and tab, and marks that change the direction of text.
fn is_refused(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Invisible letters that Unicode counts as shown: blank Braille, a musical null notehead, a Khitan filler.
const EMPTY: [char; 3] = ['\u{2800}', '\u{1d159}', '\u{16fe4}'];

/// Whether nothing can be seen: white space, what Unicode says is not shown, and letters without ink.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Whether a character other than white space cannot be seen.
pub(crate) fn is_invisible(c: char) -> bool {
    EMPTY.contains(&c) || is_ignorable(c)
}

/// The Unicode category of a character: letter, mark, punctuation and so on.
pub(crate) fn category(c: char) -> GeneralCategory {
    CodePointMapData::new().get(c)
}

/// Length in grapheme clusters: what a person calls characters.
#[must_use]
pub fn length(text: &str) -> usize {
    text.graphemes(true).count()
}

/// Code points that a character may take on average: enough for family emoji, too few for piled up accents.
const ROOM: usize = 12;

/// Refuses a text of more than so many characters, with a sentence that says so.
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

/// Refuses a text that takes more room than so many characters need, as sent or cleaned.
pub fn check_room(field: &'static str, text: &str, characters: usize) -> Result<()> {
    if text.chars().count() > ROOM * characters {
        return Err(takes_too_much(field));
    }
    Ok(())
}

/// The text has few enough characters, but they are too large.
pub(crate) fn takes_too_much(field: &'static str) -> ApiError {
    let sentence = "This text is too large to save. Try fewer emoji or combining marks.";
    ApiError::invalid(field, sentence)
}

/// The form in which names and tags are compared, searched and counted: lower case,
/// one width, without accents and without what cannot be seen.
///
/// An accent is what the script's readers can do without. Latin and Greek lose all
/// marks; Cyrillic loses stress marks and the dots of ё, but й, ї or ќ are letters of
/// their own; Hebrew and Arabic lose points, vowel signs and the stretching tatweel.
/// The marks of every other script are part of its words. The result is in normal
/// form C, and folding it again changes nothing.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut base = None;
    let letters = text
        .chars()
        .flat_map(alike)
        .filter(|c| is_joiner(*c) || !is_ignorable(*c))
        .nfd()
        .filter(|c| {
            if is_joiner(*c) {
                return true;
            }
            if is_combining_mark(*c) {
                return base.is_some_and(|base| carries(base, *c));
            }
            // The tatweel stretches the letter before it.
            if *c != '\u{640}' {
                base = Some(*c);
            }
            *c != '\u{640}'
        })
        .collect::<Vec<_>>();
    without_idle_joiners(&letters)
        .into_iter()
        .flat_map(char::to_lowercase)
        // By way of upper case, for letters that have two lower ones: ς and σ, ß and ss.
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

/// A character as its usual form: letters of another width or style are plain ones.
fn alike(c: char) -> impl Iterator<Item = char> {
    let usual = match c {
        '～' => '〜',
        '゛' => '\u{3099}',
        '゜' => '\u{309a}',
        _ => c,
    };
    // The compatibility forms of these are no longer how they are written.
    let own = matches!(
        usual,
        '\u{e33}' | '\u{eb3}' | '\u{edc}' | '\u{edd}' | '\u{3131}'..='\u{318e}'
    );
    let plain = if own {
        vec![usual]
    } else {
        std::iter::once(usual).nfkd().collect()
    };
    // Accents that stand alone decompose to one on a space, which nobody typed.
    plain
        .into_iter()
        .skip_while(move |part| *part == ' ' && !c.is_whitespace())
}

/// Whether a mark belongs to the letter, so that without it the word is another.
fn carries(letter: char, mark: char) -> bool {
    match CodePointMapData::<Script>::new().get(letter) {
        Script::Latin | Script::Greek | Script::Common | Script::Inherited => false,
        Script::Cyrillic => compose(letter, mark)
            .is_some_and(|one| !matches!(one, 'Ѐ' | 'ѐ' | 'Ё' | 'ё' | 'Ѝ' | 'ѝ')),
        _ => !matches!(
            mark,
            // Greek iota below would become a letter in upper case.
            '\u{345}'
            // Hebrew accents and points.
            | '\u{591}'..='\u{5c7}' | '\u{fb1e}'
            // Arabic vowel signs.
            | '\u{64b}'..='\u{652}'
        ),
    }
}

const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Characters that show nothing of their own.
fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Joiners without width stay only where they change the letters beside them (RFC 5892, appendix A), so that they
/// cannot make two names of one.
fn without_idle_joiners(chars: &[char]) -> Vec<char> {
    let virama = CodePointMapData::<CanonicalCombiningClass>::new();
    let joining = CodePointMapData::<JoiningType>::new();
    let mut kept = Vec::with_capacity(chars.len());
    for (i, c) in chars.iter().enumerate() {
        let rest = &chars[i + 1..];
        let works = || {
            let conjunct = kept
                .last()
                .is_some_and(|last| virama.get(*last) == CanonicalCombiningClass::Virama)
                && rest.first().is_some_and(|next| next.is_alphabetic());
            let shape = |c: &char| Some(joining.get(*c)).filter(|j| *j != JoiningType::Transparent);
            let cursive = *c == '\u{200c}'
                && matches!(
                    kept.iter().rev().find_map(shape),
                    Some(JoiningType::DualJoining | JoiningType::LeftJoining)
                )
                && matches!(
                    rest.iter().find_map(shape),
                    Some(JoiningType::DualJoining | JoiningType::RightJoining)
                );
            conjunct || cursive
        };
        if !is_joiner(*c) || works() {
            kept.push(*c);
        }
    }
    kept
}

#[cfg(test)]
mod tests;
