//! Parses the statements of `docs/product.md`: one line each, with an id in bold.

use crate::tidy::Finding;

const SHAPE: &str = "a statement is one line of the form `- **some-id** What is so.`";
const REASON: &str = "(not yet:";

/// A heading with its statements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// Text of the heading.
    pub(super) title: String,
    /// Statements in order.
    pub(super) statements: Vec<Statement>,
}

/// A statement about the product.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// Id, referenced by tests.
    pub(super) id: String,
    /// Text without the reason at its end.
    pub(super) text: String,
    /// Reason for a missing test.
    pub(super) not_yet: Option<String>,
    /// Line number, from 1.
    pub(super) line: usize,
}

/// Parses a page; also returns findings for malformed statements.
pub(super) fn parse(path: &str, page: &str) -> (Vec<Section>, Vec<Finding>) {
    let (mut sections, mut findings) = (Vec::<Section>::new(), Vec::new());
    let mut ids = std::collections::BTreeSet::new();
    let mut follows_statement = false;
    for (number, line) in (1..).zip(page.lines()) {
        let mut complain = |sentence: &str| findings.push(Finding::new(path, number, sentence));
        let is_statement = line.starts_with("- ");
        if let Some(title) = line.strip_prefix("## ") {
            sections.push(Section { title: title.trim().to_owned(), statements: Vec::new() });
        } else if is_statement {
            match (statement(line, number), sections.last_mut()) {
                (Err(sentence), _) => complain(sentence),
                (Ok(_), None) => complain("a statement needs a heading above it"),
                (Ok(found), Some(_)) if !ids.insert(found.id.clone()) => {
                    complain(&format!("the id `{}` is taken", found.id));
                }
                (Ok(found), Some(section)) => section.statements.push(found),
            }
        } else if follows_statement && !line.trim().is_empty() {
            complain(SHAPE);
        }
        follows_statement = is_statement;
    }
    (sections, findings)
}

fn statement(line: &str, number: usize) -> Result<Statement, &'static str> {
    let rest = line.strip_prefix("- **").ok_or(SHAPE)?;
    let (id, text) = rest.split_once("** ").ok_or(SHAPE)?;
    let of_id = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    if id.is_empty() || !id.split('-').all(|word| word.starts_with(of_id)) {
        return Err(SHAPE);
    }
    if !id.chars().all(|letter| of_id(letter) || letter == '-') {
        return Err(SHAPE);
    }
    let text = text.trim();
    let (text, not_yet) = match text.rsplit_once(REASON) {
        None => (text, None),
        Some((before, reason)) => {
            let reason = reason.strip_suffix(')').map(str::trim);
            let reason = reason.filter(|reason| !reason.is_empty());
            let reason = reason.ok_or("`(not yet: why)` must be at the end and give a reason")?;
            (before.trim(), Some(reason.to_owned()))
        }
    };
    if text.is_empty() {
        return Err(SHAPE);
    }
    Ok(Statement { id: id.to_owned(), text: text.to_owned(), not_yet, line: number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(page: &[&str]) -> (Vec<Section>, Vec<usize>) {
        let (sections, findings) = parse("docs/product.md", &page.join("\n"));
        let lines = findings.iter().map(|finding| finding.line).collect();
        (sections, lines)
    }

    #[test]
    fn statements_are_read_by_heading() {
        let page = [
            "# Product",
            "Some words.",
            "## Posts",
            "",
            "- **post-length** At most 500.",
            "- **post-2** Polls. (not yet: it is not built)",
            "## Empty",
        ];
        let (sections, wrong) = lines(&page);
        assert_eq!(wrong, [0; 0]);
        let titles: Vec<&str> = sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles, ["Posts", "Empty"]);
        let [first, second] = &sections[0].statements[..] else {
            panic!("two statements: {sections:?}");
        };
        assert_eq!(
            (first.id.as_str(), first.text.as_str(), first.line),
            ("post-length", "At most 500.", 5)
        );
        assert_eq!((second.text.as_str(), &first.not_yet), ("Polls.", &None));
        assert_eq!(second.not_yet.as_deref(), Some("it is not built"));
    }

    #[test]
    fn malformed_statements_are_found() {
        let page = [
            "- **too-early** Before any heading.",
            "## Posts",
            "- no id",
            "- **Upper** x",
            "- **-a** x",
            "- **a b** x",
            "- **empty** ",
            "- **no-reason** x (not yet: )",
            "- **middle** x (not yet: why) y",
            "- **good** x",
            "  and more",
            "- **good** again",
        ];
        assert_eq!(lines(&page).1, [1, 3, 4, 5, 6, 7, 8, 9, 11, 12]);
    }
}
