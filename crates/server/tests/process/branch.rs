//! What is done to a member and to everybody who came by them.

use crate::command::complaint;
use crate::operator::{join, join_with, told};
use crate::program::Program;
use std::path::Path;

/// Somebody who joined, by their cookie.
struct Joined {
    cookie: String,
    name: String,
}

impl Joined {
    fn named(program: &Program, cookie: String) -> Self {
        let me = program.ask("GET", "/api/auth/me", &cookie, "");
        let me: serde_json::Value = serde_json::from_str(&me.body).unwrap();
        let name = me["username"].as_str().unwrap().to_owned();
        Self { cookie, name }
    }

    /// Lets somebody in.
    fn brings(&self, program: &Program, data: &Path, name: &str) -> Self {
        let made = program.ask("POST", "/api/invites", &self.cookie, "");
        assert_eq!(made.status, 201, "{}", made.body);
        let made: serde_json::Value = serde_json::from_str(&made.body).unwrap();
        let code = made["code"].as_str().unwrap();
        Self::named(program, join_with(program, data, name, code))
    }

    fn is_in(&self, program: &Program) -> bool {
        program.ask("GET", "/api/auth/me", &self.cookie, "").status == 200
    }

    fn may_invite(&self, program: &Program) -> bool {
        program.ask("POST", "/api/invites", &self.cookie, "").status == 201
    }
}

/// proves: operate-branch
#[test]
fn who_came_by_a_member_goes_with_them_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let vic = Joined::named(&program, join(&program, data, "vic"));
    let other = Joined::named(&program, join(&program, data, "other"));
    let child = vic.brings(&program, data, "child");
    let out = vic.brings(&program, data, "out");
    let grandchild = child.brings(&program, data, "grandchild");
    let helper = child.brings(&program, data, "helper");
    let protected = helper.brings(&program, data, "protected");
    told(data, &["member", "suspend", &out.name, "--note", "Before"]);
    told(data, &["member", "role", &helper.name, "moderator"]);

    let folder = data.to_str().unwrap();
    let text = complaint(&[
        "member",
        "freeze-invites",
        &vic.name,
        "--with-invited",
        "--data",
        folder,
    ]);
    let left = format!(
        "Not applied to all: @{}: has the role moderator.",
        helper.name
    );
    assert!(text.contains(&left), "{text}");
    let invite =
        [&vic, &child, &grandchild, &helper, &protected].map(|one| one.may_invite(&program));
    assert_eq!(invite, [false, false, false, true, true]);
    told(data, &["member", "role", &helper.name, "member"]);
    let said = told(
        data,
        &["member", "unfreeze-invites", &vic.name, "--with-invited"],
    );
    assert!(
        said.ends_with(&format!("@{} may invite again.\n", vic.name)),
        "{said}"
    );
    assert!(child.may_invite(&program) && grandchild.may_invite(&program));

    let said = told(data, &["member", "suspend", &vic.name, "--with-invited"]);
    let names = [&vic, &child, &grandchild, &helper, &protected];
    let lines = names.map(|one| format!("@{} is suspended.\n", one.name));
    assert_eq!(said, lines.concat());
    assert!(names.iter().all(|one| !one.is_in(&program)));
    assert!(other.is_in(&program));
    let again = told(data, &["member", "suspend", &vic.name, "--with-invited"]);
    assert_eq!(again, lines[0], "twice is as once");

    let said = told(data, &["member", "unsuspend", &vic.name, "--with-invited"]);
    let back = [&child, &grandchild, &helper, &protected, &vic];
    let lines = back.map(|one| format!("@{} may log in.\n", one.name));
    assert_eq!(said, lines.concat(), "but for who was kept out before");
    let text = complaint(&[
        "member",
        "unsuspend",
        &vic.name,
        "--with-invited",
        "--data",
        folder,
    ]);
    assert!(text.contains("was already released"), "{text}");
    let rows = told(data, &["audit", "list", "--limit", "100"]);
    assert_eq!(
        rows.matches(&format!("@{}", grandchild.name)).count(),
        4,
        "{rows}"
    );
}
