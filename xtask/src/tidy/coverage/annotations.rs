//! Finds `proves:` annotations in comments, and the tests below them.

use crate::tidy::is_word;
use crate::tidy::tree::{Source, in_folders};

/// A statement id in an annotation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Annotation {
    /// Statement id.
    pub(super) id: String,
    /// Path of the file.
    pub(super) path: String,
    /// Line number, from 1.
    pub(super) line: usize,
    /// Name of the test below; `None` if it is not a test or is ignored.
    pub(super) test: Option<String>,
}

/// Finds all annotations of a file in order; empty for files without tests.
pub(super) fn find(source: &Source) -> Vec<Annotation> {
    let name: fn(&[&str], usize) -> Option<String> = if source.is_rust() {
        rust_test
    } else if source.ends_in(&["ts", "tsx"]) && in_folders(&source.path, &["web/"]) {
        web_test
    } else {
        return Vec::new();
    };
    let lines: Vec<&str> = source.text.lines().collect();
    let mut annotations = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(ids) = annotated_ids(line) else {
            continue;
        };
        let test = name(&lines, at);
        annotations.extend(ids.split(',').map(|id| Annotation {
            id: id.trim().to_owned(),
            path: source.path.clone(),
            line: at + 1,
            test: test.clone(),
        }));
    }
    annotations
}

/// The list of ids if the line is a `proves:` comment.
fn annotated_ids(line: &str) -> Option<&str> {
    let comment = line.trim().strip_prefix("//")?;
    let text = comment.trim_start_matches('/').trim_start();
    text.strip_prefix("proves:").map(str::trim)
}

/// Name of the Rust test whose comments and attributes include line `at`.
fn rust_test(lines: &[&str], at: usize) -> Option<String> {
    let is_head = |line: &&str| {
        let line = line.trim_start();
        line.starts_with("//") || line.starts_with("#[")
    };
    let above = lines[..at].iter().rev().take_while(|line| is_head(line));
    let first = at - above.count();
    let mut is_test = false;
    let mut in_attribute = false;
    for line in lines[first..].iter().map(|line| line.trim()) {
        if in_attribute || line.starts_with("#[") {
            in_attribute = !line.ends_with(']');
            is_test |= line.starts_with("#[test") || line.starts_with("#[tokio::test");
            if line.starts_with("#[ignore") {
                return None;
            }
        } else if let Some(step) = suite_step(line) {
            return Some(format!("cargo xtask test --only {step}"));
        } else if !line.starts_with("//") {
            let (_, declared) = line.split_once("fn ")?;
            let (name, parameters) = declared.split_once('(')?;
            return (is_test || is_of_macro(parameters)).then(|| name.to_owned());
        }
    }
    None
}

/// Name of the suite's step that begins on a line.
fn suite_step(line: &str) -> Option<&str> {
    let call = line.strip_prefix("browser_").unwrap_or(line);
    call.strip_prefix("step(\"")?.split('"').next()
}

/// Whether a function has a single parameter without a type, as tests in `on_both_engines!` do.
fn is_of_macro(parameters: &str) -> bool {
    let only = parameters.split_once(')').map_or("", |(only, _)| only);
    !only.is_empty() && only.chars().all(is_word)
}

/// Name of the web test below the comment at `at`, with its `describe` group.
fn web_test(lines: &[&str], at: usize) -> Option<String> {
    let is_comment = |line: &&&str| line.trim_start().starts_with("//");
    let first = at + lines[at..].iter().take_while(is_comment).count();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let name = test_title(&lines.get(first..)?.join("\n"), &["test", "it"])?;
    let group = lines[..first]
        .iter()
        .rev()
        .find(|line| line.trim_start().starts_with("describe(") && indent(line) < indent(lines[at]))
        .and_then(|line| test_title(line, &["describe"]));
    Some(match group {
        Some(group) => format!("{group} › {name}"),
        None => name,
    })
}

