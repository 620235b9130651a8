//! Pages of the book: all are in the summary, decisions are numbered, generated pages are up to date, code blocks parse.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::Stdio;

use super::tree::{Source, Tree};
use super::{Finding, line_at};
use crate::docs::assemble::{links_in, resolve};
use crate::docs::openapi;
use crate::support::process;

const SUMMARY: &str = "docs/SUMMARY.md";
const DECISIONS: &str = "docs/decisions.md";

/// Each page below `docs/` is in the summary, once.
pub(super) fn summary_lists_all(tree: &Tree) -> Vec<Finding> {
    let Some(summary) = page(tree, SUMMARY) else {
        return vec![Finding::new(SUMMARY, 1, "the summary of the book is missing")];
    };
    let listed = targets(summary);
    let once: BTreeSet<&String> = listed.iter().collect();
    let mut findings = Vec::new();
    if once.len() < listed.len() {
        findings.push(Finding::new(SUMMARY, 1, "a page is listed twice"));
    }
    for source in pages(tree).filter(|source| source.path != SUMMARY) {
        if !once.contains(&source.path) {
            findings.push(Finding::new(&source.path, 1, format!("list this page in {SUMMARY}")));
        }
    }
    findings
}

/// Decisions have the numbers from 1 on, in their names and titles, and are in the index.
pub(super) fn decisions_are_numbered(tree: &Tree) -> Vec<Finding> {
    let index = page(tree, DECISIONS).map(targets).unwrap_or_default();
    let mut findings = Vec::new();
    let records = pages(tree).filter(|source| source.path.starts_with("docs/decisions/"));
    for (at, source) in records.enumerate() {
        let number = format!("{:04}", at + 1);
        let is_numbered = source.path.starts_with(&format!("docs/decisions/{number}-"))
            && source.text.starts_with(&format!("# {number}. "));
        if !is_numbered {
            let sentence =
                format!("this record has the number {number}, in its name and its title");
            findings.push(Finding::new(&source.path, 1, sentence));
        }
        if !index.contains(&source.path) {
            findings.push(Finding::new(
                &source.path,
                1,
                format!("list this record in {DECISIONS}"),
            ));
        }
    }
    findings
}

/// The pages about the API are those that `cargo xtask gen` writes.
pub(super) fn api_pages_agree(tree: &Tree) -> Vec<Finding> {
    let Some(document) = page(tree, openapi::DOCUMENT) else {
        return Vec::new();
    };
    let Ok(written) = openapi::pages(&document.text) else {
        return vec![Finding::new(openapi::DOCUMENT, 1, "this is no OpenAPI document")];
    };
    let differs =
        |(path, text): &(&str, String)| page(tree, path).is_none_or(|page| page.text != *text);
    let outdated = written.into_iter().filter(differs);
    outdated.map(|(path, _)| Finding::new(path, 1, "out of date: run `cargo xtask gen`")).collect()
}

/// Examples request URLs, `$site/…`, that the API has.
pub(super) fn examples_exist(tree: &Tree) -> Vec<Finding> {
    let Some(document) = page(tree, openapi::DOCUMENT) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for source in pages(tree) {
        for (at, rest) in
            source.text.match_indices("$site/").map(|(at, _)| (at, &source.text[at..]))
        {
            let url = rest.split(['"', '?', ' ', '\n']).next().unwrap_or_default();
            let path = url.trim_start_matches("$site");
            if !openapi::has_path(&document.text, path) {
                let sentence = format!("the API has no {path}");
                findings.push(Finding::new(&source.path, line_at(&source.text, at), sentence));
            }
        }
    }
    findings
}

/// Code blocks name their language; those of shells and JSON parse.
pub(super) fn code_blocks_parse(tree: &Tree) -> Vec<Finding> {
    pages(tree)
        .flat_map(|source| {
            blocks(&source.text).into_iter().filter_map(|block| {
                let sentence = match block.language {
                    "" => Some("name the language of this code block, such as text".to_owned()),
                    "sh" => shell_error(&block.text),
                    "json" => serde_json::from_str::<serde_json::Value>(&block.text)
                        .err()
                        .map(|error| format!("this is no JSON: {error}")),
                    _ => None,
                };
                sentence.map(|sentence| Finding::new(&source.path, block.line, sentence))
            })
        })
        .collect()
}

/// A fenced code block.
struct Block<'a> {
    language: &'a str,
    line: usize,
    text: String,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut is_open = false;
    for (at, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            if !is_open {
                found.push(Block { language: language.trim(), line: at + 1, text: String::new() });
            }
            is_open = !is_open;
        } else if let Some(block) = found.last_mut().filter(|_| is_open) {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    found
}

/// Message of a shell that cannot parse a script; `None` if it can.
fn shell_error(script: &str) -> Option<String> {
    let mut shell = process::command("bash", &["-n"]);
    shell.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let message = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    (!output.status.success()).then(message)
}

/// Pages of the book in `docs/`, in the order of their paths.
fn pages(tree: &Tree) -> impl Iterator<Item = &Source> {
    let mut pages: Vec<&Source> = tree
        .sources
        .iter()
        .filter(|source| source.path.starts_with("docs/") && source.ends_in(&["md"]))
        .collect();
    pages.sort_by_key(|source| &source.path);
    pages.into_iter()
}

fn page<'a>(tree: &'a Tree, path: &str) -> Option<&'a Source> {
    tree.sources.iter().find(|source| source.path == path)
}

/// Paths, from the root, that a page links to.
fn targets(page: &Source) -> Vec<String> {
    links_in(&page.text).into_iter().map(|at| resolve(&page.path, &page.text[at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_the_summary_lacks_is_found() {
        let summary = "- [A](a.md)\n- [B](b/c.md)\n";
        let tree = Tree::of(&[
            (SUMMARY, summary),
            ("docs/a.md", ""),
            ("docs/b/c.md", ""),
            ("docs/d.md", ""),
        ]);
        let found = summary_lists_all(&tree);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].path, "docs/d.md");
        let twice = Tree::of(&[(SUMMARY, "[A](a.md) [A](a.md)"), ("docs/a.md", "")]);
        assert_eq!(summary_lists_all(&twice).len(), 1);
    }

    #[test]
    fn a_gap_between_decisions_is_found() {
        let record = |number: &str| format!("# {number}. Title\n");
        let (first, third) = (record("0001"), record("0003"));
        let index = "[1](decisions/0001-a.md)";
        let tree = Tree::of(&[
            (DECISIONS, index),
            ("docs/decisions/0001-a.md", &first),
            ("docs/decisions/0003-b.md", &third),
        ]);
        assert_eq!(decisions_are_numbered(&tree).len(), 2);
    }

    #[test]
    fn an_unknown_url_in_an_example_is_found() {
        let text = "```sh\ncurl \"$site/api/posts/$post/like\" \"$site/api/tweets?limit=5\"\n```\n";
        let document = r#"{"paths": {"/api/posts/{id}/like": {}}}"#;
        let tree = Tree::of(&[("docs/a.md", text), (openapi::DOCUMENT, document)]);
        let found = examples_exist(&tree);
        assert_eq!(found, [Finding::new("docs/a.md", 2, "the API has no /api/tweets")]);
    }

    #[test]
    fn broken_code_blocks_are_found() {
        let text = "```sh\nif true\n```\n\n```json\n{\"a\": }\n```\n\n```\nplain\n```\n\n```sh\nls | wc\n```\n";
        let found = code_blocks_parse(&Tree::of(&[("docs/a.md", text)]));
        assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [1, 5, 9]);
    }
}
