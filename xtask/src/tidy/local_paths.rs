//! Keeps paths of a developer's machine out of the repository.

use super::Finding;
use super::tree::Tree;

/// First folders of absolute paths on a developer's machine.
const FOLDERS: &[&str] = &["home", "Users", "root", "work", "workspace"];

/// Folders beside a checkout, which a clone lacks.
const SIBLING_FOLDERS: &[&str] = &["shared"];

/// Checks that no file contains an absolute path of one machine or a path outside the repository.
pub(super) fn no_local_paths(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in &tree.sources {
        for (number, line) in source.text.lines().enumerate() {
            let absolute = FOLDERS.iter().map(|folder| format!("/{folder}/"));
            if let Some(path) = absolute.into_iter().find(|path| names_folder(line, path)) {
                let sentence = format!("`{path}…` is an absolute path of one machine");
                findings.push(Finding::new(&source.path, number + 1, sentence));
            }
            let beside = SIBLING_FOLDERS.iter().map(|folder| format!("../{folder}"));
            if let Some(path) = beside.into_iter().find(|path| line.contains(path.as_str())) {
                let sentence = format!("`{path}` is outside the repository");
                findings.push(Finding::new(&source.path, number + 1, sentence));
            }
        }
    }
    findings
}

/// Whether a path in the line begins with `folder` and continues after it.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let continues = line[..at].ends_with(|before: char| {
            before.is_alphanumeric() || ['.', '_', '-', '/', '}', ')', '~', '*'].contains(&before)
        });
        let goes_on = line[at + folder.len()..].starts_with(super::is_word);
        !continues && goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        no_local_paths(&Tree::of(&[("docs/a.md", text)])).len()
    }

    #[test]
    fn machine_paths_are_found() {
        for folder in FOLDERS {
            assert_eq!(found(&format!("see \"/{folder}/someone/kith\"")), 1, "{folder}");
        }
        assert_eq!(found(&format!("see {}/notes.md", ["..", "shared"].join("/"))), 1);
    }

    #[test]
    fn other_paths_are_not() {
        for text in ["https://example.org/home/a", "web/src/home/a.ts", "`/root/`", "/var/lib/kith"]
        {
            assert_eq!(found(text), 0, "{text}");
        }
    }
}
