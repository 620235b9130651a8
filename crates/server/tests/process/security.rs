//! The log of what concerns security.

use crate::operator::{join, told};
use crate::program::{Program, Reply};
use kith::platform::telemetry::security_log::Event;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

fn value(reply: &Reply) -> Value {
    assert!(reply.status < 300, "{reply:?}");
    serde_json::from_str(&reply.body).unwrap()
}

/// Asks until the answer holds what is waited for.
fn wait_for(what: &str, ask: impl Fn() -> String) -> String {
    for _ in 0..600 {
        let text = ask();
        if text.contains(what) {
            return text;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} does not come");
}

/// Another session of the founder's.
fn log_in_again(program: &Program, data: &Path) -> String {
    let url = format!("http://{}", program.address);
    let args = ["member", "sign-in", "founder", "--public-url", &url];
    program.log_in(told(data, &args).trim())
}

/// What a member does with their own account.
fn live(program: &Program, data: &Path, ada: &str) {
    let ask = |method: &str, path: &str, body: &str| program.ask(method, path, ada, body);
    let asked = ask(
        "POST",
        "/api/account/email",
        r#"{"email":"new@example.net"}"#,
    );
    assert_eq!(asked.status, 200, "{asked:?}");
    let wrong = ask("POST", "/api/account/email/code", r#"{"code":"AAAAAAAA"}"#);
    assert!((400..500).contains(&wrong.status), "{wrong:?}");
    let start = "/account/confirm?step=";
    let mail = wait_for(start, || {
        let folder = std::fs::read_dir(data.join("outbox")).unwrap();
        let texts = folder.filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok());
        let new = texts.filter(|text| text.contains("To: new@example.net"));
        let text: String = new.collect();
        text.replace("=\r\n", "").replace("=3D", "=")
    });
    let (_, query) = mail.split_once(start).unwrap();
    let token = query.split_once("token=").unwrap().1.split_whitespace();
    let body = format!("{{\"token\":\"{}\"}}", token.take(1).collect::<String>());
    assert_eq!(ask("POST", "/api/account/email/confirm", &body).status, 200);
    assert_eq!(ask("DELETE", "/api/account/email", "").status, 204);
    assert_eq!(ask("POST", "/api/account/export", "").status, 202);
    let ready = || ask("GET", "/api/account/export", "").body;
    wait_for("\"ready\"", ready);
    assert_eq!(ask("GET", "/api/account/export/file", "").status, 200);
    let me = value(&ask("GET", "/api/auth/me", ""));
    let body = format!("{{\"username\":{}}}", me["username"]);
    assert_eq!(ask("POST", "/api/account/deletion", &body).status, 200);
    assert_eq!(ask("DELETE", "/api/account/deletion", "").status, 204);
    // To a member the moderators' calls are not there.
    assert_eq!(ask("GET", "/api/admin/reports", "").status, 404);
}

/// What an admin does to a member.
fn rule(program: &Program, founder: &str, member: &str) {
    let of = |what: &str| format!("/api/admin/members/{member}/{what}");
    for (method, what, body) in [
        ("PUT", "role", r#"{"role":"moderator"}"#),
        ("PUT", "suspension", "{}"),
        ("DELETE", "suspension", ""),
    ] {
        let done = program.ask(method, &of(what), founder, body);
        assert!(done.status < 300, "{what}: {done:?}");
    }
    // Who guesses a case is noted, as its own member would be.
    let guess = "/api/admin/reports/1/resolve";
    let body = r#"{"action":"dismiss"}"#;
    assert_eq!(program.ask("POST", guess, founder, body).status, 404);
}

/// Hangs up before the answer, which cannot come before another program has let the database go. What
/// was asked for is done all the same.
fn hang_up(program: &Program, data: &Path, log: &Path) {
    let other = rusqlite::Connection::open(data.join("kith.db")).unwrap();
    other.execute_batch("begin immediate").unwrap();
    let body = r#"{"email":"mallory@example.org"}"#;
    let head = format!(
        "POST /api/auth/request-login-link HTTP/1.1\r\nhost: {}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        program.address,
        body.len()
    );
    let connection = program.connect(&(head + body));
    // Who hangs up before the call has begun has asked for nothing.
    let figures = || program.ask_admin("/metrics").body;
    wait_for("\nkith_http_in_flight 1", figures);
    drop(connection);
    wait_for("\"abandoned\"", || std::fs::read_to_string(log).unwrap());
    other.execute_batch("rollback").unwrap();
}

/// What strangers try.
fn intrude(program: &Program) {
    let ask = |method: &str, path: &str, head: &str, body: &str| {
        let refused = program.ask(method, path, head, body);
        assert!((400..500).contains(&refused.status), "{path}: {refused:?}");
    };
    ask("GET", "/api/auth/verify?token=nonsense-of-mine", "", "");
    ask("GET", "/api/auth/me", "cookie: session=invented\r\n", "");
    ask("POST", "/api/posts", "sec-fetch-site: cross-site\r\n", "{}");
    for _ in 0..9 {
        let body = r#"{"email":"eve@example.org"}"#;
        program.ask("POST", "/api/waitlist", "", body);
    }
}

/// The names in the table of the documentation.
fn documented() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, table) = text.split_once("### What concerns security").unwrap();
    let table = table.split("\n#").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| row.split('`').next().unwrap().to_owned())
        .collect()
}

