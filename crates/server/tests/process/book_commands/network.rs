//! The network on which the book's commands act: members, posts, reports and an objection.

use crate::mail_server::{MailServer, Mood};
use crate::operator::{run_command, sign_up, sign_up_with_code};
use crate::program::Program;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A stopped network, which each page gets a copy of.
pub(super) struct Network {
    folder: TempDir,
    /// Ids and codes, by the shell variable that the pages' commands get them in.
    pub(super) variables: Vec<(&'static str, String)>,
    mails: MailServer,
}

/// Sends a request that must succeed.
fn send(program: &Program, cookie: &str, method: &str, path: &str, body: &Value) -> Value {
    let reply = program.request(method, path, cookie, &body.to_string());
    assert!((200..300).contains(&reply.status), "{path}: {}", reply.body);
    serde_json::from_str(&reply.body).unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

impl Network {
    pub(super) fn create() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("kith");
        let mut program = Program::start(&data);
        let variables = fill(&mut program, &data);
        program.signal("TERM");
        assert!(program.wait().success());
        let mut mails = MailServer::closed();
        mails.set_mood(Mood::Accepting);
        Self { folder, variables, mails }
    }

    pub(super) fn data(&self) -> PathBuf {
        self.folder.path().join("kith")
    }

    /// URL of a mail server that accepts everything.
    pub(super) fn smtp_url(&self) -> String {
        self.mails.url()
    }
}

/// Vic joins by a code, invites Bo and is reported. Ada objects to the removal of a post.
fn fill(program: &mut Program, data: &Path) -> Vec<(&'static str, String)> {
    let printed = program.read_line();
    let founder = program.log_in(&printed);
    let program = &*program;
    let named = |cookie: String, name: &str| {
        let choice = json!({"username": name});
        send(program, &cookie, "PUT", "/api/users/username", &choice);
        cookie
    };
    let post = |cookie: &str, words: &str| {
        text(&send(program, cookie, "POST", "/api/posts", &json!({"content": words}))["id"])
    };
    let ada = named(sign_up(program, data, "member.ada"), "ada");
    let vic = named(sign_up(program, data, "member.vic"), "vic");
    let code = text(&send(program, &vic, "POST", "/api/invites", &Value::Null)["code"]);
    named(sign_up_with_code(program, data, "member.bo", &code), "bob");

    let report = json!({"postId": post(&vic, "Cheap!"), "reason": "spam"});
    send(program, &founder, "POST", "/api/reports", &report);
    let removed = post(&ada, "Harmless");
    run_command(data, &["post", "remove", &removed]);
    let notices = send(program, &ada, "GET", "/api/moderation-notices", &Value::Null);
    let path = format!("/api/moderation-notices/{}/objection", text(&notices[0]["id"]));
    send(program, &ada, "POST", &path, &json!({"text": "Why?"}));
    let id = |list: &str| {
        let listed = run_command(data, &[list, "list", "--json"]);
        text(&serde_json::from_str::<Value>(&listed).unwrap()[0]["id"])
    };
    vec![
        ("report", id("report")),
        ("objection", id("objection")),
        ("post", post(&vic, "Cheaper!")),
        ("code", run_command(data, &["invite", "create"]).trim().to_owned()),
    ]
}
