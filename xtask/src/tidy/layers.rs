//! Rules for code that belongs in one place only, and for the direction of imports.

use super::tree::Tree;
use super::{Finding, line_at, words_at};

/// Files that may list routes.
const ROUTES: &[&str] = &["crates/server/src/router.rs"];

/// Files that may read the wall clock: the clock of `Platform`, and the S3 client, whose signatures the
/// server checks against its own clock.
const CLOCKS: &[&str] = &["crates/platform/src/clock/mod.rs", "crates/storage/src/s3/client.rs"];

/// The server's layers above the crate `platform`, lowest first. A layer imports itself and lower ones.
const LAYERS: &[&[&str]] = &[&["http"], &["features"], &["state", "router"], &["ops"], &["cli"]];

/// Checks that no file of the server imports from a higher layer.
pub(super) fn layers_import_downwards(tree: &Tree) -> Vec<Finding> {
    let layer_of = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let mut findings = Vec::new();
    for source in tree.sources.iter().filter(|source| source.is_product()) {
        let place = source.path.strip_prefix("crates/server/src/");
        let own = place.and_then(|place| layer_of(place.split(['/', '.']).next()?));
        let Some(own) = own else { continue };
        let code = source.shipped_code();
        for at in words_at(&code, "crate::") {
            let path = &code[at + "crate::".len()..];
            let module = path.split(|c: char| !super::is_word(c)).next().unwrap_or_default();
            if layer_of(module).is_some_and(|layer| layer > own) {
                let sentence = format!("`{module}` is a higher layer");
                findings.push(Finding::new(&source.path, line_at(&code, at), sentence));
            }
        }
    }
    findings
}

/// Checks that all routes are listed in one file.
pub(super) fn routes_in_one_place(tree: &Tree) -> Vec<Finding> {
    let listed = |path: &str| ROUTES.contains(&path);
    in_product(tree, &[".route(", "routes!("], listed, "routes are listed in router.rs only")
}

/// Checks that times come from the injected clock, which tests control.
pub(super) fn one_clock(tree: &Tree) -> Vec<Finding> {
    let needles = ["SystemTime::now", "Timestamp::now", "Zoned::now"];
    in_product(
        tree,
        &needles,
        |path| CLOCKS.contains(&path),
        "take the time from the clock of `Platform`",
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
    fn a_route_outside_the_router_is_found() {
        let text = "router.route(\"/a\", get(a))\n";
        let tree = Tree::of(&[(ROUTES[0], text), ("crates/server/src/posts.rs", text)]);
        let findings = routes_in_one_place(&tree);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "crates/server/src/posts.rs");
    }

    #[test]
    fn an_import_from_a_higher_layer_is_found() {
        let text = "use crate::http::error::Result;\nuse crate::features::posts;\n";
        let tree = Tree::of(&[
            ("crates/server/src/http/error.rs", text),
            ("crates/server/src/features/posts.rs", text),
            ("crates/server/src/main.rs", text),
        ]);
        let findings = layers_import_downwards(&tree);
        assert_eq!(findings.len(), 1);
        let found = &findings[0];
        assert_eq!((found.path.as_str(), found.line), ("crates/server/src/http/error.rs", 2));
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
