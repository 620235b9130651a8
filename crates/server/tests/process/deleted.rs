//! A member whom the operator deletes.

use crate::command::complaint;
use crate::operator::{mails, told};
use crate::program::Program;

/// proves: leave-done, leave-told
#[test]
fn a_member_is_deleted_beside_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let code = told(data, &["invite", "create"]);
    let body = format!(
        "{{\"email\":\"ada@example.org\",\"inviteCode\":\"{}\"}}",
        code.trim()
    );
    program.ask("POST", "/api/auth/request-magic-link", "", &body);
    let mail = mails(data, 1).remove(0);
    let mail = mail.replace("=\r\n", "").replace("=3D", "=");
    let link = mail.lines().find(|line| line.contains("/auth/verify?"));
    let cookie = program.log_in(link.unwrap());
    let me = program.ask("GET", "/api/auth/me", &cookie, "");
    let me: serde_json::Value = serde_json::from_str(&me.body).unwrap();
    let name = me["username"].as_str().unwrap();
    let said = told(data, &["member", "delete", name]);
    assert!(
        said.starts_with(&format!("@{name} will be deleted at 20")),
        "{said}"
    );
    // While a worker holds the deletion, the command says that it is not done.
    let lease = "update deletions set lease_until = $1";
    let database = rusqlite::Connection::open(data.join("kith.db")).unwrap();
    database.execute(lease, [i64::MAX - 1]).unwrap();
    let now = ["member", "delete", name, "--now"];
    let text = complaint(&[&now[..], &["--data", data.to_str().unwrap()]].concat());
    assert!(text.contains("is not deleted yet"), "{text}");
    database.execute(lease, [0]).unwrap();
    let said = told(data, &now);
    assert_eq!(said, format!("@{name} is deleted.\n"));
    let log = told(data, &["audit", "list", "--limit", "1"]);
    assert!(log.contains("\toperator\tdelete_member\t"), "{log}");
    let listed = told(data, &["member", "list"]);
    assert!(
        listed.lines().count() == 1 && listed.starts_with("@founder"),
        "{listed}"
    );
}
