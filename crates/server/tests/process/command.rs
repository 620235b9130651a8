//! Commands of the program.

use crate::program::{Program, kith};
use clap::{CommandFactory, Parser};
use kith::cli::Cli;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// Runs a command that must fail and returns its standard error.
pub(crate) fn expect_failure(args: &[&str]) -> String {
    let output = kith().args(args).output().unwrap();
    assert!(!output.status.success(), "{args:?} must fail");
    String::from_utf8(output.stderr).unwrap()
}

/// A waitlist email that a shell would execute when pasted is rejected, or listed in quotation
/// marks.
/// proves: waitlist-quoted
#[test]
fn a_listed_email_can_be_pasted_into_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    for (email, status) in [
        ("a|touch${IFS}pwned|b@example.org", 422),
        ("`id`@example.org", 422),
        ("a'&id&'b@example.org", 422),
        ("--vouched@example.org", 422),
        ("o'brien*/tmp/x@example.org", 200),
    ] {
        let body = serde_json::json!({ "email": email }).to_string();
        let joined = program.request("POST", "/api/waitlist", "", &body);
        assert_eq!(joined.status, status, "{email}: {}", joined.body);
    }
    let said = |args: &[&str]| {
        let mut command = kith();
        command.args(args).arg("--data").arg(folder.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let listed = said(&["waitlist", "list"]);
    let quoted = r"'o'\''brien*/tmp/x@example.org'";
    assert!(listed.starts_with(&format!("{quoted}\t")), "{listed}");
    let plain = said(&["waitlist", "list", "--json"]);
    assert!(plain.contains("\"o'brien*/tmp/x@example.org\""), "{plain}");
    let pasted = format!("\"$0\" waitlist admit {quoted} --data \"$1\"");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &pasted]).arg(kith().get_program());
    let output = shell.arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    said(&["member", "email", "founder", "o'brien@example.org"]);
    let members = said(&["member", "list"]);
    assert!(members.contains(r"'o'\''brien@example.org'"), "{members}");
}

/// proves: limit-settings
#[test]
fn a_rate_limit_can_be_configured() {
    let folder = tempfile::tempdir().unwrap();
    let program =
        Program::start_with(folder.path(), &["--rate-limits=on", "--limits=waitlist=1/1h"]);
    let statuses = ["eve", "mallory"].map(|name| {
        let body = format!("{{\"email\":\"{name}@example.org\"}}");
        program.request("POST", "/api/waitlist", "", &body).status
    });
    assert_eq!(statuses, [200, 429]);
}

#[test]
fn a_listen_address_in_use_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let other = tempfile::tempdir().unwrap();
    let data = other.path().to_str().unwrap();
    let text = expect_failure(&["serve", "--data", data, "--listen", &program.address.to_string()]);
    assert!(text.contains("KITH_LISTEN") && !text.contains("panicked"), "{text}");
}

#[test]
fn invite_create_works_beside_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let data = folder.path().to_str().unwrap();
    let output =
        kith().args(["invite", "create", "--count", "3", "--data", data]).output().unwrap();
    let codes = String::from_utf8(output.stdout).unwrap();
    assert_eq!(codes.lines().count(), 3, "{codes}");
    for code in codes.lines() {
        let body = format!("{{\"email\":\"{code}@example.org\",\"inviteCode\":\"{code}\"}}");
        assert_eq!(program.request("POST", "/api/auth/request-magic-link", "", &body).status, 200);
    }
    expect_failure(&["invite", "create", "--count", "0", "--data", data]);
}

#[test]
fn a_second_server_on_the_same_data_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let data = folder.path().to_str().unwrap();
    let text = expect_failure(&[
        "serve",
        "--data",
        data,
        "--listen",
        "127.0.0.1:0",
        "--admin-listen",
        "127.0.0.1:0",
    ]);
    assert!(text.contains("another kith serves this folder"), "{text}");
    program.signal("KILL");
    program.wait();
    drop(Program::start(folder.path()));
}

