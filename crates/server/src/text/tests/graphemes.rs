//! One list of texts that server and web app count and clean alike: `testdata/texts.json`.
//!
//! A part of it follows from the break rules of UAX #29, which stand here once more, by
//! themselves: what the list says is neither what our library counts nor what a browser does.
//! It holds only characters whose properties have been the same since Unicode 15.1; what is
//! newer would be counted by the version of the Unicode data that a browser happens to have.

use super::{clean, is_blank, length};
use serde::Deserialize;
use std::fmt::Write as _;

const LIST: &str = include_str!("../../../../../testdata/texts.json");

#[derive(Deserialize)]
struct List {
    counted: Vec<(String, usize)>,
    cleaned: Vec<(String, String, bool)>,
    generated: Vec<(String, usize)>,
}

fn list() -> List {
    serde_json::from_str(LIST).unwrap()
}

/// What a character is to the rules: `Grapheme_Cluster_Break`, `Extended_Pictographic`
/// and `Indic_Conjunct_Break` in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    (Extend, &['\u{301}', '\u{fe0f}', '\u{1f3fd}', '\u{20dd}']),
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

/// Sequences in which a rule looks further back than at its neighbour, or looks twice.
const LONG: [&[Class]; 44] = [
    // GB11: a picture, marks, one joiner, a picture.
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
    // GB12 and GB13: flags are pairs, counted from where they begin.
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
    // GB9c: consonants that a linker ties.
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

/// Whether the rules allow no break after `before` (which is not empty) and before `next`.
fn holds_together(before: &[Class], next: Class) -> bool {
    let last = before[before.len() - 1];
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
            let tie = |class: &Class| matches!(class, Extend | Linker | Joiner);
            let start = before.iter().rposition(|class| !tie(class));
            start.is_some_and(|at| before[at] == Consonant && before[at..].contains(&Linker))
        }
        // GB11
        (Joiner, Picture) => {
            let marks = &before[..before.len() - 1];
            let mark = |class: &Class| matches!(class, Extend | Linker);
            let start = marks.iter().rposition(|class| !mark(class));
            start.is_some_and(|at| marks[at] == Picture)
        }
        // GB12, GB13
        (Flag, Flag) => {
            let flags = before.iter().rev().take_while(|class| **class == Flag);
            flags.count() % 2 == 1
        }
        // GB999
        _ => false,
    }
}

fn count(classes: &[Class]) -> usize {
    let breaks = (1..classes.len()).filter(|at| !holds_together(&classes[..*at], classes[*at]));
    breaks.count() + usize::from(!classes.is_empty())
}

/// A text of such characters; `turn` makes it take now one and then another.
fn text(classes: &[Class], turn: usize) -> String {
    let chars = classes.iter().enumerate().map(|(at, class)| {
        let (_, chars) = CLASSES.iter().find(|(known, _)| known == class).unwrap();
        chars[(turn + at) % chars.len()]
    });
    chars.collect()
}

/// Every pair of classes, and the long sequences twice.
fn generated() -> Vec<(String, usize)> {
    let mut sequences = Vec::new();
    for (first, _) in CLASSES {
        for (second, _) in CLASSES {
            sequences.push(vec![first, second]);
        }
    }
    sequences.extend(LONG.iter().chain(&LONG).map(|long| long.to_vec()));
    let texts = sequences.iter().enumerate();
    texts
        .map(|(turn, classes)| (text(classes, turn), count(classes)))
        .collect()
}

/// The list with another generated part, in plain ASCII, a text a line.
fn written(generated: &[(String, usize)]) -> String {
    let (head, _) = LIST.split_once("\"generated\": [").unwrap();
    let mut list = format!("{head}\"generated\": [\n");
    for (n, (text, count)) in generated.iter().enumerate() {
        let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
        let comma = if n + 1 < generated.len() { "," } else { "" };
        let line = writeln!(
            list,
            "    [\"{}\", {count}]{comma}",
            units.collect::<String>()
        );
        line.unwrap();
    }
    list.push_str("  ]\n}\n");
    list
}

#[test]
fn the_list_follows_from_the_rules() {
    let generated = generated();
    if list().generated != generated {
        let path = std::env::temp_dir().join("texts.json");
        std::fs::write(&path, written(&generated)).unwrap();
        panic!(
            "testdata/texts.json is not what the rules say; {} is",
            path.display()
        );
    }
}

/// proves: post-web-same
#[test]
fn texts_are_counted_as_the_list_says() {
    let list = list();
    assert!(list.generated.len() > 300 && list.counted.len() > 100);
    for (text, count) in list.counted.iter().chain(&list.generated) {
        assert_eq!(length(text), *count, "{text:?}");
    }
}

/// proves: post-web-same, post-clean
#[test]
fn texts_are_cleaned_as_the_list_says() {
    for (typed, kept, blank) in list().cleaned {
        assert_eq!(clean(&typed), kept, "{typed:?}");
        assert_eq!(is_blank(&kept), blank, "{typed:?}");
        assert_eq!(clean(&kept), kept, "{typed:?}");
    }
}
