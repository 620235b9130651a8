//! Fingerprints of files, for skipping work with unchanged input.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::support::paths;

/// Fingerprint of paths in the repository and contents, in the given order. Not stable across compilers or machines.
pub(crate) fn of_files(files: &[PathBuf]) -> Result<String> {
    let (mut hasher, root) = (DefaultHasher::new(), paths::root());
    for file in files {
        // Worktrees may share what was installed for the same files.
        file.strip_prefix(&root).unwrap_or(file).hash(&mut hasher);
        fs::read(file)
            .with_context(|| format!("cannot read {}", file.display()))?
            .hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Fingerprint of names and sizes: cheap, and enough to detect another build.
pub(crate) fn of_sizes(files: &[PathBuf]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        (file, fs::metadata(file)?.len()).hash(&mut hasher);
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// All files below `folder`, sorted, except hidden ones and entries named in `skip`.
pub(crate) fn files_below(folder: &Path, skip: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') || skip.contains(&name.as_ref()) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_byte_changes_the_fingerprint_and_skipped_files_do_not() {
        let folder = std::env::temp_dir().join(format!("kith-fingerprint-{}", std::process::id()));
        fs::create_dir_all(folder.join("node_modules")).expect("temp folder");
        let print = || {
            let files = files_below(&folder, &["node_modules"]).expect("list");
            of_files(&files).expect("fingerprint")
        };
        fs::write(folder.join("a.ts"), "1").expect("write");
        let before = print();
        fs::write(folder.join("node_modules/b.js"), "ignored").expect("write");
        assert_eq!(before, print());
        fs::write(folder.join("a.ts"), "2").expect("write");
        assert_ne!(before, print());
        fs::remove_dir_all(&folder).expect("clean up");
    }
}
