//! Removing people from the waitlist by a command.

use crate::command::expect_failure;
use crate::operator::{run_command, sign_up_with_code};
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

/// proves: waitlist-add
#[test]
fn a_file_of_emails_is_added_and_bad_lines_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let _program = Program::start(&data);
    let file = folder.path().join("people.txt");
    std::fs::write(
        &file,
        "eve@example.org\r\n\nunknown\n ADA@example.org \na|b@example.org\neve@example.org",
    )
    .unwrap();
    let add = |extra: &[&str]| {
        let mut command = kith();
        command.args(["waitlist", "add"]).arg(&file).arg("--data").arg(&data).args(extra);
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, printed, errors) = add(&[]);
    assert_eq!(code, Some(1), "{errors}");
    assert_eq!(
        printed,
        "eve@example.org was added to the waitlist.\nada@example.org was added to the waitlist.\n\
         eve@example.org is already on the waitlist.\n"
    );
    for line in [
        "line 3: unknown is not an email address.",
        "line 5: a|b@example.org is not an email address.",
        "kith: 2 lines were not added; all others are on the waitlist.",
    ] {
        assert!(errors.lines().any(|printed| printed == line), "{errors}");
    }
    let listed = run_command(&data, &["waitlist", "list"]);
    let listed = listed.lines().map(|line| line.split('\t').next().unwrap());
    assert_eq!(listed.collect::<Vec<_>>(), ["eve@example.org", "ada@example.org"]);
    std::fs::write(&file, "bob@example.org\n").unwrap();
    let (code, printed, _) = add(&["--json"]);
    let rows: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let expected =
        serde_json::json!([{"line": 1, "email": "bob@example.org", "addition": "added"}]);
    assert_eq!((code, rows), (Some(0), expected));
}

/// Revokes codes; returns the exit status and both outputs.
fn revoke(data: &Path, codes: &[&str]) -> (Option<i32>, String, String) {
    let mut command = kith();
    command.args(["invite", "revoke", "--data"]).arg(data).args(codes);
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// proves: operate-invites
#[test]
fn invite_codes_are_created_listed_and_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let _program = Program::start(data);
    let created = run_command(data, &["invite", "create", "--count", "2", "--expires", "30d"]);
    let codes = created.lines().collect::<Vec<_>>();
    let (status, printed, error) = revoke(data, &["none", codes[0]]);
    assert_eq!((status, printed), (Some(1), format!("{} was revoked.\n", codes[0])));
    assert!(error.contains("NONE is not an invite code."), "{error}");
    let (status, printed, error) = revoke(data, &["none", "either", codes[0], "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!((status, &rows[0]["revocation"]), (Some(1), &"unknown".into()), "{printed}");
    assert!(error.contains("These are not invite codes: NONE, EITHER."), "{error}");
    let (status, printed, error) = revoke(data, &[codes[0]]);
    assert_eq!((status, error.as_str()), (Some(0), ""));
    assert_eq!(printed, format!("{} was already revoked.\n", codes[0]));
    let listed = run_command(data, &["invite", "list"]);
    let line = listed.lines().find(|line| line.starts_with(codes[1])).unwrap();
    assert!(line.ends_with("\topen\t0/1") && !listed.contains(codes[0]), "{listed}");
    let all = run_command(data, &["invite", "list", "--all", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    let revoked = all.as_array().unwrap().iter().find(|row| row["code"] == codes[0]).unwrap();
    assert_eq!(revoked["state"], "revoked");
    let log = run_command(data, &["audit", "list"]);
    assert!(log.contains("\trevoke_invites\t"), "{log}");
    let wrong = ["invite", "create", "--expires", "soon", "--data", data.to_str().unwrap()];
    assert!(expect_failure(&wrong).contains("such as 12h or 30d"));
}

/// proves: group-list, group-links
#[test]
fn a_code_for_a_group_is_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let create = ["invite", "create", "--uses", "300", "--links", "--public-url"];
    let link = run_command(data, &[&create[..], &["https://kith.example"]].concat());
    let code = link.trim().strip_prefix("https://kith.example/?invite=").unwrap();
    for name in ["ada", "bob"] {
        sign_up_with_code(&program, data, name, code);
    }
    let listed = run_command(data, &["invite", "list"]);
    let line = listed.lines().find(|line| line.starts_with(code)).unwrap();
    assert!(line.ends_with("\topen\t2/300"), "{listed}");
    for wrong in ["0", "10001"] {
        expect_failure(&["invite", "create", "--uses", wrong, "--data", data.to_str().unwrap()]);
    }
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
