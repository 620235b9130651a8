//! Cleaning, counting and folding.

mod graphemes;

use super::*;

/// proves: post-clean
#[test]
fn dangerous_and_superfluous_characters_go() {
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
fn folding_leaves_the_letters_of_every_script() {
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
fn folding_keeps_the_joiners_that_spelling_needs() {
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
fn folding_twice_is_folding_once_in_any_case() {
    // Without the ideographs and syllables, which are many and alike.
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
        // In upper case the iota below a Greek letter stands beside it.
        if !text.nfd().any(|part| part == '\u{345}') {
            assert_eq!(fold(&text.to_uppercase()), folded, "{text:?}");
        }
    }
}