#[test]
fn the_operator_can_create_a_login_link() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.read_line();
    program.log_in(&printed);
    let data = folder.path().to_str().unwrap();
    let url = format!("http://{}", program.address);
    let output = kith()
        .args(["member", "sign-in", "@founder", "--data", data, "--public-url", &url])
        .output()
        .unwrap();
    let link = String::from_utf8(output.stdout).unwrap();
    assert!(link.starts_with(&url), "{link}");
    program.log_in(link.trim());
    assert!(
        expect_failure(&["member", "sign-in", "unknown", "--data", data])
            .contains("There is no member @unknown.")
    );
    drop(program);
    let mut again = Program::start(folder.path());
    again.signal("TERM");
    assert_eq!(again.read_line(), "", "an operator link is not the founder link");
}

/// Returns the log of a start up to the greeting.
fn log_of_start(url: &str, listen: &str, extra: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut child = kith()
        .args(["serve", "--data", folder.path().to_str().unwrap()])
        .args(["--listen", listen, "--admin-listen", "127.0.0.1:0"])
        .args(["--public-url", url])
        .args(extra)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The greeting follows every warning of the start.
    let mut greeting = String::new();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    said.read_line(&mut greeting).unwrap();
    assert!(greeting.contains(url), "{greeting}");
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

/// With a local public URL, mailed links would not work, and cookies lack `Secure`.
/// proves: operate-own-address
#[test]
fn a_local_public_url_causes_a_warning() {
    for (listen, extra, is_warned) in [
        ("127.0.0.1:0", &[][..], false),
        ("0.0.0.0:0", &[], true),
        ("127.0.0.1:0", &["--trusted-proxies", "127.0.0.1"], true),
    ] {
        let log = log_of_start("http://localhost:8080", listen, extra);
        assert_eq!(log.contains("works on this machine only"), is_warned, "{log}");
    }
}

/// proves: operate-plain-http
#[test]
fn a_public_url_without_tls_causes_a_warning() {
    for (url, is_warned) in [("http://kith.example", true), ("http://localhost:8080", false)] {
        let log = log_of_start(url, "127.0.0.1:0", &[]);
        assert_eq!(log.contains("plain http"), is_warned, "{url}: {log}");
    }
}

/// proves: operate-sign-out
#[test]
fn the_operator_logs_a_member_out_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.read_line();
    let cookie = program.log_in(&printed);
    let data = folder.path().to_str().unwrap();
    let run_ok = |args: &[&str]| {
        let output = kith().args(args).args(["--data", data]).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let link = run_ok(&["member", "sign-in", "founder"]);
    let body = r#"{"email":"attacker@example.org"}"#;
    let response = program.request("POST", "/api/account/email", &cookie, body);
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!(program.request("GET", "/api/auth/me", &cookie, "").status, 200);
    let said = run_ok(&["member", "sign-out", "@Founder"]);
    assert_eq!(said, "@Founder is logged out everywhere.\n");
    assert_eq!(program.request("GET", "/api/auth/me", &cookie, "").status, 401);
    let (_, query) = link.trim().split_once('?').unwrap();
    let late = program.request("GET", &format!("/api/auth/verify?{query}"), "", "");
    assert_eq!(late.status, 410, "{}", late.body);
    let log = run_ok(&["audit", "list", "--limit", "1"]);
    assert!(log.contains("\tsign_out\t@founder\t"), "{log}");
    let url = format!("http://{}", program.address);
    let again =
        program.log_in(run_ok(&["member", "sign-in", "founder", "--public-url", &url]).trim());
    let account = program.request("GET", "/api/account", &again, "");
    assert_eq!(account.status, 200, "{}", account.body);
    assert!(!account.body.contains("attacker@"), "{}", account.body);
    let text = expect_failure(&["member", "sign-out", "unknown", "--data", data]);
    assert!(text.contains("There is no member @unknown."), "{text}");
}

/// Splits an example into words as a shell does: quotation marks keep words together.
fn split_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (at, part) in line.split('"').enumerate() {
        let is_quoted = at % 2 == 1;
        for (extra, word) in part.split(' ').enumerate() {
            match (words.last_mut(), is_quoted, extra) {
                (Some(last), _, 0) => last.push_str(word),
                (Some(last), true, _) => last.extend([" ", word]),
                _ => words.push(word.to_owned()),
            }
        }
    }
    words
}

