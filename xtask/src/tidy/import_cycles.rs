//! Rule against cycles of imports between files of the server.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{Source, Tree};
use super::{Finding, is_word, words_at};

/// Files of the server by module.
type Files<'a> = BTreeMap<String, &'a Source>;

/// Files that each file imports, all by path.
type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Checks that no file of the server imports itself by way of others.
pub(super) fn no_import_cycles(tree: &Tree) -> Vec<Finding> {
    let product = tree.sources.iter().filter(|source| source.is_product());
    let files: Files<'_> =
        product.filter_map(|source| Some((module_of(&source.path)?, source))).collect();
    let imports: Imports<'_> =
        files.values().map(|source| (source.path.as_str(), imports_of(source, &files))).collect();
    let mut findings = Vec::new();
    for (path, next) in &imports {
        if let Some(next) = next.iter().find(|next| reachable(&imports, next).contains(path)) {
            let sentence =
                format!("imports `{next}`, which imports this file, maybe by way of others");
            findings.push(Finding::new(path, 1, sentence));
        }
    }
    findings
}

/// Returns the files that a file imports.
fn imports_of<'a>(source: &Source, files: &Files<'a>) -> BTreeSet<&'a str> {
    let code = source.shipped_code();
    let modules = words_at(&code, "crate::").flat_map(|at| imported(&code[at..]));
    let paths = modules.filter_map(|module| find_file(files, &module));
    paths.filter(|path| *path != source.path).collect()
}

/// Returns the module of a file of the server, such as `features::posts::create`.
fn module_of(path: &str) -> Option<String> {
    let module = path.strip_prefix("crates/server/src/")?.strip_suffix(".rs")?;
    Some(module.strip_suffix("/mod").unwrap_or(module).replace('/', "::"))
}

/// Returns the paths, without `crate::`, that code which begins with `crate::` imports: several for a group in braces.
fn imported(code: &str) -> Vec<String> {
    let path_of = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| is_word(*c) || *c == ':').collect()
    };
    let path = path_of(&code["crate::".len()..]);
    let rest = &code["crate::".len() + path.len()..];
    match rest.strip_prefix('{').and_then(|group| group.split('}').next()) {
        Some(group) => group.split(',').map(|item| path.clone() + &path_of(item)).collect(),
        None => vec![path],
    }
}

/// Returns the file of the longest prefix of a path that is a module.
fn find_file<'a>(files: &Files<'a>, path: &str) -> Option<&'a str> {
    let mut module = path;
    loop {
        if let Some(file) = files.get(module) {
            return Some(&file.path);
        }
        module = module.rsplit_once("::")?.0;
    }
}

/// Returns all files that a file imports, directly or by way of others.
fn reachable<'a>(imports: &Imports<'a>, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = imports.get(from).into_iter().flatten().copied().collect();
    while let Some(path) = open.pop() {
        if found.insert(path) {
            open.extend(imports.get(path).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_a_cycle_are_found_and_others_are_not() {
        let tree = Tree::of(&[
            ("crates/server/src/http/a.rs", "use crate::http::b::{C, d};\n"),
            ("crates/server/src/http/b.rs", "use crate::features::{other, posts::Post};\n"),
            ("crates/server/src/features/posts.rs", "fn f() { crate::http::a::run() }\n"),
            ("crates/server/src/features/other.rs", "use crate::http::a;\n"),
            ("crates/server/src/main.rs", "use crate::http::a;\n// crate::main\n"),
        ]);
        let paths: Vec<_> = no_import_cycles(&tree).into_iter().map(|found| found.path).collect();
        assert_eq!(
            paths,
            [
                "crates/server/src/features/other.rs",
                "crates/server/src/features/posts.rs",
                "crates/server/src/http/a.rs",
                "crates/server/src/http/b.rs"
            ]
        );
        let tree = Tree::of(&[
            ("crates/server/src/http/a.rs", "use crate::http::b;\n"),
            ("crates/server/src/http/b.rs", "//! See `crate::http::a`.\n"),
        ]);
        assert!(no_import_cycles(&tree).is_empty());
    }
}
