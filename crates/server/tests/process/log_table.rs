//! Agreement of the manual's table of log lines with the source.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Collects the Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Returns the longest string literal of each `tracing::warn!` and `tracing::error!`, which is its message.
fn messages(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap();
    let calls = source.split("tracing::warn!(").skip(1);
    let calls = calls.chain(source.split("tracing::error!(").skip(1));
    let message = |call: &str| {
        let arguments = call.split(");\n").next().unwrap().split(")),").next().unwrap();
        let literals = arguments.split('"').skip(1).step_by(2);
        let longest = literals.max_by_key(|literal| literal.len()).unwrap_or_default();
        let lines = longest.split("\\\n").map(str::trim_start);
        lines.collect::<String>()
    };
    calls.map(message).collect()
}

/// proves: log-table
#[test]
fn the_manual_explains_every_warning_and_error() {
    let mut files = Vec::new();
    for name in ["db", "images", "platform", "server", "storage", "text"] {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    let logged = files.iter().flat_map(|file| messages(&std::fs::read_to_string(file).unwrap()));
    let logged = logged.collect::<BTreeSet<_>>();
    assert!(logged.len() > 40, "{logged:?}");
    let manual = std::fs::read_to_string(root().join("docs/admin/logs.md")).unwrap();
    let (_, table) = manual.split_once("| Line | Do |").unwrap();
    let table = table.split("\n\n").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    // The end of a server is not logged, but printed.
    let rows = rows.filter(|row| !row.starts_with("Another node")).map(str::to_owned);
    assert_eq!(rows.collect::<BTreeSet<_>>(), logged);
}
