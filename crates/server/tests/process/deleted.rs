//! Account deletion by the operator.

use crate::command::expect_failure;
use crate::operator::{run_command, wait_for_mails};
use crate::program::Program;

/// proves: leave-done, leave-pending
#[test]
fn an_operator_deletes_a_member_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let code = run_command(data, &["invite", "create"]);
    let body = format!("{{\"email\":\"ada@example.org\",\"inviteCode\":\"{}\"}}", code.trim());
    program.request("POST", "/api/auth/request-magic-link", "", &body);
    let mail = wait_for_mails(data, 1).remove(0);
    let mail = mail.replace("=\r\n", "").replace("=3D", "=");
    let link = mail.lines().find(|line| line.contains("/auth/verify?"));
    let cookie = program.log_in(link.unwrap());
    let me = program.request("GET", "/api/auth/me", &cookie, "");
    let me: serde_json::Value = serde_json::from_str(&me.body).unwrap();
    let name = me["username"].as_str().unwrap();
    let output = run_command(data, &["member", "delete", name]);
    assert!(output.starts_with(&format!("@{name} will be deleted at 20")), "{output}");
    // While a worker holds the lease, the command reports that the deletion is not done.
    let lease = "update deletions set lease_until = $1";
    let database = rusqlite::Connection::open(data.join("kith.db")).unwrap();
    database.execute(lease, [i64::MAX - 1]).unwrap();
    let now = ["member", "delete", name, "--now"];
    let text = expect_failure(&[&now[..], &["--data", data.to_str().unwrap()]].concat());
    assert!(text.contains("is not deleted yet"), "{text}");
    database.execute(lease, [0]).unwrap();
    let output = run_command(data, &now);
    assert_eq!(output, format!("@{name} is deleted.\n"));
    let log = run_command(data, &["audit", "list", "--limit", "1"]);
    assert!(log.contains("\toperator\tdelete_member\t"), "{log}");
    let listed = run_command(data, &["member", "list"]);
    assert!(listed.lines().count() == 1 && listed.starts_with("@founder"), "{listed}");
}