/// Everything that the documentation lists is done, and the log tells of each, with the request and the
/// member, and without what would let its reader in or tell who it was.
/// proves: log-security, log-nothing-secret, log-limits
#[test]
fn what_concerns_security_is_logged() {
    let (folder, logs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (data, log) = (folder.path(), logs.path().join("log"));
    let file = std::fs::File::create(&log).unwrap();
    let mut program = Program::start_logging(data, &["--rate-limits", "on"], file.into());
    let printed = program.line();
    let founder = program.log_in(&printed);
    let ada = join(&program, data, "ada");
    let me = value(&program.ask("GET", "/api/auth/me", &ada, ""));
    let member = me["id"].as_str().unwrap();
    live(&program, data, &ada);
    rule(&program, &founder, member);
    intrude(&program);
    hang_up(&program, data, &log);
    let sessions = value(&program.ask("GET", "/api/auth/sessions", &founder, ""));
    let session = format!("/api/auth/sessions/{}", sessions[0]["id"].as_str().unwrap());
    assert_eq!(program.ask("DELETE", &session, &founder, "").status, 204);
    let again = log_in_again(&program, data);
    assert_eq!(
        program.ask("POST", "/api/auth/logout", &again, "").status,
        200
    );
    let again = log_in_again(&program, data);
    assert_eq!(
        program
            .ask("DELETE", "/api/auth/sessions", &again, "")
            .status,
        204
    );
    program.signal("TERM");
    assert!(program.wait().success());

    let text = std::fs::read_to_string(&log).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.filter(|line| line["target"] == "security").collect();
    let told = |line: &Value| line["event"].as_str().unwrap().to_owned();
    let all = Event::ALL.iter().map(|event| event.name().to_owned());
    let all: BTreeSet<String> = all.collect();
    assert_eq!(lines.iter().map(told).collect::<BTreeSet<_>>(), all);
    assert_eq!(documented(), all);
    for line in lines.iter().filter(|line| line["event"] != "mail_sent") {
        assert!(line["span"]["id"].is_string(), "{line}");
    }
    let of = |event: &str| {
        lines
            .iter()
            .filter(|line| line["event"] == event)
            .collect::<Vec<_>>()
    };
    let number = member.parse::<i64>().unwrap();
    let mine = |line: &&Value| line["span"]["member"].as_i64() == Some(number);
    assert!(of("export_fetched").iter().all(mine) && of("invite_claimed").iter().all(mine));
    assert_eq!(of("suspended")[0]["target_id"], member);
    assert_eq!(of("abandoned")[0]["call"], "login_asked");
    let hidden = of("refused");
    let hidden = hidden.iter().find(|line| line["reason"] == "no_such_call");
    assert!(hidden.is_some_and(mine), "{lines:?}");
    assert!(text.contains("report_not_found"));
    assert_eq!(of("rate_limited").len(), 1, "of a flood one line");
    let token = printed.split_once("token=").unwrap().1;
    for secret in [
        "example.",
        "nonsense-of-mine",
        "invented",
        token,
        "127.0.0.1",
    ] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    let cookies = [founder, ada, again];
    let values = cookies
        .iter()
        .map(|cookie| cookie.trim().split_once('=').unwrap().1);
    assert!(
        values.into_iter().all(|value| !text.contains(value)),
        "{text}"
    );
}
