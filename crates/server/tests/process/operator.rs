//! Commands that change members and the waitlist while the server runs.

use crate::command::expect_failure;
use crate::program::{Program, kith};
use std::path::Path;
use std::time::Duration;

/// Runs a command that must succeed and returns its standard output.
pub(crate) fn run_command(data: &Path, args: &[&str]) -> String {
    let output = kith().args(args).arg("--data").arg(data).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Waits until the outbox contains exactly `count` mails and returns them.
pub(crate) fn wait_for_mails(data: &Path, count: usize) -> Vec<String> {
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

/// Extracts the invite code from a mail.
fn code_in(mail: &str) -> &str {
    let is_code = |line: &&str| {
        line.len() == 12
            && line.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    mail.lines().find(is_code).unwrap()
}

#[test]
fn people_are_admitted_from_the_waitlist_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    for name in ["ada", "eve", "bob"] {
        let body = format!("{{\"email\":\"{name}@example.org\"}}");
        assert_eq!(program.request("POST", "/api/waitlist", "", &body).status, 200);
        std::thread::sleep(Duration::from_millis(5));
    }
    let listed = run_command(data, &["waitlist", "list"]);
    let is_waiting = listed.lines().map(|line| line.ends_with("\twaiting\t0"));
    assert_eq!(is_waiting.collect::<Vec<_>>(), [true; 3], "{listed}");
    assert!(listed.starts_with("ada@example.org\t"), "{listed}");

    let output = run_command(data, &["waitlist", "admit", " EVE@Example.org "]);
    assert_eq!(output, "eve@example.org gets an invite code by email.\n");
    let output = run_command(data, &["waitlist", "admit", "eve@example.org"]);
    assert_eq!(output, "eve@example.org was already admitted.\n");
    let next = run_command(data, &["waitlist", "admit", "--next", "1", "--json"]);
    let next: serde_json::Value = serde_json::from_str(&next).unwrap();
    let expected = serde_json::json!([{"email": "ada@example.org", "admission": "admitted"}]);
    assert_eq!(next, expected);
    for mail in wait_for_mails(data, 2) {
        let to = mail.lines().find_map(|line| line.strip_prefix("To: "));
        let body =
            format!("{{\"email\":\"{}\",\"inviteCode\":\"{}\"}}", to.unwrap(), code_in(&mail));
        let response = program.request("POST", "/api/auth/request-magic-link", "", &body);
        assert_eq!(response.status, 200, "{}", response.body);
    }
    let data = data.to_str().unwrap();
    let text =
        expect_failure(&["waitlist", "admit", "bob@example.org", "x@example.org", "--data", data]);
    assert!(
        text.contains("x@example.org is not on the waitlist; no applicant was admitted."),
        "{text}"
    );
    let text = expect_failure(&["waitlist", "admit", "nonsense", "--data", data]);
    assert!(text.contains("nonsense is not an email address."), "{text}");
    expect_failure(&["waitlist", "admit", "--data", data]);
    let listed = run_command(folder.path(), &["waitlist", "list", "--json"]);
    let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
    let waiting = listed.iter().filter(|entry| entry["admittedAt"].is_null());
    assert_eq!(waiting.count(), 1, "{listed:?}");
}

/// Signs a member up with an operator's invite code and returns the cookie header.
pub(crate) fn sign_up(program: &Program, data: &Path, name: &str) -> String {
    let code = run_command(data, &["invite", "create"]);
    sign_up_with_code(program, data, name, code.trim())
}

/// Signs a member up with an invite code and returns the cookie header.
pub(crate) fn sign_up_with_code(program: &Program, data: &Path, name: &str, code: &str) -> String {
    let email = format!("{name}@example.org");
    let body = format!("{{\"email\":\"{email}\",\"inviteCode\":\"{code}\"}}");
    let response = program.request("POST", "/api/auth/request-magic-link", "", &body);
    assert_eq!(response.status, 200, "{}", response.body);
    let to = format!("To: {email}");
    for _ in 0..300 {
        let found = std::fs::read_dir(data.join("outbox")).unwrap();
        let paths = found.map(|entry| entry.unwrap().path());
        let mut wait_for_mails =
            paths.filter(|path| path.extension().is_some_and(|end| end == "eml"));
        if let Some(mail) = wait_for_mails.find_map(|path| {
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

/// Runs a command with `--json` and parses its output.
pub(crate) fn run_json(data: &Path, args: &[&str]) -> serde_json::Value {
    let printed = run_command(data, &[args, &["--json"]].concat());
    serde_json::from_str(&printed).unwrap()
}

/// Asserts the contents of the audit log of the next test, and that its hash chain is intact.
fn check_log(data: &Path) {
    let log = run_json(data, &["audit", "list"]);
    let actions = log.as_array().unwrap().iter().map(|row| row["action"].as_str().unwrap());
    let expected =
        ["unfreeze_invites", "freeze_invites", "remove_post", "remove_post", "create_invites"];
    assert_eq!(actions.collect::<Vec<_>>(), expected);
    assert!(log.as_array().unwrap().iter().all(|row| row["actor"].is_null()), "{log}");
    let lines = run_command(data, &["audit", "list", "--limit", "3"]);
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(lines.lines().all(|line| line.contains("\toperator\t")), "{lines}");
    let proof = run_json(data, &["audit", "verify"]);
    assert_eq!((&proof["whole"], &proof["rows"]), (&true.into(), &5.into()));
    assert_eq!(proof["hash"], log[0]["hash"]);
    let output = run_command(data, &["audit", "verify"]);
    assert!(output.starts_with("5 rows, all intact."), "{output}");
}

/// proves: operate-remove, operate-objections, notice-mail
#[test]
fn a_removed_post_is_objected_to_and_restored_by_commands() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let ada = sign_up(&program, data, "ada");
    let mut mails = wait_for_mails(data, 1).len();
    let create = |text: &str| {
        let body = format!("{{\"content\":\"{text}\"}}");
        let reply = program.request("POST", "/api/posts", &ada, &body);
        let post: serde_json::Value = serde_json::from_str(&reply.body).unwrap();
        post["id"].as_str().unwrap().to_owned()
    };
    let content =
        |post: &str| program.request("GET", &format!("/api/posts/{post}/thread"), &ada, "").body;
    for (action, done) in [("accept", "is lifted"), ("reject", "stays")] {
        let post = create(&format!("harmless, to {action}"));
        run_command(
            data,
            &["post", "remove", &post, "--rule", "Be kind.", "--message", "Too loud"],
        );
        mails += 1;
        let all = wait_for_mails(data, mails);
        assert!(all.iter().any(|mail| mail.contains("Rule: Be kind.")), "{all:?}");
        let listed = program.request("GET", "/api/moderation-notices", &ada, "").body;
        let notices: serde_json::Value = serde_json::from_str(&listed).unwrap();
        assert_eq!(notices[0]["message"], "Too loud");
        let notice = notices[0]["id"].as_str().unwrap();
        let path = format!("/api/moderation-notices/{notice}/objection");
        let objected = program.request("POST", &path, &ada, "{\"text\":\"Why\\nme?\"}");
        assert_eq!(objected.status, 200, "{}", objected.body);
        let listed = run_command(data, &["objection", "list"]);
        assert!(listed.ends_with("\tpost removed by the operator\tWhy me?\n"), "{listed}");
        let id = run_json(data, &["objection", "list"])[0]["id"].as_str().unwrap().to_owned();
        let resolve = ["objection", "resolve", &id, action, "--answer", "We looked again"];
        let printed = run_command(data, &resolve);
        assert_eq!(printed, format!("The objection is resolved. The sanction {done}.\n"));
        assert_eq!(run_command(data, &["objection", "list"]), "");
        mails += 1;
        let all = wait_for_mails(data, mails);
        assert!(all.iter().any(|mail| mail.contains("We looked again")), "{all:?}");
        assert_eq!(content(&post).contains("harmless"), action == "accept");
        if action == "reject" {
            let printed = run_command(data, &["post", "restore", &post]);
            assert_eq!(printed, format!("Post {post} is restored.\n"));
            assert!(content(&post).contains("harmless"));
            let error =
                expect_failure(&["post", "restore", &post, "--data", data.to_str().unwrap()]);
            assert!(error.contains("This post can't be restored any more."), "{error}");
        }
    }
}

/// proves: operate-reports, operate-remove, operate-audit, audit-cli
#[test]
fn reports_are_resolved_and_logged_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut program = Program::start(data);
    let printed = program.read_line();
    let founder = program.log_in(&printed);
    let ada = sign_up(&program, data, "ada");
    let post = |text: &str| {
        let body = format!("{{\"content\":\"{text}\"}}");
        let reply = program.request("POST", "/api/posts", &ada, &body);
        let post: serde_json::Value = serde_json::from_str(&reply.body).unwrap();
        post["id"].as_str().unwrap().to_owned()
    };
    let (bad, worse) = (post("bad"), post("worse"));
    let body = format!("{{\"postId\":\"{bad}\",\"reason\":\"hate\",\"note\":\"see there\"}}");
    let reported = program.request("POST", "/api/reports", &founder, &body);
    assert_eq!(reported.status, 200, "{}", reported.body);
    let listed = run_command(data, &["report", "list"]);
    assert!(listed.contains(&format!("\tpost {bad} by @")), "{listed}");
    assert!(listed.contains("\thate 1\tbad\n\t"), "{listed}");
    assert!(listed.ends_with("\thate: see there\n"), "{listed}");
    let cases = run_json(data, &["report", "list"]);
    let case = cases[0]["id"].as_str().unwrap();
    let done = run_command(data, &["report", "resolve", case, "remove", "--note", "Enough"]);
    assert_eq!(done, "The reports are closed. The post is removed.\n");
    assert_eq!(run_command(data, &["report", "list"]), "");
    let resolved = run_command(data, &["report", "list", "--resolved"]);
    assert!(resolved.ends_with("\tremove by the operator: Enough\n"), "{resolved}");
    assert_eq!(
        run_json(data, &["report", "list", "--resolved"])[0]["resolution"]["note"],
        "Enough"
    );
    assert_eq!(
        run_command(data, &["post", "remove", &worse]),
        format!("Post {worse} is removed.\n")
    );
    let name = cases[0]["member"]["username"].as_str().unwrap();
    run_command(data, &["member", "freeze-invites", name]);
    let rejected = program.request("POST", "/api/invites", &ada, "");
    assert!(
        rejected.status == 409 && rejected.body.contains("invites_frozen"),
        "{}",
        rejected.body
    );
    run_command(data, &["member", "unfreeze-invites", name]);
    assert_eq!(program.request("POST", "/api/invites", &ada, "").status, 201);

    check_log(data);

    let data = data.to_str().unwrap();
    for (args, sentence) in [
        (
            &["report", "resolve", case, "dismiss"][..],
            "Someone has already decided about these reports.",
        ),
        (&["report", "resolve", "7", "dismiss"], "There is no such report."),
        (&["post", "remove", &bad], "Post not found."),
    ] {
        let text = expect_failure(&[args, &["--data", data]].concat());
        assert!(text.contains(sentence), "{text}");
    }
}

/// proves: operate-until
#[test]
fn a_member_is_promoted_suspended_and_unsuspended() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut program = Program::start(data);
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let me = || program.request("GET", "/api/auth/me", &cookie, "");
    let text = expect_failure(&["member", "suspend", "founder", "--data", data.to_str().unwrap()]);
    let last = "This is the last admin. Make someone else an admin first.";
    assert!(text.contains(last), "{text}");
    sign_up(&program, data, "ada");
    let listed = run_json(data, &["member", "list"]);
    let ada = listed[1]["username"].as_str().unwrap();
    run_command(data, &["member", "role", ada, "admin"]);
    for role in ["moderator", "member", "admin"] {
        run_command(data, &["member", "role", "@founder", role]);
        let mine = me().body;
        assert!(mine.contains(&format!("\"role\":\"{role}\"")), "{mine}");
    }
    run_command(data, &["member", "suspend", "Founder"]);
    assert_eq!(me().status, 401);
    let listed = run_command(data, &["member", "list", "--json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed[0]["username"], "founder");
    assert_eq!(listed[0]["role"], "admin");
    assert!(listed[0]["suspendedAt"].is_string(), "{listed}");
    run_command(data, &["member", "unsuspend", "founder"]);
    assert_eq!(me().status, 401, "ended sessions stay ended");
    let printed = run_command(data, &["member", "suspend", ada, "--days", "7"]);
    let printed = printed.trim().strip_prefix(&format!("@{ada} is suspended until ")).unwrap();
    let until = printed.strip_suffix('.').unwrap();
    let listed = run_json(data, &["member", "list"]);
    assert_eq!(listed[1]["suspendedUntil"], until);
    run_command(data, &["member", "unsuspend", ada]);
    let url = format!("http://{}", program.address);
    let link = run_command(data, &["member", "sign-in", "founder", "--public-url", &url]);
    program.log_in(link.trim());
    assert!(run_command(data, &["member", "list"]).starts_with("@founder\tadmin\t"));
    let log = run_command(data, &["audit", "list", "--limit", "1"]);
    assert!(log.contains("\tprint_sign_in\t@founder\t"), "{log}");
    let data = data.to_str().unwrap();
    for end in [["--until", "2020-01-01T00:00:00Z"], ["--days", "732"]] {
        expect_failure(
            &[&["member", "freeze-invites", "founder", "--data", data], &end[..]].concat(),
        );
    }
    for args in [&["member", "suspend", "unknown"][..], &["member", "role", "x", "admin"]] {
        let text = expect_failure(&[args, &["--data", data]].concat());
        assert!(text.contains("There is no member @"), "{text}");
    }
    expect_failure(&["member", "role", "founder", "king", "--data", data]);
}

/// No command creates a data folder at a mistyped path, not even with a database URL.
/// proves: operate-nowhere
#[test]
fn a_command_does_not_create_a_data_folder() {
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
        let text = expect_failure(&[args, &["--data", data]].concat());
        assert!(text.contains("There is no network in ") && !nowhere.exists(), "{args:?}: {text}");
    }
}

/// proves: address-operator, export-operator, leave-last-admin
#[test]
fn an_operator_changes_an_email_exports_and_deletes() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut program = Program::start(data);
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let output = run_command(data, &["member", "email", "@founder", " New@Example.org "]);
    assert_eq!(output, "@founder now logs in with new@example.org.\n");
    let me = program.request("GET", "/api/auth/me", &cookie, "");
    assert_eq!(me.status, 401, "all sessions end");
    let zip = folder.path().join("founder.zip");
    let output = run_command(data, &["member", "export", "founder", zip.to_str().unwrap()]);
    assert!(output.ends_with("founder.zip contains all data of @founder.\n"), "{output}");
    assert!(std::fs::read(&zip).unwrap().starts_with(b"PK"));
    let log = run_command(data, &["audit", "list"]);
    for action in ["change_address", "export_member"] {
        assert!(log.contains(&format!("\t{action}\t@founder")), "{log}");
    }
    let data = data.to_str().unwrap();
    for (args, sentence) in [
        (&["email", "founder", "nonsense"][..], "nonsense is not an email address."),
        (&["email", "unknown", "a@example.org"], "There is no member @unknown."),
        (&["export", "founder", zip.to_str().unwrap()], "cannot be created"),
        (&["delete", "unknown"], "There is no member @unknown."),
        (&["delete", "founder", "--now"], "You are the only admin."),
    ] {
        let text = expect_failure(&[&["member"], args, &["--data", data]].concat());
        assert!(text.contains(sentence), "{text}");
    }
}
