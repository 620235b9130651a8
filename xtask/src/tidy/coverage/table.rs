//! Renders the page that maps statements to tests.

use std::collections::BTreeMap;

use super::annotations::Annotation;
use super::statements::{Section, Statement};

/// Annotations of tests by statement id.
pub(super) type Proofs<'a> = BTreeMap<&'a str, Vec<&'a Annotation>>;

/// Maximum number of characters of a statement in a row.
const MAX_TEXT_CHARS: usize = 90;

const INTRODUCTION: &str = "# Which test proves what\n\n\
    Written by `cargo xtask coverage` from [product.md](product.md) and the `proves:` marks in the\n\
    tests. `cargo xtask tidy` fails while the page differs from what would be written: change the\n\
    statements or the tests, not this page.\n";

/// Renders the page.
pub(super) fn page(sections: &[Section], proofs: &Proofs<'_>) -> String {
    let mut lines = vec![INTRODUCTION.to_owned()];
    lines.extend(summary(sections, proofs));
    for section in sections.iter().filter(|section| !section.statements.is_empty()) {
        let head = "| Statement | What is so | Proven by |\n|---|---|---|";
        lines.push(format!("\n## {}\n\n{head}", section.title));
        lines.extend(section.statements.iter().map(|statement| row(statement, proofs)));
    }
    lines.join("\n") + "\n"
}

fn row(statement: &Statement, proofs: &Proofs<'_>) -> String {
    let id = &statement.id;
    let text = shortened(&statement.text);
    let shown = proof(statement, proofs.get(id.as_str()));
    format!("| `{id}` | {text} | {shown} |")
}

/// Number of proven statements, and reasons for the others.
fn summary(sections: &[Section], proofs: &Proofs<'_>) -> Vec<String> {
    let all: Vec<&Statement> = sections.iter().flat_map(|section| &section.statements).collect();
    let is_proven = |statement: &&&Statement| proofs.contains_key(statement.id.as_str());
    let proven = all.iter().filter(is_proven).count();
    let mut reasons = BTreeMap::<&str, usize>::new();
    for reason in all.iter().filter_map(|statement| statement.not_yet.as_deref()) {
        *reasons.entry(reason).or_default() += 1;
    }
    let mut rows: Vec<(&str, usize)> = reasons.into_iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let (count, missing) = (all.len(), all.len() - proven);
    let mut lines = vec![format!("**{count} statements: {proven} proven, {missing} not yet.**")];
    if !rows.is_empty() {
        lines.push("\n| Not yet, because | Statements |\n|---|---|".to_owned());
    }
    let shown = rows.iter();
    lines.extend(shown.map(|(reason, count)| format!("| {} | {count} |", cell(reason))));
    lines
}

fn proof(statement: &Statement, annotations: Option<&Vec<&Annotation>>) -> String {
    let Some(annotations) = annotations else {
        let reason = statement.not_yet.as_deref().unwrap_or("no reason is given");
        return format!("not yet: {}", cell(reason));
    };
    let mut links: Vec<String> =
        annotations.iter().filter_map(|annotation| link(annotation)).collect();
    links.sort();
    links.dedup();
    links.join("<br>")
}

fn link(annotation: &Annotation) -> Option<String> {
    let name = cell(annotation.test.as_deref()?).replace('`', "'");
    Some(format!("[`{name}`](../{})", annotation.path))
}

/// Shortens a statement between words and outside of `code`.
fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_TEXT_CHARS {
        return cell(text);
    }
    let mut short = String::new();
    for word in text.split(' ') {
        if short.chars().count() + word.chars().count() >= MAX_TEXT_CHARS {
            break;
        }
        short.push_str(word);
        short.push(' ');
    }
    if short.matches('`').count() % 2 == 1 {
        short.truncate(short.rfind('`').unwrap_or_default());
    }
    cell(&format!("{} …", short.trim_end()))
}

/// Escapes text for a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_statements_are_cut_outside_of_code() {
        assert_eq!(shortened("Short | and whole."), "Short \\| and whole.");
        let long = format!("{} `PUT /api/things/{{id}}` does", "word ".repeat(17));
        assert_eq!(shortened(&long), format!("{} …", "word ".repeat(17).trim()));
    }

    #[test]
    fn a_page_counts_and_links() {
        let statement = |id: &str, not_yet: Option<&str>| Statement {
            id: id.to_owned(),
            text: "So it is.".to_owned(),
            not_yet: not_yet.map(str::to_owned),
            line: 1,
        };
        let sections = [Section {
            title: "Posts".to_owned(),
            statements: vec![statement("a", None), statement("b", Some("no test"))],
        }];
        let annotation = |test: &str| Annotation {
            id: "a".to_owned(),
            path: "crates/a.rs".to_owned(),
            line: 1,
            test: Some(test.to_owned()),
        };
        let annotations = [annotation("two"), annotation("one"), annotation("two")];
        let proofs = Proofs::from([("a", annotations.iter().collect())]);
        let page = page(&sections, &proofs);
        for expected in [
            "\n**2 statements: 1 proven, 1 not yet.**\n",
            "\n| no test | 1 |\n",
            "\n| `a` | So it is. | [`one`](../crates/a.rs)<br>[`two`](../crates/a.rs) |\n",
            "\n| `b` | So it is. | not yet: no test |\n",
        ] {
            assert!(page.contains(expected), "{expected} in\n{page}");
        }
    }
}
