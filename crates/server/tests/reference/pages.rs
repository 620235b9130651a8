//! Pages of the book and their generated parts.

use std::path::{Path, PathBuf};

/// Root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Text of a file, by its path from the root.
pub(crate) fn read(path: &str) -> String {
    let file = root().join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Files below a folder whose names end with one of `ends`.
pub(crate) fn files_below(folder: &Path, ends: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, ends, found);
        } else if ends.iter().any(|end| path.to_string_lossy().ends_with(end)) {
            found.push(path);
        }
    }
}

/// Compares the part of a page between two comments with what it should be. Writes it instead, if the environment
/// says so.
pub(crate) fn check_part(page: &str, name: &str, wanted: &str) {
    let text = read(page);
    let (begin, end) = (
        format!("<!-- {name}: written by `cargo xtask gen` -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let parts = text.split_once(&begin).and_then(|(before, rest)| {
        rest.split_once(&end).map(|(part, after)| (before, part, after))
    });
    let (before, part, after) = parts.unwrap_or_else(|| panic!("{page} has no part {name}"));
    let wanted = format!("\n{}\n\n", wanted.trim());
    if std::env::var_os("KITH_WRITE_REFERENCES").is_some() {
        let text = format!("{before}{begin}{wanted}{end}{after}");
        std::fs::write(root().join(page), text).unwrap();
    } else {
        assert_eq!(part, wanted, "{page} is out of date: run `cargo xtask gen`");
    }
}

/// A text as a cell of a table. Names in angle brackets are no HTML.
pub(crate) fn cell(text: &str) -> String {
    let text = text.trim().replace('|', "\\|").replace('\n', " ");
    let parts = text
        .split('`')
        .enumerate()
        .map(|(at, part)| if at % 2 == 0 { part.replace('<', "&lt;") } else { part.to_owned() });
    parts.collect::<Vec<_>>().join("`")
}
