//! Case and accent folding.

use crate::clean::is_ignorable;
use icu_properties::CodePointMapData;
use icu_properties::props::{CanonicalCombiningClass, JoiningType, Script};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{compose, is_combining_mark};

/// Returns the form in which names and tags are compared, searched and counted: lower case, one width, without accents
/// and without invisible characters.
///
/// Removes marks that readers of a script can do without: all marks of Latin and Greek; stress marks and the dots of ё
/// in Cyrillic, whose й, ї and ќ are separate letters; points, vowel signs and the tatweel of Hebrew and Arabic. Keeps
/// the marks of every other script. The result is in normal form C, and folding is idempotent.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut base = None;
    let letters = text
        .chars()
        .flat_map(plain_form)
        .filter(|c| is_joiner(*c) || !is_ignorable(*c))
        .nfd()
        .filter(|c| {
            if is_joiner(*c) {
                return true;
            }
            if is_combining_mark(*c) {
                return base.is_some_and(|base| is_distinctive(base, *c));
            }
            // The tatweel stretches the letter before it.
            if *c != '\u{640}' {
                base = Some(*c);
            }
            *c != '\u{640}'
        })
        .collect::<Vec<_>>();
    remove_unneeded_joiners(&letters)
        .into_iter()
        .flat_map(char::to_lowercase)
        // Convert to upper case and back, for letters with two lower forms: ς and σ, ß and ss.
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

/// Returns the plain form of a letter of another width or style.
fn plain_form(c: char) -> impl Iterator<Item = char> {
    let usual = match c {
        '～' => '〜',
        '゛' => '\u{3099}',
        '゜' => '\u{309a}',
        _ => c,
    };
    // Keeps letters whose compatibility decomposition is obsolete.
    let keeps_form =
        matches!(usual, '\u{e33}' | '\u{eb3}' | '\u{edc}' | '\u{edd}' | '\u{3131}'..='\u{318e}');
    let plain = if keeps_form { vec![usual] } else { std::iter::once(usual).nfkd().collect() };
    // A separate accent decomposes to one on a space, which was not typed.
    plain.into_iter().skip_while(move |part| *part == ' ' && !c.is_whitespace())
}

/// Returns whether readers of the letter's script see another letter without the mark.
fn is_distinctive(letter: char, mark: char) -> bool {
    match CodePointMapData::<Script>::new().get(letter) {
        Script::Latin | Script::Greek | Script::Common | Script::Inherited => false,
        Script::Cyrillic => compose(letter, mark)
            .is_some_and(|one| !matches!(one, 'Ѐ' | 'ѐ' | 'Ё' | 'ё' | 'Ѝ' | 'ѝ')),
        _ => !matches!(
            mark,
            // The Greek iota subscript would become a letter in upper case.
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

/// Removes zero-width joiners unless they change the letters beside them (RFC 5892, appendix A), so that they cannot
/// turn one name into two.
fn remove_unneeded_joiners(chars: &[char]) -> Vec<char> {
    let virama = CodePointMapData::<CanonicalCombiningClass>::new();
    let joining = CodePointMapData::<JoiningType>::new();
    let mut kept = Vec::with_capacity(chars.len());
    for (i, c) in chars.iter().enumerate() {
        let rest = &chars[i + 1..];
        let is_needed = || {
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
        if !is_joiner(*c) || is_needed() {
            kept.push(*c);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_drops_case_width_and_accents() {
        for (typed, folded) in [
            ("Ünïcødé ＡＢ", "unicøde ab"),
            ("e\u{301}t\u{e9}", "ete"),
            ("Việt Nam", "viet nam"),
            ("STRASSE Straße ẞ", "strasse strasse ss"),
            ("Οδός ΟΔΟΣ ᾳ", "οδοσ οδοσ α"),
            ("Iğdır İn IĞDIR", "igdir in igdir"),
            ("ﬁn ﾊｯｼｭﾀｸﾞ か゛", "fin ハッシュタグ が"),
            ("メ～テレ メ〜テレ", "メ〜テレ メ〜テレ"),
            ("1\u{fe0f}\u{20e3} ❤\u{fe0f} a\u{200b}\u{ad}b", "1 ❤ ab"),
            ("´a\u{a0}b", "a b"),
        ] {
            assert_eq!(fold(typed), folded, "{typed}");
        }
    }

    #[test]
    fn folding_keeps_the_letters_of_every_script() {
        for same in [
            "हिन्दी",
            "चाय",
            "বাংলা",
            "தமிழ்",
            "ภาษาไทย",
            "น้ำ",
            "ລາວ",
            "한글",
            "ㅋㅋㅋ",
            "がぱ",
            "မြန်မာ",
            "བོད་སྐད་",
            "ኢትዮጵያ",
            "آب أدب رئيس",
            "йїўќ",
        ] {
            assert_eq!(fold(same), same, "{same}");
        }
        for (typed, folded) in [
            ("Ёлка МО\u{301}СКВА́", "елка москва"),
            ("עַל־יְדֵי", "על־ידי"),
            ("مُحَمَّد ســـلام", "محمد سلام"),
            ("한국", "한국"),
        ] {
            assert_eq!(fold(typed), folded, "{typed}");
        }
    }

    #[test]
    fn folding_keeps_required_joiners() {
        for (typed, folded) in [
            ("می\u{200c}روم", "می\u{200c}روم"),
            ("ක්\u{200d}රී", "ක්\u{200d}රී"),
            ("ada\u{200d}\u{200c}bob", "adabob"),
            ("ایران\u{200c}", "ایران"),
            ("م\u{200c}\u{200c}م", "م\u{200c}م"),
            ("نرم\u{200d}افزار", "نرمافزار"),
        ] {
            assert_eq!(fold(typed), folded, "{typed:?}");
        }
    }

    #[test]
    fn folding_is_idempotent() {
        // Without ideographs and syllables, which are many and similar.
        let chars = ('\0'..='\u{33ff}')
            .chain('\u{a000}'..='\u{ac10}')
            .chain('\u{f900}'..='\u{16fff}')
            .chain('\u{1d000}'..='\u{1f2ff}')
            .chain('\u{e0000}'..='\u{e01ef}');
        for c in chars {
            let text = format!("{c}م{c}مa{c}\u{301}");
            let folded = fold(&text);
            assert_eq!(fold(&folded), folded, "{text:?}");
            assert_eq!(fold(&text.to_lowercase()), folded, "{text:?}");
            // In upper case the iota below a Greek letter is written beside it.
            if !text.nfd().any(|part| part == '\u{345}') {
                assert_eq!(fold(&text.to_uppercase()), folded, "{text:?}");
            }
        }
    }
}
