//! Two lists of texts that server and web app count and clean alike. `testdata/texts.json` is written by hand;
//! `testdata/graphemes.json` is generated from the break rules of UAX #29, which are implemented here independently of
//! the library and of browsers.
//! It contains only texts whose count is stable since Unicode 15.1: later editions allow more marks between consonants
//! ([`ties`]), and the Unicode data of browsers varies.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use kith_text::{clean, is_blank, length};
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt::Write as _;

const BY_HAND: &str = include_str!("../../../testdata/texts.json");
const BY_RULE: &str = include_str!("../../../testdata/graphemes.json");

/// Number of generated texts.
const MADE: usize = 10_000;

#[derive(Deserialize)]
struct List {
    counted: Vec<(String, usize)>,
    cleaned: Vec<(String, String, bool)>,
}

#[derive(Deserialize)]
struct Made {
    vectors: Vec<(String, usize)>,
}

fn by_hand() -> List {
    serde_json::from_str(BY_HAND).unwrap()
}

fn by_rule() -> Vec<(String, usize)> {
    let made: Made = serde_json::from_str(BY_RULE).unwrap();
    made.vectors
}

/// Class of a character: `Grapheme_Cluster_Break`, `Extended_Pictographic` and `Indic_Conjunct_Break` combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    Cr,
    Lf,
    Control,
    Extend,
    Linker,
    Joiner,
    Flag,
    Prepend,
    Spacing,
    Consonant,
    L,
    V,
    T,
    Lv,
    Lvt,
    Picture,
    Other,
}
use Class::*;

/// Every class with some of its characters.
const CLASSES: [(Class, &[char]); 17] = [
    (Cr, &['\r']),
    (Lf, &['\n']),
    (Control, &['\u{1}', '\u{200b}', '\u{2028}']),
    (Extend, &['\u{301}', '\u{fe0f}', '\u{1f3fd}', '\u{20dd}', '\u{200c}', '\u{651}']),
    (Linker, &['\u{94d}', '\u{9cd}']),
    (Joiner, &['\u{200d}']),
    (Flag, &['\u{1f1e9}', '\u{1f1ea}', '\u{1f1eb}']),
    (Prepend, &['\u{600}', '\u{6dd}']),
    (Spacing, &['\u{93e}', '\u{e33}', '\u{903}']),
    (Consonant, &['\u{915}', '\u{937}', '\u{9ac}']),
    (L, &['\u{1100}', '\u{1112}']),
    (V, &['\u{1161}', '\u{1175}']),
    (T, &['\u{11a8}', '\u{11c2}']),
    (Lv, &['\u{ac00}', '\u{d788}']),
    (Lvt, &['\u{ac01}', '\u{d7a3}']),
    (Picture, &['\u{1f469}', '\u{2764}', '\u{a9}']),
    (Other, &['a', ' ', '漢', '\u{10ffff}']),
];

/// Sequences in which a rule looks back further than one character, or twice.
const LONG: [&[Class]; 44] = [
    // GB11: picture, marks, one joiner, picture.
    &[Picture, Joiner, Picture],
    &[Picture, Extend, Joiner, Picture],
    &[Picture, Extend, Extend, Joiner, Picture],
    &[Picture, Joiner, Joiner, Picture],
    &[Picture, Joiner, Extend, Picture],
    &[Picture, Spacing, Joiner, Picture],
    &[Picture, Joiner, Picture, Joiner, Picture],
    &[Picture, Joiner, Picture, Extend, Joiner, Picture, Picture],
    &[Picture, Linker, Joiner, Picture],
    &[Other, Joiner, Picture],
    &[Other, Picture, Joiner, Picture, Other],
    &[Consonant, Joiner, Picture],
    &[Picture, Joiner, Other],
    &[Joiner, Picture, Joiner, Picture],
    &[Prepend, Picture, Joiner, Picture],
    // GB12 and GB13: flags are pairs, counted from their start.
    &[Flag, Flag, Flag],
    &[Flag, Flag, Flag, Flag],
    &[Flag, Flag, Flag, Flag, Flag],
    &[Other, Flag, Flag, Flag],
    &[Flag, Other, Flag, Flag],
    &[Flag, Extend, Flag],
    &[Flag, Joiner, Flag, Flag],
    &[Flag, Flag, Extend, Flag, Flag],
    &[Prepend, Flag, Flag, Flag],
    &[Cr, Flag, Flag, Flag],
    // GB9c: consonants joined by a linker.
    &[Consonant, Linker, Consonant],
    &[Consonant, Linker, Consonant, Linker, Consonant],
    &[Consonant, Linker, Linker, Consonant],
    &[Consonant, Extend, Linker, Consonant],
    &[Consonant, Linker, Extend, Consonant],
    &[Consonant, Linker, Joiner, Consonant],
    &[Consonant, Joiner, Linker, Consonant],
    &[Consonant, Extend, Consonant],
    &[Consonant, Joiner, Consonant],
    &[Consonant, Spacing, Linker, Consonant],
    &[Consonant, Linker, Spacing, Consonant],
    &[Other, Linker, Consonant],
    &[Consonant, Linker, Other],
    &[Prepend, Consonant, Linker, Consonant, Spacing],
    // GB6 to GB8: syllables.
    &[L, L, V, V, T, T],
    &[L, Lv, T, T, L, Lvt, T],
    &[L, V, L, V, T],
    &[Lv, V, T, V],
    &[L, Extend, V, Joiner, T],
];

