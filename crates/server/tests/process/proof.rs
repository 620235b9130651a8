//! How long a proof is: a few rounds among the tests, as many as `cargo xtask prove` says else.

use rusqlite::Connection;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// Rounds of a proof: `KITH_PROOF_ROUNDS`, or so many.
pub(crate) fn rounds(usual: usize) -> usize {
    let given = std::env::var("KITH_PROOF_ROUNDS").ok();
    given.map_or(usual, |text| text.parse().unwrap())
}

/// Whether the system lets this account do what a proof needs: some containers forbid it, and nothing
/// that could be installed changes that. It is said, and the proof is left to other machines.
pub(crate) fn is_allowed(program: &str, arguments: &[&str]) -> bool {
    let tried = Command::new(program).args(arguments).output();
    let tried = tried.unwrap_or_else(|error| panic!("this test needs `{program}`: {error}"));
    if !tried.status.success() {
        let why = String::from_utf8_lossy(&tried.stderr);
        eprintln!("NOT SHOWN HERE, since `{program}` is forbidden: {why}");
    }
    tried.status.success()
}

/// The database of a server that has ended, which must be whole.
pub(crate) fn open(data: &Path) -> Connection {
    let database = Connection::open(data.join("kith.db")).unwrap();
    let found = database.query_row("pragma integrity_check", [], |row| row.get::<_, String>(0));
    assert_eq!(found.unwrap(), "ok");
    database
}

/// The texts of all posts, and how often each is there.
pub(crate) fn stored(database: &Connection) -> HashMap<String, usize> {
    let mut statement = database.prepare("select content from posts").unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0));
    let mut stored = HashMap::new();
    for content in rows.unwrap() {
        *stored.entry(content.unwrap()).or_default() += 1;
    }
    stored
}
