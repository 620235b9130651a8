//! The version, which several files state.

use super::Finding;
use super::tree::Tree;

const CHANGELOG: &str = "CHANGELOG.md";

/// JSON documents that repeat the version of the workspace.
const DOCUMENTS: &[&str] =
    &["web/package.json", "web/package-lock.json", "web/src/api/openapi.json"];

/// Checks that the newest version of the change log and the version of each package are that of the workspace.
pub(super) fn agrees(tree: &Tree) -> Vec<Finding> {
    let text_of = |path: &str| {
        tree.sources.iter().find(|source| source.path == path).map(|source| source.text.as_str())
    };
    let Some(wanted) = text_of("Cargo.toml").and_then(workspace_version) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for path in [CHANGELOG].iter().chain(DOCUMENTS) {
        let Some(text) = text_of(path) else {
            findings.push(Finding::new(path, 1, "the file is missing"));
            continue;
        };
        let found = match *path {
            CHANGELOG => newest_release(text),
            _ => first_version(text),
        };
        let (line, version) = found.unwrap_or((1, "none"));
        if version != wanted {
            let sentence = format!("the version is {version}, that of the workspace is {wanted}");
            findings.push(Finding::new(path, line, sentence));
        }
    }
    findings
}

/// Version in `[workspace.package]`.
fn workspace_version(manifest: &str) -> Option<&str> {
    let package = manifest.split_once("[workspace.package]")?.1;
    package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
}

/// Line and version of the first release: a heading `## [1.2.3] - 2026-11-28`. An unreleased section may precede it.
fn newest_release(text: &str) -> Option<(usize, &str)> {
    let mut headings = text.lines().zip(1..).filter_map(|(line, number)| {
        let (version, date) = line.strip_prefix("## [")?.split_once("] - ")?;
        is_date(date).then_some((number, version))
    });
    headings.next()
}

/// Line and value of the first member `version`.
fn first_version(text: &str) -> Option<(usize, &str)> {
    let before = "\"version\": \"";
    let begin = text.find(before)? + before.len();
    let (version, _) = text[begin..].split_once('"')?;
    Some((super::line_at(text, begin), version))
}

/// Whether the text has the form of `2026-11-28`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([4, 2, 2])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[workspace]\n\n[workspace.package]\nversion = \"1.2.0\"\n";

    fn findings(changelog: &str, package: &str) -> Vec<String> {
        let json = "{\n    \"version\": \"1.2.0\"\n}\n";
        let tree = Tree::of(&[
            ("Cargo.toml", MANIFEST),
            (CHANGELOG, changelog),
            ("web/package.json", package),
            ("web/package-lock.json", json),
            ("web/src/api/openapi.json", json),
        ]);
        agrees(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn equal_versions_are_accepted() {
        let log = "# Change log\n\n## [Unreleased]\n\n## [1.2.0] - 2026-11-28\n\n## [1.1.0] - 2026-10-01\n";
        assert!(findings(log, "{\n  \"version\": \"1.2.0\"\n}").is_empty());
    }

    #[test]
    fn other_and_missing_versions_are_found() {
        let found = findings("## [Unreleased]\n\n## [1.1.0] - 2026-10-01\n", "{}");
        assert_eq!(
            found,
            [
                "CHANGELOG.md:3: the version is 1.1.0, that of the workspace is 1.2.0",
                "web/package.json:1: the version is none, that of the workspace is 1.2.0"
            ]
        );
        assert_eq!(findings("## [1.2.0]\n", "\"version\": \"1.2.0\"").len(), 1, "no date");
    }
}
