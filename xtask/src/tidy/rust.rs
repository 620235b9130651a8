//! Rules for each Rust file on its own.

use super::tree::{Source, Tree};
use super::{Finding, line_at, strip, words_at};

const LONGEST_FILE: usize = 400;
const LONGEST_FUNCTION: usize = 80;

/// Names that say nothing about a file's subject.
const EMPTY_NAMES: &[&str] = &[
    "utils",
    "util",
    "helpers",
    "manager",
    "service",
    "repository",
];

/// What must not be committed, and what to do instead.
const FORBIDDEN: &[(&str, &str)] = &[
    (
        "#[allow(",
        "write #[expect(…, reason = …)], which complains once it is no longer needed",
    ),
    (
        "#![allow(",
        "write #![expect(…, reason = …)], which complains once it is no longer needed",
    ),
    ("todo!(", "finish it"),
    ("unimplemented!(", "finish it"),
    ("dbg!(", "remove it"),
];

/// A file is named by its subject.
pub(super) fn file_names(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in rust(tree) {
        let parts = source.path.split(['/', '.']);
        for part in parts.filter(|part| EMPTY_NAMES.contains(part)) {
            let sentence = format!("`{part}` names no subject: say what the code is about");
            findings.push(Finding::new(&source.path, 1, sentence));
        }
    }
    findings
}

/// A file has one subject, which fits into 400 lines.
pub(super) fn file_lengths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in rust(tree) {
        let lines = source.text.lines().count();
        if lines > LONGEST_FILE {
            let sentence = format!("{lines} lines: split the file by subject, at {LONGEST_FILE}");
            findings.push(Finding::new(&source.path, LONGEST_FILE + 1, sentence));
        }
    }
    findings
}

/// A function fits on a screen.
pub(super) fn function_lengths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in rust(tree) {
        let code = strip::code(&source.text);
        for at in words_at(&code, "fn ") {
            let name: String = code[at + 3..]
                .chars()
                .take_while(|character| super::is_word(*character))
                .collect();
            let Some(open) = body(&code, at).filter(|_| !name.is_empty()) else {
                continue;
            };
            let first = line_at(&code, at);
            let lines = line_at(&code, strip::closing(&code, open) - 1) - first + 1;
            if lines > LONGEST_FUNCTION {
                let sentence = format!("`{name}` has {lines} lines, more than {LONGEST_FUNCTION}");
                findings.push(Finding::new(&source.path, first, sentence));
            }
        }
    }
    findings
}

/// The brace that opens the body of the function at `start`, if it has one.
fn body(code: &str, start: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(at),
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Nothing unfinished, nothing silenced.
pub(super) fn forbidden_words(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in rust(tree) {
        let code = strip::code(&source.text);
        for (word, advice) in FORBIDDEN {
            for at in words_at(&code, word) {
                let sentence = format!("`{word}`: {advice}");
                findings.push(Finding::new(&source.path, line_at(&code, at), sentence));
            }
        }
    }
    findings
}

/// What ships doesn't panic on what it could have answered.
pub(super) fn unwraps(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.sources.iter().filter(|source| source.is_product()) {
        let code = source.shipped_code();
        for (at, _) in code.match_indices(".unwrap()") {
            let sentence = "`.unwrap()`: answer an error, or say with `.expect` why it can't be";
            findings.push(Finding::new(&source.path, line_at(&code, at), sentence));
        }
    }
    findings
}

fn rust(tree: &Tree) -> impl Iterator<Item = &Source> {
    tree.sources.iter().filter(|source| source.is_rust())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "crates/server/src/posts.rs";

    #[test]
    fn empty_names_are_found_in_files_and_folders() {
        let tree = Tree::of(&[
            ("crates/db/src/utils.rs", ""),
            ("xtask/src/helpers/a.rs", ""),
        ]);
        assert_eq!(file_names(&tree).len(), 2);
        assert!(file_names(&Tree::of(&[("crates/db/src/utilities.rs", "")])).is_empty());
    }

    #[test]
    fn long_files_are_found() {
        let text = "\n".repeat(LONGEST_FILE);
        assert!(file_lengths(&Tree::of(&[(PATH, &text)])).is_empty());
        let text = format!("{text}\n");
        assert_eq!(file_lengths(&Tree::of(&[(PATH, &text)])).len(), 1);
    }

    #[test]
    fn long_functions_are_found_by_their_name() {
        let function = |lines: usize| {
            let body = "    let brace = \"}\";\n".repeat(lines - 2);
            format!("type Made = fn() -> u8;\nfn made(_: [u8; 2])\n{{\n{body}}}\n")
        };
        let tree = |text: &str| function_lengths(&Tree::of(&[(PATH, text)]));
        assert!(tree(&function(LONGEST_FUNCTION - 1)).is_empty());
        let findings = tree(&function(LONGEST_FUNCTION));
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].line, 2);
        assert!(
            findings[0].sentence.starts_with("`made` has 81 lines"),
            "{findings:?}"
        );
    }

    #[test]
    fn forbidden_words_count_in_code_only() {
        let text = "// todo!( in a comment\nlet text = \"dbg!(\";\n#[allow(dead_code)]\ntodo!()\n";
        let lines: Vec<usize> = forbidden_words(&Tree::of(&[(PATH, text)]))
            .iter()
            .map(|found| found.line)
            .collect();
        assert_eq!(lines, [3, 4]);
    }

    #[test]
    fn unwraps_count_outside_tests_only() {
        let text = "fn a() { b().unwrap(); }\n#[cfg(test)]\nmod tests { fn c() { d().unwrap() } }";
        let findings = unwraps(&Tree::of(&[(PATH, text), ("crates/db/tests/a.rs", text)]));
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].line, 1);
    }
}
