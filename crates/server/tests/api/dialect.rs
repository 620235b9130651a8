//! Every statement in the source is in the common SQL dialect, whose text both engines read alike.

use crate::statements::{own_statements, platform_statements};

/// Words that an engine lacks or reads differently. Random values, times and ids are bound parameters.
const FORBIDDEN: &[&str] = &[
    "?",
    "::",
    "ilike",
    "lateral",
    "distinct on",
    "now()",
    "current_timestamp",
    "random()",
    "autoincrement",
    "serial",
    "json_",
    "jsonb_",
    "array[",
    "any(",
    "glob ",
    "rowid",
    "lower(",
    "upper(",
    "on conflict on constraint",
    "insert or ",
    "replace into",
    "last_insert_rowid",
    "for update",
    "pg_advisory_",
    "strftime",
    "unixepoch",
    "true",
    "false",
];

/// Finds a whole word, ignoring case. A word that ends in `_` also matches as the beginning of a longer name.
fn contains_word(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(start, _)| {
        let (before, after) = (&text[..start], &text[start + word.len()..]);
        let starts = !(before.ends_with(is_name) && word.starts_with(is_name));
        let is_prefix = word.ends_with('_');
        let ends = is_prefix || !(after.starts_with(is_name) && word.ends_with(is_name));
        starts && ends
    })
}

#[test]
fn statements_are_in_the_common_dialect() {
    let statements = own_statements().into_iter().chain(platform_statements());
    for (file, text, _) in statements {
        let forbidden = FORBIDDEN.iter().find(|word| contains_word(text, word));
        assert_eq!(forbidden, None, "{file}: {text}");
    }
}

#[test]
fn every_forbidden_word_is_found_and_longer_names_are_not() {
    for word in FORBIDDEN {
        assert!(contains_word(&format!("select {word} x"), word), "{word}");
    }
    assert!(contains_word("select NOW()", "now()"));
    assert!(!contains_word("select snow() from serials", "now()"));
    assert!(!contains_word("select serial_number", "serial"));
    assert!(contains_word("select json_array(1)", "json_"));
    assert!(contains_word("select pg_advisory_lock(1)", "pg_advisory_"));
}
