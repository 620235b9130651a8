//! Common SQL dialect: statements whose text both engines read alike.

/// Words that an engine lacks or reads differently. Random values, times and ids are bound parameters.
const FORBIDDEN: &[&str] = &[
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

/// Checks at compile time that a statement is in the common dialect.
///
/// # Panics
/// When the text contains a forbidden word, or a `?` parameter, which SQLite would number differently.
pub const fn check(text: &str) {
    let bytes = text.as_bytes();
    let mut word = 0;
    while word < FORBIDDEN.len() {
        assert!(
            !contains_word(bytes, FORBIDDEN[word].as_bytes()),
            "a word outside the common SQL dialect"
        );
        word += 1;
    }
    let mut i = 0;
    while i < bytes.len() {
        assert!(bytes[i] != b'?', "write parameters as $1, not ?");
        i += 1;
    }
}

/// Replaces `$n` by `?n`: SQLite reads `$1` as a name and numbers it by first appearance.
#[must_use]
pub const fn to_sqlite<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = if bytes[i] == b'$' { b'?' } else { bytes[i] };
        i += 1;
    }
    out
}

/// Finds a whole word, ignoring case. A word that ends in `_` also matches as the beginning of a longer name.
const fn contains_word(text: &[u8], word: &[u8]) -> bool {
    let mut start = 0;
    while start + word.len() <= text.len() {
        let mut i = 0;
        while i < word.len() && text[start + i].to_ascii_lowercase() == word[i] {
            i += 1;
        }
        if i == word.len() {
            let before = start == 0 || !is_name_byte(text[start - 1]) || !is_name_byte(word[0]);
            let end = start + word.len();
            let after = end == text.len()
                || !is_name_byte(text[end])
                || !is_name_byte(word[i - 1])
                || word[i - 1] == b'_';
            if before && after {
                return true;
            }
        }
        start += 1;
    }
    false
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_forbidden_word_is_found_and_longer_names_are_not() {
        for word in FORBIDDEN {
            assert!(
                contains_word(format!("select {word} x").as_bytes(), word.as_bytes()),
                "{word}"
            );
        }
        assert!(contains_word(b"select NOW()", b"now()"));
        assert!(!contains_word(b"select snow() from serials", b"now()"));
        assert!(!contains_word(b"select serial_number", b"serial"));
        assert!(contains_word(b"select json_array(1)", b"json_"));
        assert!(contains_word(b"select pg_advisory_lock(1)", b"pg_advisory_"));
    }

    #[test]
    fn question_marks_are_errors() {
        assert!(std::panic::catch_unwind(|| check("select ?1")).is_err());
        assert!(std::panic::catch_unwind(|| check("select $1")).is_ok());
    }
}
