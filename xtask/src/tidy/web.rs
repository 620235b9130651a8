//! Rules for each file of the web app on its own.

use super::tree::{Source, Tree, in_folders};
use super::{Finding, line_at, words_at};

const LONGEST_FILE: usize = 400;
const CODE: &[&str] = &["ts", "tsx", "js", "mjs", "css"];

/// A file has one subject, which fits into 400 lines. Generated ones have none.
pub(super) fn file_lengths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in code(tree, "web/").filter(|source| !source.path.ends_with(".gen.ts")) {
        let lines = source.text.lines().count();
        if lines > LONGEST_FILE {
            let sentence = format!("{lines} lines: split the file by subject, at {LONGEST_FILE}");
            findings.push(Finding::new(&source.path, LONGEST_FILE + 1, sentence));
        }
    }
    findings
}

/// What members write is text, and the content security policy takes no inline style.
pub(super) fn forbidden_words(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in code(tree, "web/src/") {
        for at in words_at(&source.text, "dangerouslySetInnerHTML") {
            let sentence = "`dangerouslySetInnerHTML`: render text as text";
            findings.push(Finding::new(
                &source.path,
                line_at(&source.text, at),
                sentence,
            ));
        }
    }
    let in_web = tree
        .sources
        .iter()
        .filter(|source| source.path.starts_with("web/"));
    for source in in_web.filter(|source| source.ends_in(&["html"])) {
        for at in words_at(&source.text, "style=\"") {
            let sentence = "an inline style, which the content security policy refuses";
            findings.push(Finding::new(
                &source.path,
                line_at(&source.text, at),
                sentence,
            ));
        }
    }
    findings
}

/// Only the generated client calls `fetch`.
pub(super) fn only_the_client_fetches(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in code(tree, "web/src/").filter(|source| !source.path.starts_with("web/src/api/")) {
        for (number, line) in source.text.lines().enumerate() {
            if !is_comment(line) && words_at(line, "fetch(").any(|at| is_global(&line[..at])) {
                let sentence = "`fetch(`: call the API through the client in web/src/api";
                findings.push(Finding::new(&source.path, number + 1, sentence));
            }
        }
    }
    findings
}

fn code<'a>(tree: &'a Tree, folder: &'a str) -> impl Iterator<Item = &'a Source> {
    tree.sources
        .iter()
        .filter(move |source| in_folders(&source.path, &[folder]) && source.ends_in(CODE))
}

/// Whether a line is a comment by its first characters.
pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") || line.starts_with("/*") || line.starts_with('*')
}

/// Whether a call behind `before` is the browser's own and no other object's method.
fn is_global(before: &str) -> bool {
    match before.strip_suffix('.') {
        None => true,
        Some(object) => ["window", "globalThis", "self"]
            .iter()
            .any(|name| object.ends_with(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_found_unless_generated() {
        let text = "\n".repeat(LONGEST_FILE + 1);
        let tree = Tree::of(&[("web/src/a.tsx", &text), ("web/src/api/b.gen.ts", &text)]);
        assert_eq!(file_lengths(&tree).len(), 1);
    }

    #[test]
    fn raw_html_and_inline_styles_are_found() {
        let tree = Tree::of(&[
            ("web/src/a.tsx", "<p dangerouslySetInnerHTML={x} />"),
            ("web/index.html", "<body>\n<p style=\"color: red\">"),
        ]);
        let lines: Vec<usize> = forbidden_words(&tree)
            .iter()
            .map(|found| found.line)
            .collect();
        assert_eq!(lines, [1, 2]);
    }

    #[test]
    fn fetching_outside_the_client_is_found() {
        let text =
            "// fetch( here\nprefetch();\nquery.fetch();\nawait fetch(a);\nwindow.fetch(b);\n";
        let tree = Tree::of(&[("web/src/lib/a.ts", text), ("web/src/api/client.ts", text)]);
        let lines: Vec<usize> = only_the_client_fetches(&tree)
            .iter()
            .map(|found| found.line)
            .collect();
        assert_eq!(lines, [4, 5]);
    }
}
