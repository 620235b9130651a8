//! Rules for what in the server may know what.

use super::tree::{Source, Tree, in_folders};
use super::{Finding, line_at, words_at};

/// The only files that list routes.
const ROUTES: &[&str] = &["crates/server/src/router.rs"];

/// What features stand on.
const FLOORS: &[&str] = &["crates/db/", "crates/storage/"];

/// The only files that read the wall clock: the clock of `App`, and what signs requests to S3,
/// which compares the time of a signature with its own.
const CLOCKS: &[&str] = &[
    "crates/server/src/clock.rs",
    "crates/storage/src/s3/client.rs",
];

/// A floor is below everything else of this workspace and does not look up.
pub(super) fn floors_know_no_feature(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let on_floor = |source: &&Source| in_folders(&source.path, FLOORS);
    for source in tree.sources.iter().filter(on_floor) {
        if source.path.ends_with("Cargo.toml") {
            for (at, line) in source.text.lines().enumerate() {
                let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
                if name.starts_with("kith") || line.contains("\"../") {
                    let sentence = "a floor must not depend on another crate of this workspace";
                    findings.push(Finding::new(&source.path, at + 1, sentence));
                }
            }
        } else if source.is_rust() {
            let code = super::strip::code(&source.text);
            for at in words_at(&code, "kith::") {
                let sentence = "a floor must not name anything of the server";
                findings.push(Finding::new(&source.path, line_at(&code, at), sentence));
            }
        }
    }
    findings
}

/// Who wants to know every route reads one file.
pub(super) fn routes_in_one_place(tree: &Tree) -> Vec<Finding> {
    let listed = |path: &str| ROUTES.contains(&path);
    in_product(
        tree,
        &[".route(", "routes!("],
        listed,
        "routes are listed in router.rs only",
    )
}

/// Every time comes from the injected clock, or tests can't hold it still.
pub(super) fn one_clock(tree: &Tree) -> Vec<Finding> {
    let needles = ["SystemTime::now", "Timestamp::now", "Zoned::now"];
    in_product(
        tree,
        &needles,
        |path| CLOCKS.contains(&path),
        "take the time from the clock of `App`",
    )
}

fn in_product(
    tree: &Tree,
    needles: &[&str],
    exempt: impl Fn(&str) -> bool,
    advice: &str,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let product = tree.sources.iter().filter(|source| source.is_product());
    for source in product.filter(|source| !exempt(&source.path)) {
        let code = source.shipped_code();
        for needle in needles {
            for at in words_at(&code, needle) {
                let sentence = format!("`{needle}`: {advice}");
                findings.push(Finding::new(&source.path, line_at(&code, at), sentence));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_looking_up_is_found() {
        let manifest = "[package]\nname = \"kith-db\"\n[dependencies]\nkith = { path = \"x\" }\n";
        let beside = "[dependencies]\nbytes = \"1\"\nkith-db.workspace = true\n";
        let tree = Tree::of(&[
            ("crates/db/Cargo.toml", manifest),
            (
                "crates/db/src/lib.rs",
                "use kith_db::Db;\nuse kith::posts;\n",
            ),
            ("crates/storage/Cargo.toml", beside),
            ("crates/server/src/main.rs", "use kith::app;\n"),
        ]);
        let lines: Vec<usize> = floors_know_no_feature(&tree)
            .iter()
            .map(|found| found.line)
            .collect();
        assert_eq!(lines, [4, 2, 3]);
    }

    #[test]
    fn a_route_outside_the_router_is_found() {
        let text = "router.route(\"/a\", get(a))\n";
        let tree = Tree::of(&[(ROUTES[0], text), ("crates/server/src/posts.rs", text)]);
        let findings = routes_in_one_place(&tree);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "crates/server/src/posts.rs");
    }

    #[test]
    fn a_second_clock_is_found_and_a_stopwatch_is_not() {
        let text = "let a = jiff::Timestamp::now();\nlet b = Instant::now();\n";
        let tree = Tree::of(&[(CLOCKS[0], text), ("crates/server/src/posts.rs", text)]);
        let findings = one_clock(&tree);
        assert_eq!(findings.len(), 1);
        assert_eq!(
            (findings[0].path.as_str(), findings[0].line),
            ("crates/server/src/posts.rs", 1)
        );
    }
}
