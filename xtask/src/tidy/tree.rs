//! Files of the repository, as input of the rules.

use std::collections::BTreeSet;
use std::fs;

use anyhow::Result;

use super::mask;
use crate::support::{fingerprint, paths, process};

/// Larger files are data, not source text.
const MAX_TEXT_BYTES: u64 = 1024 * 1024;

/// A text file.
pub(super) struct Source {
    /// Path from the root, with forward slashes.
    pub(super) path: String,
    /// Content.
    pub(super) text: String,
}

/// All files that are, or would be, committed.
pub(super) struct Tree {
    /// Text files.
    pub(super) sources: Vec<Source>,
    /// Paths of all files, including binary ones.
    pub(super) paths: BTreeSet<String>,
}

impl Source {
    /// Whether the extension is one of `extensions`.
    pub(super) fn ends_in(&self, extensions: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, end)| extensions.contains(&end))
    }

    /// Whether this is a Rust file of a crate or of xtask.
    pub(super) fn is_rust(&self) -> bool {
        self.ends_in(&["rs"]) && in_folders(&self.path, &["crates/", "xtask/"])
    }

    /// Whether this is a Rust file of the product: below `crates/*/src`, and not a test.
    pub(super) fn is_product(&self) -> bool {
        let mut parts = self.path.split('/');
        parts.next() == Some("crates")
            && parts.nth(1) == Some("src")
            && self.ends_in(&["rs"])
            && !self.path.ends_with("/tests.rs")
            && !self.path.contains("/tests/")
    }

    /// Code without comments, literals and test modules.
    pub(super) fn shipped_code(&self) -> String {
        mask::without_tests(&mask::code(&self.text))
    }
}

impl Tree {
    /// Lists the files with git; without git, skips generated folders.
    pub(super) fn load() -> Result<Self> {
        let root = paths::root();
        let mut tree = Self { sources: Vec::new(), paths: BTreeSet::new() };
        for path in list_files()? {
            let file = root.join(&path);
            // git still lists a file that was removed but not committed.
            let Ok(data) = fs::metadata(&file) else {
                continue;
            };
            if data.is_file()
                && data.len() <= MAX_TEXT_BYTES
                && let Ok(text) = fs::read_to_string(&file)
            {
                tree.sources.push(Source { path: path.clone(), text });
            }
            tree.paths.insert(path);
        }
        Ok(tree)
    }

    /// A tree of given files, for tests of the rules.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let source = |(path, text): &(&str, &str)| Source {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        Self {
            sources: files.iter().map(source).collect(),
            paths: files.iter().map(|(path, _)| (*path).to_owned()).collect(),
        }
    }
}

/// Whether `path` starts with one of `folders`.
pub(super) fn in_folders(path: &str, folders: &[&str]) -> bool {
    folders.iter().any(|folder| path.starts_with(folder))
}

fn list_files() -> Result<Vec<String>> {
    // Another account than the tester's may own the checkout.
    let arguments = ["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others"];
    let mut git = process::command("git", &arguments);
    if let Some(printed) = process::stdout_of(git.arg("--exclude-standard")) {
        let names = printed.split('\0').filter(|name| !name.is_empty());
        return Ok(names.map(str::to_owned).collect());
    }
    let skip = ["target", "node_modules", "dist", "data", "test-results", "playwright-report"];
    let root = paths::root();
    let files = fingerprint::files_below(&root, &skip)?;
    let names = files.iter().filter_map(|file| file.strip_prefix(&root).ok());
    Ok(names.map(|name| name.to_string_lossy().into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_files_exclude_tests_and_xtask() {
        let tree = Tree::of(&[
            ("crates/server/src/features/posts/create.rs", ""),
            ("crates/server/src/features/posts/tests.rs", ""),
            ("crates/server/tests/api/posts.rs", ""),
            ("xtask/src/main.rs", ""),
        ]);
        let product: Vec<bool> = tree.sources.iter().map(Source::is_product).collect();
        assert_eq!(product, [true, false, false, false]);
        assert!(tree.sources.iter().all(Source::is_rust));
    }

    #[test]
    fn the_real_tree_has_this_file() {
        let tree = Tree::load().expect("the repository can be listed");
        assert!(tree.paths.contains("xtask/src/tidy/tree.rs"));
    }
}
