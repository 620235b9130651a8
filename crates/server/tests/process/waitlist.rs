//! Removing people from the waitlist by a command.

use crate::command::expect_failure;
use crate::operator::run_command;
use crate::program::{Program, kith};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Passes the emails by standard input and returns the command's standard output.
fn run_with_stdin(data: &Path, input: &str) -> String {
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
fn people_are_removed_from_the_waitlist_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    for name in ["ada", "bob", "o'brien", "cat", "o'hara", "eve"] {
        let body = format!("{{\"email\":\"{name}@example.org\"}}");
        assert_eq!(program.request("POST", "/api/waitlist", "", &body).status, 200);
    }
    let output = run_command(data, &["waitlist", "remove", " ADA@example.org ", "x@example.org"]);
    assert_eq!(
        output,
        "ada@example.org was removed from the waitlist.\nx@example.org is not on the waitlist.\n"
    );
    // In the format that `list` prints.
    let listed = run_command(data, &["waitlist", "list"]);
    let some = listed.lines().filter(|line| !line.starts_with("eve"));
    let some = some.filter(|line| !line.contains("hara"));
    let output = run_with_stdin(data, &some.collect::<Vec<_>>().join("\n"));
    assert_eq!(
        output,
        "bob@example.org was removed from the waitlist.\no'brien@example.org was removed from the waitlist.\ncat@example.org was removed from the waitlist.\n"
    );
    let output = run_with_stdin(data, "'o'\\''hara@example.org'\t2026\n\n");
    assert_eq!(output, "o'hara@example.org was removed from the waitlist.\n");
    let log = run_command(data, &["audit", "list"]);
    let rows = log.lines().filter(|line| line.contains("\tremove_people\t"));
    assert_eq!(rows.count(), 3, "{log}");
    assert!(!log.contains("example.org"), "{log}");
    let json =
        run_command(data, &["waitlist", "remove", "ada@example.org", "eve@example.org", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!([
        {"email": "ada@example.org", "removal": "unknown"},
        {"email": "eve@example.org", "removal": "removed"},
    ]);
    assert_eq!(json, expected);
    assert_eq!(run_command(data, &["waitlist", "list"]), "");
    assert_eq!(run_command(data, &["waitlist", "admit", "--next", "3"]), "No one is waiting.\n");
    expect_failure(&["waitlist", "remove", "--data", data.to_str().unwrap()]);
}