/// First string argument of a call to one of `heads`, also after `.each(…)`.
fn test_title(text: &str, heads: &[&str]) -> Option<String> {
    let text = text.trim_start();
    let call = heads.iter().find_map(|head| text.strip_prefix(head))?;
    let call = match call.strip_prefix(".each") {
        Some(table) => &table[closing_parenthesis(table)?..],
        None => call,
    };
    let inside = call.strip_prefix('(')?.trim_start();
    let quote = inside.chars().next().filter(|letter| is_quote(*letter))?;
    let name = inside[1..].split(quote).next()?;
    Some(name.to_owned())
}

/// Offset behind the parenthesis that closes the first one, ignoring quoted ones.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(end), _) if letter == end => quote = None,
            (None, _) if is_quote(letter) => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') if depth <= 1 => return Some(at + 1),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    None
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, lines: &[&str]) -> Vec<(String, Option<String>)> {
        let source = Source { path: path.to_owned(), text: lines.join("\n") };
        let annotations = find(&source).into_iter();
        annotations.map(|annotation| (annotation.id, annotation.test)).collect()
    }

    fn only(path: &str, lines: &[&str]) -> Option<String> {
        let annotations = found(path, lines);
        assert_eq!(annotations.len(), 1, "{annotations:?}");
        annotations.into_iter().next().and_then(|(_, test)| test)
    }

    const RUST: &str = "crates/server/tests/api/posts.rs";
    const WEB: &str = "web/e2e/member.spec.ts";

    #[test]
    fn an_annotation_may_name_several_statements() {
        let lines = [
            "    /// Words.",
            "    /// proves: a-1, b",
            "    /// proves: c",
            "    async fn both(server) {",
        ];
        let both = |id: &str| (id.to_owned(), Some("both".to_owned()));
        assert_eq!(found(RUST, &lines), [both("a-1"), both("b"), both("c")]);
        let elsewhere = found("docs/product.md", &lines);
        assert_eq!(elsewhere, []);
        assert_eq!(found(RUST, &["let x = 1; // proves: a"]), []);
    }

    #[test]
    fn rust_tests_are_named() {
        for (lines, name) in [
            (&["/// proves: a", "#[test]", "fn one() {"][..], Some("one")),
            (&["#[test]", "// proves: a", "fn above() {"], Some("above")),
            (
                &[
                    "/// proves: a",
                    "#[tokio::test(",
                    "flavor = \"multi_thread\"",
                    ")]",
                    "async fn wide() {",
                ],
                Some("wide"),
            ),
            (
                &["// proves: a", "browser_step(\"e2e\", \"About\", |_| end()),"],
                Some("cargo xtask test --only e2e"),
            ),
            (&["/// proves: a", "fn helper() {"], None),
            (&["/// proves: a", "async fn helper(server: Server) {"], None),
            (&["/// proves: a", "#[test]", "#[ignore]", "fn off() {"], None),
            (&["/// proves: a", "", "#[test]", "fn apart() {"], None),
            (&["/// proves: a"], None),
        ] {
            assert_eq!(only(RUST, lines).as_deref(), name, "{lines:?}");
        }
    }

    #[test]
    fn web_tests_are_named() {
        for (lines, name) in [
            (&["// proves: a", "test(\"it works\", async () => {"][..], Some("it works")),
            (
                &["// proves: a", "// more", "test(", "  'on its own line',"],
                Some("on its own line"),
            ),
            (
                &[
                    "describe(\"other\", () => {",
                    "});",
                    "describe(\"group\", () => {",
                    "  // proves: a",
                    "  it.each([",
                    "    [\"(\", \"\\\")\"],",
                    "  ])(\"%j is %j\", () => {",
                ],
                Some("group › %j is %j"),
            ),
            (&["// proves: a", "test.skip(\"off\", () => {"], None),
            (&["// proves: a", "test.use({ a: 1 });"], None),
            (&["// proves: a", "const x = 1;"], None),
        ] {
            assert_eq!(only(WEB, lines).as_deref(), name, "{lines:?}");
        }
    }
}
