//! Which part of the web app may import which: app → screens → features → ui | api | lib.

use super::tree::Tree;
use super::{Finding, web};

/// The layers from the top; a file may import from its own and from lower ones.
const LAYERS: &[&[&str]] = &[&["app"], &["screens"], &["features"], &["ui", "api", "lib"]];

/// Imports run downwards, and features don't know each other.
pub(super) fn direction(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.sources {
        let Some(place) = source.path.strip_prefix("web/src/") else {
            continue;
        };
        if !source.ends_in(&["ts", "tsx"]) {
            continue;
        }
        for (number, line) in source.text.lines().enumerate() {
            for target in imported(line).filter_map(|name| resolve(place, name)) {
                if let Some(sentence) = objection(place, &target) {
                    findings.push(Finding::new(&source.path, number + 1, sentence));
                }
            }
        }
    }
    findings
}

/// What is wrong with a file at `from` importing the one at `to`, both below `web/src`.
fn objection(from: &str, to: &str) -> Option<String> {
    let (above, below) = (layer(from)?, layer(to)?);
    if below < above {
        return Some(format!("imports `{to}`, which is a layer above"));
    }
    let feature = |path: &str| path.strip_prefix("features/").map(first_part);
    match (feature(from), feature(to)) {
        (Some(one), Some(other)) if one != other => {
            Some(format!("the feature `{one}` imports the feature `{other}`"))
        }
        _ => None,
    }
}

/// The number of a path's layer, 0 being the top; `None` for folders that are no layer.
fn layer(path: &str) -> Option<usize> {
    let Some((folder, _)) = path.split_once('/') else {
        // Files directly in `web/src`, such as the entry, belong to the app.
        return Some(0);
    };
    LAYERS.iter().position(|names| names.contains(&folder))
}

/// A folder's name, or a file's without its ending.
fn first_part(path: &str) -> String {
    path.split(['/', '.']).next().unwrap_or_default().to_owned()
}

/// The names in a line's import and export clauses.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    let line = if web::is_comment(line) { "" } else { line };
    ["from ", "import ", "import(", "mock("]
        .into_iter()
        .flat_map(move |before| {
            super::words_at(line, before).filter_map(move |at| {
                let rest = line[at + before.len()..].trim_start();
                let quote = rest
                    .chars()
                    .next()
                    .filter(|first| ['"', '\''].contains(first))?;
                rest[1..].split_once(quote).map(|(name, _)| name)
            })
        })
}

/// The path below `web/src` that `name` means in the file `from`; `None` for packages.
fn resolve(from: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = match name.strip_prefix("@/") {
        Some(_) => Vec::new(),
        None if name.starts_with('.') => from.split('/').rev().skip(1).collect(),
        None => return None,
    };
    if name.starts_with('.') {
        parts.reverse();
    }
    for part in name.strip_prefix("@/").unwrap_or(name).split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        direction(&Tree::of(&[(path, text)]))
            .iter()
            .map(|found| found.line)
            .collect()
    }

    #[test]
    fn importing_upwards_is_found() {
        let text = "import { a } from \"@/lib/a\";\nimport { b } from \"../screens/home\";\n\
                    // from \"@/app/c\"\nimport \"react\";\nconst d = import('@/app/d');\n";
        assert_eq!(lines("web/src/ui/button.tsx", text), [2, 5]);
        assert!(lines("web/src/app/shell.tsx", text).is_empty());
        assert!(lines("web/src/main.tsx", text).is_empty());
    }

    #[test]
    fn a_feature_importing_another_is_found() {
        let text = "import { a } from \"@/features/posts/a\";\nimport { b } from \"./b\";\n\
                    import { c } from \"../posts/c\";\n";
        assert_eq!(lines("web/src/features/profile/page.tsx", text), [1, 3]);
        assert!(lines("web/src/features/posts/list.tsx", text).is_empty());
        assert!(
            lines(
                "web/src/screens/home.tsx",
                "import { a } from '@/features/posts/a'"
            )
            .is_empty()
        );
    }
}