/// Asserts that a command and all its subcommands have examples in their help that parse; returns
/// their number.
fn assert_examples(command: &clap::Command, path: &str) -> usize {
    let subcommands: Vec<_> = command.get_subcommands().collect();
    let deeper =
        subcommands.iter().map(|one| assert_examples(one, &format!("{path} {}", one.get_name())));
    let deeper = deeper.sum::<usize>();
    let help = command.get_after_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("Example: ")).collect();
    assert!(!examples.is_empty(), "{path} has no example");
    for example in examples {
        let words = split_words(example.split(['<', '>']).next().unwrap().trim());
        let begin = words.iter().position(|word| !word.starts_with("KITH_"));
        let line = &words[begin.unwrap()..];
        assert!(line.join(" ").starts_with(path), "{path}: {example}");
        let taken = Cli::try_parse_from(line);
        assert!(taken.is_ok(), "{example}: {taken:?}");
        for secret in ["--smtp-url", "--database-url"] {
            assert!(!example.contains(secret), "a password in a flag: {example}");
        }
    }
    deeper + 1
}

/// Every command and command group has an example in its help that parses and passes no password in
/// a flag.
/// proves: operate-help
#[test]
fn every_command_has_help_with_an_example() {
    let commands = assert_examples(&Cli::command(), "kith");
    assert!(commands > 30, "only {commands} commands were checked");
    for args in [&["--help"][..], &["member", "--help"], &["member", "export", "--help"]] {
        let output = kith().args(args).output().unwrap();
        assert!(output.status.success());
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(shown.contains("Example: kith"), "{args:?}: {shown}");
    }
}

/// A closed pipe ends a command silently, and a full disk with an error message; neither panics.
/// proves: operate-closed-pipe
#[cfg(target_os = "linux")]
#[test]
fn unprintable_output_does_not_panic() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    drop(Program::start(folder.path()));
    let printed = |args: &[&str], out: Stdio| {
        let mut command = kith();
        command.args(args).args(["--data", data]).stdout(out);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("panicked"), "{args:?}: {said}");
        (output.status.code(), said)
    };
    for args in [&["invite", "create", "--count", "50"][..], &["member", "list"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(printed(args, writer.into()).0, Some(0), "{args:?}");
        let full = std::fs::File::options().write(true).open("/dev/full");
        let (code, said) = printed(args, full.unwrap().into());
        assert_eq!(code, Some(1), "{args:?}");
        assert!(said.contains("cannot be written: No space"), "{said}");
    }
}

/// proves: client-error-log
#[test]
fn errors_of_the_web_app_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let file = std::fs::File::create(&log).unwrap();
    let mut program = Program::start_logging(folder.path(), &[], file.into());
    let body =
        r#"{"source":"row","route":"/profile/:username","name":"TypeError","frames":"a.js:1:2"}"#;
    let reply = program.request("POST", "/api/client-errors", "", body);
    assert_eq!(reply.status, 204, "{}", reply.body);
    program.signal("TERM");
    assert!(program.wait().success());
    let log = std::fs::read_to_string(log).unwrap();
    let line = log.lines().find(|line| line.contains("the web app failed in a browser")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let found = ["source", "route", "name", "frames"].map(|field| line[field].as_str().unwrap());
    assert_eq!(found, ["row", "/profile/:username", "TypeError", "a.js:1:2"]);
}
