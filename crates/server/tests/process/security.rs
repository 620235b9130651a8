//! The security log.

use crate::operator::{run_command, sign_up};
use crate::program::{Program, Reply};
use kith::platform::telemetry::security_log::Event;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

fn parse_body(reply: &Reply) -> Value {
    assert!(reply.status < 300, "{reply:?}");
    serde_json::from_str(&reply.body).unwrap()
}

/// Repeats a request until its response contains a text.
fn wait_for(what: &str, request: impl Fn() -> String) -> String {
    for _ in 0..600 {
        let text = request();
        if text.contains(what) {
            return text;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} does not appear");
}

/// Logs the founder in once more and returns the cookie header.
fn log_in_again(program: &Program, data: &Path) -> String {
    let url = format!("http://{}", program.address);
    let args = ["member", "sign-in", "founder", "--public-url", &url];
    program.log_in(run_command(data, &args).trim())
}

/// Performs the logged actions of a member on their own account.
fn act_as_member(program: &Program, data: &Path, ada: &str) {
    let request = |method: &str, path: &str, body: &str| program.request(method, path, ada, body);
    let response = request("POST", "/api/account/email", r#"{"email":"new@example.net"}"#);
    assert_eq!(response.status, 200, "{response:?}");
    let wrong = request("POST", "/api/account/email/code", r#"{"code":"AAAAAAAA"}"#);
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
    assert_eq!(request("POST", "/api/account/email/confirm", &body).status, 200);
    assert_eq!(request("DELETE", "/api/account/email", "").status, 204);
    assert_eq!(request("POST", "/api/account/export", "").status, 202);
    let ready = || request("GET", "/api/account/export", "").body;
    wait_for("\"ready\"", ready);
    assert_eq!(request("GET", "/api/account/export/file", "").status, 200);
    let me = parse_body(&request("GET", "/api/auth/me", ""));
    let body = format!("{{\"username\":{}}}", me["username"]);
    assert_eq!(request("POST", "/api/account/deletion", &body).status, 200);
    assert_eq!(request("DELETE", "/api/account/deletion", "").status, 204);
    // Admin endpoints are not found for a member.
    assert_eq!(request("GET", "/api/admin/reports", "").status, 404);
}

/// Performs the logged actions of an admin on a member.
fn act_as_admin(program: &Program, founder: &str, member: &str) {
    let of = |what: &str| format!("/api/admin/members/{member}/{what}");
    for (method, what, body) in [
        ("PUT", "role", r#"{"role":"moderator"}"#),
        ("PUT", "suspension", "{}"),
        ("DELETE", "suspension", ""),
    ] {
        let done = program.request(method, &of(what), founder, body);
        assert!(done.status < 300, "{what}: {done:?}");
    }
    // A guessed report id is logged for an admin as for any member.
    let guess = "/api/admin/reports/1/resolve";
    let body = r#"{"action":"dismiss"}"#;
    assert_eq!(program.request("POST", guess, founder, body).status, 404);
}

/// Disconnects before the response, which cannot be sent while another process locks the database.
/// The request is still carried out.
fn disconnect_early(program: &Program, data: &Path, log: &Path) {
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
    // A client that disconnects before its request has begun would not be logged.
    let metrics = || program.request_admin("/metrics").body;
    wait_for("\nkith_http_in_flight 1", metrics);
    drop(connection);
    wait_for("\"abandoned\"", || std::fs::read_to_string(log).unwrap());
    other.execute_batch("rollback").unwrap();
}

/// Performs the logged actions of strangers.
fn act_as_stranger(program: &Program) {
    let request = |method: &str, path: &str, head: &str, body: &str| {
        let rejected = program.request(method, path, head, body);
        assert!((400..500).contains(&rejected.status), "{path}: {rejected:?}");
    };
    request("GET", "/api/auth/verify?token=nonsense-of-mine", "", "");
    request("GET", "/api/auth/me", "cookie: session=invented\r\n", "");
    request("POST", "/api/posts", "sec-fetch-site: cross-site\r\n", "{}");
    for _ in 0..9 {
        let body = r#"{"email":"eve@example.org"}"#;
        program.request("POST", "/api/waitlist", "", body);
    }
}

/// Lists the event names in the documentation's table.
fn parse_documentation() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/admin/logs.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, table) = text.split_once("## Security events").unwrap();
    let table = table.split("\n#").next().unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| row.split('`').next().unwrap().to_owned()).collect()
}

/// Every documented event occurs and is logged, with request and member, but without secrets or
/// personal data.
/// proves: log-security, log-nothing-secret, log-limits
#[test]
fn every_documented_security_event_is_logged() {
    let (folder, logs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (data, log) = (folder.path(), logs.path().join("log"));
    let file = std::fs::File::create(&log).unwrap();
    let mut program = Program::start_logging(data, &["--rate-limits", "on"], file.into());
    let printed = program.read_line();
    let founder = program.log_in(&printed);
    let ada = sign_up(&program, data, "ada");
    let me = parse_body(&program.request("GET", "/api/auth/me", &ada, ""));
    let member = me["id"].as_str().unwrap();
    act_as_member(&program, data, &ada);
    act_as_admin(&program, &founder, member);
    act_as_stranger(&program);
    disconnect_early(&program, data, &log);
    let sessions = parse_body(&program.request("GET", "/api/auth/sessions", &founder, ""));
    let session = format!("/api/auth/sessions/{}", sessions[0]["id"].as_str().unwrap());
    assert_eq!(program.request("DELETE", &session, &founder, "").status, 204);
    let again = log_in_again(&program, data);
    let logout = program.request("POST", "/api/auth/logout", &again, "");
    assert_eq!(logout.status, 200);
    let again = log_in_again(&program, data);
    let revoked = program.request("DELETE", "/api/auth/sessions", &again, "");
    assert_eq!(revoked.status, 204);
    program.signal("TERM");
    assert!(program.wait().success());

    let text = std::fs::read_to_string(&log).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines: Vec<Value> = lines.filter(|line| line["target"] == "security").collect();
    let event_name = |line: &Value| line["event"].as_str().unwrap().to_owned();
    let all = Event::ALL.iter().map(|event| event.name().to_owned());
    let all: BTreeSet<String> = all.collect();
    assert_eq!(lines.iter().map(event_name).collect::<BTreeSet<_>>(), all);
    assert_eq!(parse_documentation(), all);
    for line in lines.iter().filter(|line| line["event"] != "mail_sent") {
        assert!(line["span"]["id"].is_string(), "{line}");
    }
    let of = |event: &str| lines.iter().filter(|line| line["event"] == event).collect::<Vec<_>>();
    let number = member.parse::<i64>().unwrap();
    let mine = |line: &&Value| line["span"]["member"].as_i64() == Some(number);
    assert!(of("export_fetched").iter().all(mine) && of("invite_claimed").iter().all(mine));
    assert_eq!(of("suspended")[0]["target_id"], member);
    assert_eq!(of("abandoned")[0]["call"], "login_asked");
    let hidden = of("refused");
    let hidden = hidden.iter().find(|line| line["reason"] == "no_such_call");
    assert!(hidden.is_some_and(mine), "{lines:?}");
    assert!(text.contains("report_not_found"));
    assert_eq!(of("rate_limited").len(), 1, "one line for many requests");
    let token = printed.split_once("token=").unwrap().1;
    let cookies = [&founder, &ada, &again];
    let values = cookies.map(|cookie| cookie.trim().split_once('=').unwrap().1);
    let data = ["example.", "nonsense-of-mine", "invented", "127.0.0.1", token];
    for secret in data.iter().chain(&values) {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}
