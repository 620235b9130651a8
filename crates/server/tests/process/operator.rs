//! Commands that change members and the waitlist beside a running server.

use crate::command::complaint;
use crate::program::{Program, kith};
use std::path::Path;
use std::time::Duration;

/// Runs a command that must succeed; answers what it printed.
pub(crate) fn told(data: &Path, args: &[&str]) -> String {
    let output = kith().args(args).arg("--data").arg(data).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The mails in the outbox, once there are so many.
pub(crate) fn mails(data: &Path, count: usize) -> Vec<String> {
    for _ in 0..300 {
        let found = std::fs::read_dir(data.join("outbox")).unwrap();
        let found = found.map(|entry| entry.unwrap().path());
        let found = found
            .filter(|path| path.extension().is_some_and(|end| end == "eml"))
            .collect::<Vec<_>>();
        if found.len() >= count {
            assert_eq!(found.len(), count);
            let read = found.iter().map(std::fs::read_to_string);
            return read.collect::<Result<_, _>>().unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("fewer than {count} mails");
}

/// The code in an invitation.
fn code_in(mail: &str) -> &str {
    let is_code = |line: &&str| {
        line.len() == 12
            && line
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    mail.lines().find(is_code).unwrap()
}

#[test]
fn people_are_admitted_from_the_waitlist_beside_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    for name in ["ada", "eve", "bob"] {
        let body = format!("{{\"email\":\"{name}@example.org\"}}");
        assert_eq!(program.ask("POST", "/api/waitlist", "", &body).status, 200);
        std::thread::sleep(Duration::from_millis(5));
    }
    let listed = told(data, &["waitlist", "list"]);
    let waits = listed.lines().map(|line| line.ends_with("\twaiting\t0"));
    assert_eq!(waits.collect::<Vec<_>>(), [true; 3], "{listed}");
    assert!(listed.starts_with("ada@example.org\t"), "{listed}");

    let said = told(data, &["waitlist", "admit", " EVE@Example.org "]);
    assert_eq!(said, "eve@example.org gets an invite code by email.\n");
    let said = told(data, &["waitlist", "admit", "eve@example.org"]);
    assert_eq!(said, "eve@example.org was already admitted.\n");
    let next = told(data, &["waitlist", "admit", "--next", "1", "--json"]);
    let next: serde_json::Value = serde_json::from_str(&next).unwrap();
    let expected = serde_json::json!([{"email": "ada@example.org", "admission": "admitted"}]);
    assert_eq!(next, expected);
    for mail in mails(data, 2) {
        let to = mail.lines().find_map(|line| line.strip_prefix("To: "));
        let body = format!(
            "{{\"email\":\"{}\",\"inviteCode\":\"{}\"}}",
            to.unwrap(),
            code_in(&mail)
        );
        let asked = program.ask("POST", "/api/auth/request-magic-link", "", &body);
        assert_eq!(asked.status, 200, "{}", asked.body);
    }
    let data = data.to_str().unwrap();
    let text = complaint(&[
        "waitlist",
        "admit",
        "bob@example.org",
        "x@example.org",
        "--data",
        data,
    ]);
    assert!(
        text.contains("x@example.org is not on the waitlist; no applicant was admitted."),
        "{text}"
    );
    let text = complaint(&["waitlist", "admit", "nonsense", "--data", data]);
    assert!(text.contains("nonsense is not an email address."), "{text}");
    complaint(&["waitlist", "admit", "--data", data]);
    let listed = told(folder.path(), &["waitlist", "list", "--json"]);
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    let waiting = listed.iter().filter(|entry| entry["admittedAt"].is_null());
    assert_eq!(waiting.count(), 1, "{listed:?}");
}

/// Lets somebody join with an operator's code; answers the cookie header of the new member.
pub(crate) fn join(program: &Program, data: &Path, name: &str) -> String {
    let code = told(data, &["invite", "create"]);
    join_with(program, data, name, code.trim())
}

/// The same, with a code.
pub(crate) fn join_with(program: &Program, data: &Path, name: &str, code: &str) -> String {
    let email = format!("{name}@example.org");
    let body = format!("{{\"email\":\"{email}\",\"inviteCode\":\"{code}\"}}");
    let asked = program.ask("POST", "/api/auth/request-magic-link", "", &body);
    assert_eq!(asked.status, 200, "{}", asked.body);
    let to = format!("To: {email}");
    for _ in 0..300 {
        let found = std::fs::read_dir(data.join("outbox")).unwrap();
        let paths = found.map(|entry| entry.unwrap().path());
        let mut mails = paths.filter(|path| path.extension().is_some_and(|end| end == "eml"));
        if let Some(mail) = mails.find_map(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            text.contains(&to).then_some(text)
        }) {
            let text = mail.replace("=\r\n", "").replace("=3D", "=");
            let line = text.lines().find(|line| line.contains("/auth/verify?"));
            return program.log_in(line.unwrap().trim());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no mail to {email}");
}

/// What a command prints as JSON.
fn json(data: &Path, args: &[&str]) -> serde_json::Value {
    let printed = told(data, &[args, &["--json"]].concat());
    serde_json::from_str(&printed).unwrap()
}

/// The log of the test below: what it holds, and that it is whole.
fn check_log(data: &Path) {
    let log = json(data, &["audit", "list"]);
    let actions = log
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["action"].as_str().unwrap());
    let expected = [
        "unfreeze_invites",
        "freeze_invites",
        "remove_post",
        "remove_post",
        "create_invites",
    ];
    assert_eq!(actions.collect::<Vec<_>>(), expected);
    assert!(
        log.as_array()
            .unwrap()
            .iter()
            .all(|row| row["actor"].is_null()),
        "{log}"
    );
    let lines = told(data, &["audit", "list", "--limit", "3"]);
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(
        lines.lines().all(|line| line.contains("\toperator\t")),
        "{lines}"
    );
    let proof = json(data, &["audit", "verify"]);
    assert_eq!((&proof["whole"], &proof["rows"]), (&true.into(), &5.into()));
    assert_eq!(proof["hash"], log[0]["hash"]);
    let said = told(data, &["audit", "verify"]);
    assert!(said.starts_with("5 rows, all intact."), "{said}");
}

/// proves: operate-reports, operate-remove, operate-audit, audit-cli
#[test]
fn reports_are_decided_about_and_logged_beside_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut program = Program::start(data);
    let printed = program.line();
    let founder = program.log_in(&printed);
    let ada = join(&program, data, "ada");
    let post = |text: &str| {
        let body = format!("{{\"content\":\"{text}\"}}");
        let reply = program.ask("POST", "/api/posts", &ada, &body);
        let post: serde_json::Value = serde_json::from_str(&reply.body).unwrap();
        post["id"].as_str().unwrap().to_owned()
    };
    let (bad, worse) = (post("bad"), post("worse"));
    let body = format!("{{\"postId\":\"{bad}\",\"reason\":\"hate\",\"note\":\"see there\"}}");
    let reported = program.ask("POST", "/api/reports", &founder, &body);
    assert_eq!(reported.status, 200, "{}", reported.body);
    let listed = told(data, &["report", "list"]);
    assert!(listed.contains(&format!("\tpost {bad} by @")), "{listed}");
    assert!(listed.ends_with("\thate 1\tbad\n"), "{listed}");
    let cases = json(data, &["report", "list"]);
    let case = cases[0]["id"].as_str().unwrap();
    let done = told(
        data,
        &["report", "resolve", case, "remove", "--note", "Enough"],
    );
    assert_eq!(done, "The reports are closed. The post is removed.\n");
    assert_eq!(told(data, &["report", "list"]), "");
    assert_eq!(
        json(data, &["report", "list", "--resolved"])[0]["resolution"]["note"],
        "Enough"
    );
    assert_eq!(
        told(data, &["post", "remove", &worse]),
        format!("Post {worse} is removed.\n")
    );
    let name = cases[0]["member"]["username"].as_str().unwrap();
    told(data, &["member", "freeze-invites", name]);
    let refused = program.ask("POST", "/api/invites", &ada, "");
    assert!(
        refused.status == 409 && refused.body.contains("invites_frozen"),
        "{}",
        refused.body
    );
    told(data, &["member", "unfreeze-invites", name]);
    assert_eq!(program.ask("POST", "/api/invites", &ada, "").status, 201);

    check_log(data);

    let data = data.to_str().unwrap();
    for (args, sentence) in [
        (
            &["report", "resolve", case, "dismiss"][..],
            "Someone has already decided about these reports.",
        ),
        (
            &["report", "resolve", "7", "dismiss"],
            "There is no such report.",
        ),
        (&["post", "remove", &bad], "Post not found."),
    ] {
        let text = complaint(&[args, &["--data", data]].concat());
        assert!(text.contains(sentence), "{text}");
    }
}

#[test]
fn a_member_is_promoted_kept_out_and_let_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut program = Program::start(data);
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let me = || program.ask("GET", "/api/auth/me", &cookie, "");
    let text = complaint(&[
        "member",
        "suspend",
        "founder",
        "--data",
        data.to_str().unwrap(),
    ]);
    let last = "This is the last admin. Make someone else an admin first.";
    assert!(text.contains(last), "{text}");
    join(&program, data, "ada");
    let listed = json(data, &["member", "list"]);
    let ada = listed[1]["username"].as_str().unwrap();
    told(data, &["member", "role", ada, "admin"]);
    for role in ["moderator", "member", "admin"] {
        told(data, &["member", "role", "@founder", role]);
        let mine = me().body;
        assert!(mine.contains(&format!("\"role\":\"{role}\"")), "{mine}");
    }
    told(data, &["member", "suspend", "Founder"]);
    assert_eq!(me().status, 401);
    let listed = told(data, &["member", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed[0]["username"], "founder");
    assert_eq!(listed[0]["role"], "admin");
    assert!(listed[0]["suspendedAt"].is_string(), "{listed}");
    told(data, &["member", "unsuspend", "founder"]);
    assert_eq!(me().status, 401, "what ended stays ended");
    let url = format!("http://{}", program.address);
    let address = told(
        data,
        &["member", "sign-in", "founder", "--public-url", &url],
    );
    program.log_in(address.trim());
    assert!(told(data, &["member", "list"]).starts_with("@founder\tadmin\t"));
    let log = told(data, &["audit", "list", "--limit", "1"]);
    assert!(log.contains("\tprint_sign_in\t@founder\t"), "{log}");
    let data = data.to_str().unwrap();
    for args in [
        &["member", "suspend", "nobody"][..],
        &["member", "role", "x", "admin"],
    ] {
        let text = complaint(&[args, &["--data", data]].concat());
        assert!(text.contains("There is no member @"), "{text}");
    }
    complaint(&["member", "role", "founder", "king", "--data", data]);
}

/// Nothing is made where a mistyped folder leads to, not even with the database of the network.
/// proves: operate-nowhere
#[test]
fn a_command_makes_no_network_where_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    let data = nowhere.to_str().unwrap();
    let postgres = ["--database-url", "postgres://127.0.0.1:1/kith"];
    for args in [
        &["member", "list"][..],
        &["member", "sign-in", "founder"],
        &["member", "sign-in", "founder", postgres[0], postgres[1]],
        &["invite", "create"],
        &["waitlist", "list"],
    ] {
        let text = complaint(&[args, &["--data", data]].concat());
        assert!(
            text.contains("There is no network in ") && !nowhere.exists(),
            "{args:?}: {text}"
        );
    }
}

/// proves: address-operator, export-operator, leave-last-admin
#[test]
fn an_address_an_export_and_a_deletion_for_a_member() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut program = Program::start(data);
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let said = told(data, &["member", "email", "@founder", " New@Example.org "]);
    assert_eq!(said, "@founder now logs in with new@example.org.\n");
    let me = program.ask("GET", "/api/auth/me", &cookie, "");
    assert_eq!(me.status, 401, "all sessions end");
    let zip = folder.path().join("founder.zip");
    let said = told(
        data,
        &["member", "export", "founder", zip.to_str().unwrap()],
    );
    assert!(
        said.ends_with("founder.zip contains all data of @founder.\n"),
        "{said}"
    );
    assert!(std::fs::read(&zip).unwrap().starts_with(b"PK"));
    let log = told(data, &["audit", "list"]);
    for action in ["change_address", "export_member"] {
        assert!(log.contains(&format!("\t{action}\t@founder")), "{log}");
    }
    let data = data.to_str().unwrap();
    for (args, sentence) in [
        (
            &["email", "founder", "nonsense"][..],
            "nonsense is not an email address.",
        ),
        (
            &["email", "nobody", "a@example.org"],
            "There is no member @nobody.",
        ),
        (
            &["export", "founder", zip.to_str().unwrap()],
            "cannot be created",
        ),
        (&["delete", "nobody"], "There is no member @nobody."),
        (&["delete", "founder", "--now"], "You are the only admin."),
    ] {
        let text = complaint(&[&["member"], args, &["--data", data]].concat());
        assert!(text.contains(sentence), "{text}");
    }
}
