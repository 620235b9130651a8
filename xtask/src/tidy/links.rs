//! Links in Markdown files lead somewhere.

use super::Finding;
use super::tree::Tree;

/// Every relative link names a file or folder of the repository.
pub(super) fn resolve(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.sources.iter().filter(|source| source.ends_in(&["md"])) {
        let mut in_block = false;
        for (number, line) in source.text.lines().enumerate() {
            let fence = line.trim_start();
            if fence.starts_with("```") || fence.starts_with("~~~") {
                in_block = !in_block;
                continue;
            }
            if in_block {
                continue;
            }
            for link in links(&without_code(line)) {
                let target = target(&source.path, &link);
                if target.is_some_and(|path| path.is_none_or(|path| !tree.has(&path))) {
                    let sentence = format!("the link `{link}` leads nowhere");
                    findings.push(Finding::new(&source.path, number + 1, sentence));
                }
            }
        }
    }
    findings
}

/// The line with its `code` blanked.
fn without_code(line: &str) -> String {
    let mut in_code = false;
    line.chars()
        .map(|character| {
            in_code ^= character == '`';
            if in_code { ' ' } else { character }
        })
        .collect()
}

/// The addresses in `[text](address)`, `[name]: address`, `src="address"` and `href="address"`.
fn links(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (before, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        for (at, _) in line.match_indices(before) {
            let rest = &line[at + before.len()..];
            found.extend(rest.split_once(end).map(|(address, _)| address));
        }
    }
    if line.trim_start().starts_with('[') {
        found.extend(line.split_once("]: ").map(|(_, address)| address));
    }
    // A title may follow an address.
    found
        .iter()
        .filter_map(|address| address.split_whitespace().next())
        .map(bare)
        .collect()
}

fn bare(address: &str) -> String {
    address
        .trim_start_matches('<')
        .trim_end_matches('>')
        .replace("%20", " ")
}

/// The path a link means: `None` when it leads out of the repository on purpose (an address or a
/// place in the same file), `Some(None)` when its dots climb out of it.
#[expect(
    clippy::option_option,
    reason = "not ours to check, climbing out, and a path"
)]
fn target(file: &str, link: &str) -> Option<Option<String>> {
    let path = link.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
        return None;
    }
    let mut parts: Vec<&str> = match path.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => file.split('/').collect(),
    };
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Some(None);
                }
            }
            part => parts.push(part),
        }
    }
    Some(Some(parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_links_are_found_and_good_ones_are_not() {
        let text = "[a](sql.md) [b](sql.md#rules \"Title\") [c](https://example.org/x) [d](#here)\n\
                    [e](../README.md) ![f](../web) [g](/docs/sql.md) `[h](none.md)`\n\
                    ```\n[i](none.md)\n```\n\
                    [j](none.md)\n<img src=\"none.png\">\n[k]: none.txt\n[l](../../out.md)\n";
        let tree = Tree::of(&[
            ("docs/page.md", text),
            ("docs/sql.md", ""),
            ("README.md", ""),
            ("web/index.html", ""),
        ]);
        let lines: Vec<usize> = resolve(&tree).iter().map(|found| found.line).collect();
        assert_eq!(lines, [6, 7, 8, 9]);
    }
}
