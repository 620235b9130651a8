//! Number of rounds of a proof: few among the tests, more with `cargo xtask prove`.

use rusqlite::Connection;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// Returns `KITH_PROOF_ROUNDS`, or `usual` if it is not set.
pub(crate) fn rounds(usual: usize) -> usize {
    let given = std::env::var("KITH_PROOF_ROUNDS").ok();
    given.map_or(usual, |text| text.parse().unwrap())
}

/// Returns whether the system allows a program that the proof needs. Some containers forbid it; the
/// proof is then skipped with a message.
pub(crate) fn is_allowed(program: &str, arguments: &[&str]) -> bool {
    let tried = Command::new(program).args(arguments).output();
    let tried = tried.unwrap_or_else(|error| panic!("this test needs `{program}`: {error}"));
    if !tried.status.success() {
        let why = String::from_utf8_lossy(&tried.stderr);
        eprintln!("SKIPPED, since `{program}` is forbidden: {why}");
    }
    tried.status.success()
}

/// Opens the database of a stopped server, asserting its integrity.
pub(crate) fn open_database(data: &Path) -> Connection {
    let database = Connection::open(data.join("kith.db")).unwrap();
    let found = database.query_row("pragma integrity_check", [], |row| row.get::<_, String>(0));
    assert_eq!(found.unwrap(), "ok");
    database
}

/// Counts the posts with each text.
pub(crate) fn count_posts(database: &Connection) -> HashMap<String, usize> {
    let mut statement = database.prepare("select content from posts").unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0));
    let mut stored = HashMap::new();
    for content in rows.unwrap() {
        *stored.entry(content.unwrap()).or_default() += 1;
    }
    stored
}
