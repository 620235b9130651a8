//! Rules for single Rust files.

use super::Finding;
use super::tree::{Source, Tree};

const LONGEST_FILE: usize = 400;

/// Names that do not describe a subject.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "manager"];

/// Checks that files and folders are named by their subject.
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

/// Checks that no file is longer than 400 lines.
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

fn rust(tree: &Tree) -> impl Iterator<Item = &Source> {
    tree.sources.iter().filter(|source| source.is_rust())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "crates/server/src/posts.rs";

    #[test]
    fn empty_names_are_found_in_files_and_folders() {
        let tree = Tree::of(&[("crates/db/src/utils.rs", ""), ("xtask/src/helpers/a.rs", "")]);
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
}
