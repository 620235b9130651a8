//! The source of the book: `docs/`, the pages outside of it that the summary lists, and the files that pages link to.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::support::{fingerprint, paths};

/// Folder of the linked files in the book.
const FILES: &str = "files";

/// Writes `book.toml`, the pages and the linked files into a folder, which is emptied before.
pub(super) fn write_source(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let root = paths::root();
    copy(&root.join("book.toml"), &folder.join("book.toml"))?;
    // Pages include samples from it.
    copy_folder("deploy", &folder.join("deploy"))?;
    copy_folder("docs", &folder.join("docs"))?;
    let summary = read(&root.join("docs/SUMMARY.md"))?;
    let moved = pages_outside(&summary);
    for page in page_paths(&root)?.into_iter().chain(moved.keys().cloned()) {
        let text = read(&root.join(&page))?;
        let to = place(&page, &moved);
        let text = rewrite_links(&text, |link| {
            let target = resolve(&page, link);
            let new = place(&target, &moved);
            if new.starts_with(FILES) && root.join(&target).is_file() {
                copy(&root.join(&target), &folder.join("docs").join(&new))?;
            }
            Ok(relative(&to, &new))
        })?;
        let file = folder.join("docs").join(&to);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Pages outside of `docs/` that the summary lists, from the root, with their paths in the book.
fn pages_outside(summary: &str) -> BTreeMap<String, String> {
    let links = links_in(summary).into_iter().map(|at| &summary[at]);
    let outside = links.filter_map(|link| link.strip_prefix("../"));
    outside.map(|path| (path.to_owned(), path.to_lowercase())).collect()
}

/// Path of a file of the repository in the book.
fn place(path: &str, moved: &BTreeMap<String, String>) -> String {
    match (moved.get(path), path.strip_prefix("docs/")) {
        (Some(page), _) => page.clone(),
        (None, Some(inside)) => inside.to_owned(),
        (None, None) => format!("{FILES}/{path}"),
    }
}

/// Pages of `docs/`, from the root.
fn page_paths(root: &Path) -> Result<Vec<String>> {
    let files = fingerprint::files_below(&root.join("docs"), &[])?;
    let pages = files.iter().filter(|file| file.extension().is_some_and(|end| end == "md"));
    let pages = pages.filter_map(|file| file.strip_prefix(root).ok());
    Ok(pages.map(|file| file.to_string_lossy().into_owned()).collect())
}

/// Replaces the path of each link to a file; keeps fragments and other URLs.
fn rewrite_links(text: &str, mut new: impl FnMut(&str) -> Result<String>) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    let mut end = 0;
    for at in links_in(text) {
        let link = &text[at.clone()];
        let (path, fragment) = link.split_at(link.find('#').unwrap_or(link.len()));
        if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
            continue;
        }
        out.push_str(&text[end..at.start]);
        out.push_str(&new(path)?);
        out.push_str(fragment);
        end = at.end;
    }
    out.push_str(&text[end..]);
    Ok(out)
}

/// Byte ranges of the targets of links and images, `](target)`, outside of code blocks.
pub(crate) fn links_in(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let (mut offset, mut in_code) = (0, false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        let starts = line.match_indices("](").map(|(at, _)| at + 2);
        for start in starts.filter(|_| !in_code) {
            if let Some(length) = line[start..].find(')') {
                found.push(offset + start..offset + start + length);
            }
        }
        offset += line.len();
    }
    found
}

/// Path, from the root, of what a page links to.
pub(crate) fn resolve(page: &str, link: &str) -> String {
    let mut parts: Vec<Component<'_>> = Vec::new();
    let joined = Path::new(page).parent().unwrap_or(Path::new("")).join(link);
    for part in joined.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir => {}
            other => parts.push(other),
        }
    }
    parts.iter().collect::<PathBuf>().to_string_lossy().into_owned()
}

/// Relative path from a page to a file, both from the root of the book.
fn relative(page: &str, to: &str) -> String {
    format!("{}{to}", "../".repeat(page.matches('/').count()))
}

fn copy_folder(name: &str, to: &Path) -> Result<()> {
    let from = paths::root().join(name);
    for file in fingerprint::files_below(&from, &[])? {
        copy(&file, &to.join(file.strip_prefix(&from)?))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("a file has a folder")?;
    fs::create_dir_all(folder)?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_files_are_rewritten_and_others_kept() {
        let text = "[a](../x.md#part) [b](#here) [c](https://host/x.md)\n```sh\n[d](x.md)\n```\n";
        let new = rewrite_links(text, |path| Ok(format!("<{path}>"))).expect("no file is read");
        assert_eq!(
            new,
            "[a](<../x.md>#part) [b](#here) [c](https://host/x.md)\n```sh\n[d](x.md)\n```\n"
        );
    }

    #[test]
    fn files_outside_of_docs_get_a_place_in_the_book() {
        let moved = pages_outside("- [C](../CONTRIBUTING.md)\n- [A](admin/backup.md)\n");
        assert_eq!(place("CONTRIBUTING.md", &moved), "contributing.md");
        assert_eq!(place(&resolve("docs/admin/a.md", "../b.md"), &moved), "b.md");
        let sample = resolve("docs/admin/a.md", "../../deploy/Caddyfile");
        assert_eq!(relative("admin/a.md", &place(&sample, &moved)), "../files/deploy/Caddyfile");
    }
}