/// Classes of random texts: emoji families, flags, Indic scripts, Hangul, combining marks, zero-width characters, and
/// all of them.
const THEMES: [&[Class]; 7] = [
    &[Picture, Extend, Joiner, Picture, Joiner],
    &[Flag, Flag, Flag, Other, Extend],
    &[Consonant, Linker, Consonant, Spacing, Extend, Joiner],
    &[L, V, T, Lv, Lvt, L],
    &[Other, Extend, Extend, Prepend, Spacing],
    &[Joiner, Control, Extend, Other],
    &[Cr, Lf, Control, Other, Picture, Flag],
];

/// A character and its class.
type Sign = (Class, char);

/// An edition of the rules.
#[derive(Debug, Clone, Copy)]
enum Edition {
    Unicode15_1,
    Unicode16,
}

/// Whether a character is allowed between two consonants joined by a linker (`GB9c`). Edition 15.1 allows marks with a
/// combining class; 16.0 and later allow all but the non-joiner.
fn ties((class, sign): Sign, edition: Edition) -> bool {
    match (class, edition) {
        (Linker | Joiner, _) => true,
        (Extend, Edition::Unicode15_1) => matches!(sign, '\u{301}' | '\u{651}'),
        (Extend, Edition::Unicode16) => sign != '\u{200c}',
        _ => false,
    }
}

/// Whether the rules forbid a break between `before`, which is not empty, and `next`.
fn holds_together(before: &[Sign], next: Class, edition: Edition) -> bool {
    let last = before[before.len() - 1].0;
    let ends = |class| matches!(class, Cr | Lf | Control);
    match (last, next) {
        // GB3, GB4, GB5
        (Cr, Lf) => true,
        _ if ends(last) || ends(next) => false,
        // GB6, GB7, GB8; GB9, GB9a; GB9b
        (L, L | V | Lv | Lvt)
        | (V | Lv, V | T)
        | (T | Lvt, T)
        | (_, Extend | Linker | Joiner | Spacing)
        | (Prepend, _) => true,
        // GB9c
        (_, Consonant) => {
            let start = before.iter().rposition(|sign| !ties(*sign, edition));
            let linker = |(class, _): &Sign| *class == Linker;
            start.is_some_and(|at| before[at].0 == Consonant && before[at..].iter().any(linker))
        }
        // GB11
        (Joiner, Picture) => {
            let marks = &before[..before.len() - 1];
            let mark = |(class, _): &Sign| matches!(class, Extend | Linker);
            let start = marks.iter().rposition(|sign| !mark(sign));
            start.is_some_and(|at| marks[at].0 == Picture)
        }
        // GB12, GB13
        (Flag, Flag) => {
            let flags = before.iter().rev().take_while(|sign| sign.0 == Flag);
            flags.count() % 2 == 1
        }
        // GB999
        _ => false,
    }
}

fn count(text: &[Sign], edition: Edition) -> usize {
    let holds = |at: &usize| holds_together(&text[..*at], text[*at].0, edition);
    let breaks = (1..text.len()).filter(|at| !holds(at));
    breaks.count() + usize::from(!text.is_empty())
}

/// Generates texts of classes, and counts uses of classes.
#[derive(Default)]
struct Maker {
    /// Uses of each class, so that all its characters are used in turn.
    used: [usize; CLASSES.len()],
    seen: HashSet<String>,
    made: Vec<(String, usize)>,
}

