//! `cargo xtask tidy`: rules of the project that compilers and linters do not check.

mod book;
pub(crate) mod coverage;
mod import_cycles;
mod layers;
mod local_paths;
mod mask;
mod migrations;
mod rust;
mod sql;
mod tree;
mod version;

use std::fmt;

use anyhow::{Result, bail};
use tree::Tree;

/// A violation of a rule and its position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    sentence: String,
}

impl Finding {
    fn new(path: &str, line: usize, sentence: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, sentence: sentence.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.sentence)
    }
}

/// Rules; each checks the whole tree.
const RULES: &[fn(&Tree) -> Vec<Finding>] = &[
    rust::file_names,
    rust::file_lengths,
    layers::layers_import_downwards,
    import_cycles::no_import_cycles,
    layers::routes_in_one_place,
    layers::one_clock,
    sql::database_names_no_table,
    sql::tables_have_owners,
    migrations::numbered,
    migrations::listed,
    local_paths::no_local_paths,
    version::agrees,
    coverage::agrees,
];

/// Rules about the book.
const BOOK_RULES: &[fn(&Tree) -> Vec<Finding>] = &[
    book::summary_lists_all,
    book::decisions_are_numbered,
    book::api_pages_agree,
    book::examples_exist,
    book::code_blocks_parse,
];

/// Prints all findings; fails if there is one.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    check(&[RULES, BOOK_RULES].concat())
}

/// Checks the rules about the book alone.
pub(crate) fn check_book() -> Result<()> {
    check(BOOK_RULES)
}

fn check(rules: &[fn(&Tree) -> Vec<Finding>]) -> Result<()> {
    let tree = Tree::load()?;
    let mut findings: Vec<Finding> = rules.iter().flat_map(|rule| rule(&tree)).collect();
    findings.sort();
    findings.dedup();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files, no findings", tree.paths.len());
            Ok(())
        }
        1 => bail!("one finding"),
        count => bail!("{count} findings"),
    }
}

/// Line number, from 1, of a byte offset.
fn line_at(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Offsets of `needle` that are not the end of a longer word.
fn words_at<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    let starts_word = needle.starts_with(is_word);
    text.match_indices(needle)
        .map(|(at, _)| at)
        .filter(move |at| !starts_word || !text[..*at].ends_with(is_word))
}

/// Whether a character can be part of an identifier.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_print_as_path_line_and_sentence() {
        let finding = Finding::new("a/b.rs", 3, "this is wrong");
        assert_eq!(finding.to_string(), "a/b.rs:3: this is wrong");
    }

    #[test]
    fn lines_and_words_are_found() {
        assert_eq!(line_at("a\nb\nc", 4), 3);
        assert_eq!(words_at("prefetch( fetch(", "fetch(").collect::<Vec<_>>(), [10]);
    }
}
