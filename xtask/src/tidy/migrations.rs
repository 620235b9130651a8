//! Rules for migration files.

use super::Finding;
use super::tree::Tree;

/// Checks that migrations are numbered `0001_name.sql`, `0002_name.sql` and so on.
pub(super) fn numbered(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, expected) in names(tree).into_iter().zip(1..) {
        let number = name.split_once('_').map(|(number, _)| number);
        if number != Some(format!("{expected:04}").as_str()) {
            let sentence = format!("the next migration's name must start with {expected:04}_");
            findings.push(Finding::new(&format!("migrations/{name}"), 1, sentence));
        }
    }
    findings
}

/// Checks that Rust code names each migration; others would never run.
pub(super) fn listed(tree: &Tree) -> Vec<Finding> {
    let rust = || {
        let crates = tree.sources.iter().filter(|source| source.path.starts_with("crates/"));
        crates.filter(|source| source.is_rust())
    };
    let unlisted = names(tree).into_iter().filter(|name| {
        let quoted = format!("\"{}\"", name.trim_end_matches(".sql"));
        !rust().any(|source| source.text.contains(&quoted))
    });
    let sentence = "no Rust file names this migration, so it never runs";
    unlisted.map(|name| Finding::new(&format!("migrations/{name}"), 1, sentence)).collect()
}

/// Names of the migration files, in order.
fn names(tree: &Tree) -> Vec<&str> {
    let names = tree.paths.iter().filter_map(|path| path.strip_prefix("migrations/"));
    names.filter(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == "sql")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_and_a_double_are_found() {
        let name = |names: &[&str]| {
            let paths: Vec<String> =
                names.iter().map(|name| format!("migrations/{name}")).collect();
            let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
            numbered(&Tree::of(&files)).len()
        };
        assert_eq!(name(&["0001_a.sql", "0002_b.sql"]), 0);
        assert_eq!(name(&["0001_a.sql", "0003_b.sql"]), 1);
        assert_eq!(name(&["0001_a.sql", "0001_b.sql"]), 1);
        assert_eq!(name(&["1_a.sql"]), 1);
    }

    #[test]
    fn an_unlisted_migration_is_found() {
        let tree = Tree::of(&[
            ("migrations/0001_a.sql", ""),
            ("migrations/0002_b.sql", ""),
            ("crates/server/src/migrations.rs", "migrations![1 \"0001_a\",];"),
        ]);
        let findings = listed(&tree);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].path, "migrations/0002_b.sql");
    }
}