impl Maker {
    /// Adds a text of these classes if it is new and all editions agree on its count.
    fn add(&mut self, classes: &[Class]) {
        let text: Vec<Sign> = classes.iter().map(|class| self.next(*class)).collect();
        let characters = count(&text, Edition::Unicode16);
        let written: String = text.iter().map(|(_, sign)| sign).collect();
        if characters == count(&text, Edition::Unicode15_1) && self.seen.insert(written.clone()) {
            self.made.push((written, characters));
        }
    }

    fn next(&mut self, class: Class) -> Sign {
        let at = CLASSES.iter().position(|(known, _)| *known == class);
        let at = at.unwrap();
        let signs = CLASSES[at].1;
        self.used[at] += 1;
        (class, signs[self.used[at] % signs.len()])
    }
}

/// Reproducible pseudo-random numbers (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % sides as u64).unwrap()
    }

    fn class(&mut self, theme: &[Class]) -> Class {
        if self.roll(5) == 0 {
            return CLASSES[self.roll(CLASSES.len())].0;
        }
        theme[self.roll(theme.len())]
    }
}

/// Every pair and triple of classes, the long sequences once per character of their classes, and random texts of 4 to
/// 12 classes.
fn generate() -> Vec<(String, usize)> {
    let mut maker = Maker::default();
    for (first, _) in CLASSES {
        for (second, _) in CLASSES {
            maker.add(&[first, second]);
            for (third, _) in CLASSES {
                maker.add(&[first, second, third]);
            }
        }
    }
    for _ in 0..4 {
        for long in LONG {
            maker.add(long);
        }
    }
    let mut dice = Dice(29);
    while maker.made.len() < MADE {
        let theme = THEMES[dice.roll(THEMES.len())];
        let size = 4 + dice.roll(9);
        let classes: Vec<Class> = (0..size).map(|_| dice.class(theme)).collect();
        maker.add(&classes);
    }
    maker.made
}

/// The list in plain ASCII, one text per line.
fn written(made: &[(String, usize)]) -> String {
    let (head, _) = BY_RULE.split_once("\"vectors\": [").unwrap();
    let mut list = format!("{head}\"vectors\": [\n");
    for (n, (text, count)) in made.iter().enumerate() {
        let mut units = String::new();
        for unit in text.encode_utf16() {
            match u8::try_from(unit) {
                Ok(plain @ (b' ' | b'a'..=b'z')) => units.push(plain.into()),
                _ => write!(units, "\\u{unit:04x}").unwrap(),
            }
        }
        let comma = if n + 1 < made.len() { "," } else { "" };
        writeln!(list, "[\"{units}\",{count}]{comma}").unwrap();
    }
    list.push_str("]\n}\n");
    list
}

#[test]
fn the_list_matches_the_rules() {
    let made = generate();
    if by_rule() != made {
        let path = std::env::temp_dir().join("graphemes.json");
        std::fs::write(&path, written(&made)).unwrap();
        panic!("testdata/graphemes.json is not what the rules say; {} is", path.display());
    }
}

#[test]
fn the_list_has_every_class_and_character_often() {
    let made = by_rule();
    assert_eq!(made.len(), MADE);
    let different: HashSet<&str> = made.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(different.len(), MADE);
    for sign in CLASSES.iter().flat_map(|(_, signs)| *signs) {
        let with = made.iter().filter(|(text, _)| text.contains(*sign));
        assert!(with.count() > 150, "{sign:?}");
    }
}

/// proves: post-web-same
#[test]
fn texts_are_counted_as_listed() {
    let (by_hand, by_rule) = (by_hand().counted, by_rule());
    assert!(by_hand.len() > 100 && by_rule.len() == MADE);
    let all = by_hand.iter().chain(&by_rule);
    let wrong: Vec<_> = all.filter(|(text, count)| length(text) != *count).collect();
    assert!(wrong.is_empty(), "{} differ: {wrong:?}", wrong.len());
}

/// proves: post-web-same, post-clean
#[test]
fn texts_are_cleaned_as_listed() {
    for (typed, kept, blank) in by_hand().cleaned {
        assert_eq!(clean(&typed), kept, "{typed:?}");
        assert_eq!(is_blank(&kept), blank, "{typed:?}");
        assert_eq!(clean(&kept), kept, "{typed:?}");
    }
}
