//! Moderating a member together with everyone they invited.

use crate::command::expect_failure;
use crate::operator::{run_command, sign_up, sign_up_with_code};
use crate::program::Program;
use std::path::Path;

/// A member, by session cookie and username.
struct Member {
    cookie: String,
    name: String,
}

impl Member {
    fn load(program: &Program, cookie: String) -> Self {
        let me = program.request("GET", "/api/auth/me", &cookie, "");
        let me: serde_json::Value = serde_json::from_str(&me.body).unwrap();
        let name = me["username"].as_str().unwrap().to_owned();
        Self { cookie, name }
    }

    /// Signs up a member with an invite of this one.
    fn invite(&self, program: &Program, data: &Path, name: &str) -> Self {
        let made = program.request("POST", "/api/invites", &self.cookie, "");
        assert_eq!(made.status, 201, "{}", made.body);
        let made: serde_json::Value = serde_json::from_str(&made.body).unwrap();
        let code = made["code"].as_str().unwrap();
        Self::load(program, sign_up_with_code(program, data, name, code))
    }

    fn is_logged_in(&self, program: &Program) -> bool {
        program.request("GET", "/api/auth/me", &self.cookie, "").status == 200
    }

    fn can_invite(&self, program: &Program) -> bool {
        program.request("POST", "/api/invites", &self.cookie, "").status == 201
    }
}

/// proves: operate-branch
#[test]
fn invited_members_are_suspended_and_unsuspended_together() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let vic = Member::load(&program, sign_up(&program, data, "vic"));
    let unrelated = Member::load(&program, sign_up(&program, data, "other"));
    let child = vic.invite(&program, data, "child");
    let suspended = vic.invite(&program, data, "out");
    let grandchild = child.invite(&program, data, "grandchild");
    let helper = child.invite(&program, data, "helper");
    let protected = helper.invite(&program, data, "protected");
    run_command(data, &["member", "suspend", &suspended.name, "--note", "Before"]);
    run_command(data, &["member", "role", &helper.name, "moderator"]);

    let folder = data.to_str().unwrap();
    let text = expect_failure(&[
        "member",
        "freeze-invites",
        &vic.name,
        "--with-invited",
        "--data",
        folder,
    ]);
    let left = format!("Not applied to all: @{}: has the role moderator.", helper.name);
    assert!(text.contains(&left), "{text}");
    let invite =
        [&vic, &child, &grandchild, &helper, &protected].map(|one| one.can_invite(&program));
    assert_eq!(invite, [false, false, false, true, true]);
    run_command(data, &["member", "role", &helper.name, "member"]);
    let output = run_command(data, &["member", "unfreeze-invites", &vic.name, "--with-invited"]);
    assert!(output.ends_with(&format!("@{} may invite again.\n", vic.name)), "{output}");
    assert!(child.can_invite(&program) && grandchild.can_invite(&program));

    let output = run_command(data, &["member", "suspend", &vic.name, "--with-invited"]);
    let names = [&vic, &child, &grandchild, &helper, &protected];
    let lines = names.map(|one| format!("@{} is suspended.\n", one.name));
    assert_eq!(output, lines.concat());
    assert!(names.iter().all(|one| !one.is_logged_in(&program)));
    assert!(unrelated.is_logged_in(&program));
    let again = run_command(data, &["member", "suspend", &vic.name, "--with-invited"]);
    assert_eq!(again, lines[0], "a repetition changes nothing");

    let output = run_command(data, &["member", "unsuspend", &vic.name, "--with-invited"]);
    let back = [&child, &grandchild, &helper, &protected, &vic];
    let lines = back.map(|one| format!("@{} may log in.\n", one.name));
    assert_eq!(output, lines.concat(), "except for the member suspended before");
    let text =
        expect_failure(&["member", "unsuspend", &vic.name, "--with-invited", "--data", folder]);
    assert!(text.contains("was already released"), "{text}");
    let rows = run_command(data, &["audit", "list", "--limit", "100"]);
    assert_eq!(rows.matches(&format!("@{}", grandchild.name)).count(), 4, "{rows}");
}
