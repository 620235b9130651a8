//! Taking people off the waitlist by a command.

use crate::command::complaint;
use crate::operator::told;
use crate::program::{Program, kith};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Gives the command its addresses by standard input; answers what it printed.
fn piped(data: &Path, input: &str) -> String {
    let mut child = kith()
        .args(["waitlist", "remove", "-", "--data"])
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// proves: waitlist-remove, audit-cli
#[test]
fn people_are_taken_off_the_waitlist_beside_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    for name in ["ada", "bob", "o'brien", "cat", "o'hara", "eve"] {
        let body = format!("{{\"email\":\"{name}@example.org\"}}");
        assert_eq!(program.ask("POST", "/api/waitlist", "", &body).status, 200);
    }
    let said = told(
        data,
        &["waitlist", "remove", " ADA@example.org ", "x@example.org"],
    );
    assert_eq!(
        said,
        "ada@example.org was removed from the waitlist.\nx@example.org is not on the waitlist.\n"
    );
    // As `list` prints them.
    let listed = told(data, &["waitlist", "list"]);
    let some = listed.lines().filter(|line| !line.starts_with("eve"));
    let some = some.filter(|line| !line.contains("hara"));
    let said = piped(data, &some.collect::<Vec<_>>().join("\n"));
    assert_eq!(
        said,
        "bob@example.org was removed from the waitlist.\no'brien@example.org was removed from the waitlist.\ncat@example.org was removed from the waitlist.\n"
    );
    let said = piped(data, "'o'\\''hara@example.org'\t2026\n\n");
    assert_eq!(said, "o'hara@example.org was removed from the waitlist.\n");
    let log = told(data, &["audit", "list"]);
    let rows = log
        .lines()
        .filter(|line| line.contains("\tremove_people\t"));
    assert_eq!(rows.count(), 3, "{log}");
    assert!(!log.contains("example.org"), "{log}");
    let json = told(
        data,
        &[
            "waitlist",
            "remove",
            "ada@example.org",
            "eve@example.org",
            "--json",
        ],
    );
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!([
        {"email": "ada@example.org", "removal": "unknown"},
        {"email": "eve@example.org", "removal": "removed"},
    ]);
    assert_eq!(json, expected);
    assert_eq!(told(data, &["waitlist", "list"]), "");
    complaint(&["waitlist", "remove", "--data", data.to_str().unwrap()]);
}
