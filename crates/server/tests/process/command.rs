//! Commands.

use crate::program::{Program, kith};
use clap::{CommandFactory, Parser};
use kith::cli::Cli;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// Runs a command that must fail, and answers its last words.
pub(crate) fn complaint(args: &[&str]) -> String {
    let output = kith().args(args).output().unwrap();
    assert!(!output.status.success(), "{args:?} must fail");
    String::from_utf8(output.stderr).unwrap()
}

/// An address that a shell would run, were it pasted, is refused or listed in quotation marks.
/// proves: waitlist-quoted
#[test]
fn a_listed_address_can_be_pasted() {
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
        let joined = program.ask("POST", "/api/waitlist", "", &body);
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
fn an_allowance_is_what_it_is_set_to() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start_with(
        folder.path(),
        &["--rate-limits=on", "--limits=waitlist=1/1h"],
    );
    let statuses = ["eve", "mallory"].map(|name| {
        let body = format!("{{\"email\":\"{name}@example.org\"}}");
        program.ask("POST", "/api/waitlist", "", &body).status
    });
    assert_eq!(statuses, [200, 429]);
}

#[test]
fn a_taken_address_is_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let other = tempfile::tempdir().unwrap();
    let data = other.path().to_str().unwrap();
    let text = complaint(&[
        "serve",
        "--data",
        data,
        "--listen",
        &program.address.to_string(),
    ]);
    assert!(
        text.contains("KITH_LISTEN") && !text.contains("panicked"),
        "{text}"
    );
}

#[test]
fn invite_create_works_beside_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path());
    let data = folder.path().to_str().unwrap();
    let output = kith()
        .args(["invite", "create", "--count", "3", "--data", data])
        .output()
        .unwrap();
    let codes = String::from_utf8(output.stdout).unwrap();
    assert_eq!(codes.lines().count(), 3, "{codes}");
    for code in codes.lines() {
        let body = format!("{{\"email\":\"{code}@example.org\",\"inviteCode\":\"{code}\"}}");
        assert_eq!(
            program
                .ask("POST", "/api/auth/request-magic-link", "", &body)
                .status,
            200
        );
    }
    complaint(&["invite", "create", "--count", "0", "--data", data]);
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let data = folder.path().to_str().unwrap();
    let text = complaint(&[
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
fn the_operator_can_let_a_member_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.line();
    program.log_in(&printed);
    let data = folder.path().to_str().unwrap();
    let url = format!("http://{}", program.address);
    let output = kith()
        .args([
            "member",
            "sign-in",
            "@founder",
            "--data",
            data,
            "--public-url",
            &url,
        ])
        .output()
        .unwrap();
    let address = String::from_utf8(output.stdout).unwrap();
    assert!(address.starts_with(&url), "{address}");
    program.log_in(address.trim());
    assert!(
        complaint(&["member", "sign-in", "nobody", "--data", data]).contains("User not found.")
    );
    drop(program);
    let mut again = Program::start(folder.path());
    again.signal("TERM");
    assert_eq!(
        again.line(),
        "",
        "an operator's address is not the founder's"
    );
}

/// What a start says on standard error until it greets.
fn log_of_start(url: &str, listen: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut child = kith()
        .args(["serve", "--data", folder.path().to_str().unwrap()])
        .args(["--listen", listen, "--admin-listen", "127.0.0.1:0"])
        .args(["--public-url", url])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The greeting comes after every warning of the start.
    let mut greeting = String::new();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    said.read_line(&mut greeting).unwrap();
    assert!(greeting.contains(url), "{greeting}");
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

/// Mails would lead nowhere, and cookies go without `Secure`.
/// proves: operate-own-address
#[test]
fn a_public_address_of_this_machine_is_warned_of() {
    for (listen, more, is_warned) in [
        ("127.0.0.1:0", &[][..], false),
        ("0.0.0.0:0", &[], true),
        ("127.0.0.1:0", &["--trusted-proxies", "127.0.0.1"], true),
    ] {
        let log = log_of_start("http://localhost:8080", listen, more);
        assert_eq!(
            log.contains("works on this machine only"),
            is_warned,
            "{log}"
        );
    }
}

/// proves: operate-plain-http
#[test]
fn a_public_address_without_encryption_is_warned_of() {
    for (url, is_warned) in [
        ("http://kith.example", true),
        ("http://localhost:8080", false),
    ] {
        let log = log_of_start(url, "127.0.0.1:0", &[]);
        assert_eq!(log.contains("plain http"), is_warned, "{url}: {log}");
    }
}

/// proves: operate-sign-out
#[test]
fn the_operator_logs_a_member_out_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    let printed = program.line();
    let cookie = program.log_in(&printed);
    let data = folder.path().to_str().unwrap();
    let told = |args: &[&str]| {
        let output = kith().args(args).args(["--data", data]).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let address = told(&["member", "sign-in", "founder"]);
    let wish = r#"{"email":"thief@example.org"}"#;
    let asked = program.ask("POST", "/api/account/email", &cookie, wish);
    assert_eq!(asked.status, 200, "{}", asked.body);
    assert_eq!(program.ask("GET", "/api/auth/me", &cookie, "").status, 200);
    let said = told(&["member", "sign-out", "@Founder"]);
    assert_eq!(said, "@Founder is logged out everywhere.\n");
    assert_eq!(program.ask("GET", "/api/auth/me", &cookie, "").status, 401);
    let (_, query) = address.trim().split_once('?').unwrap();
    let late = program.ask("GET", &format!("/api/auth/verify?{query}"), "", "");
    assert_eq!(late.status, 410, "{}", late.body);
    let log = told(&["audit", "list", "--limit", "1"]);
    assert!(log.contains("\tsign_out\t@founder\t"), "{log}");
    let url = format!("http://{}", program.address);
    let again =
        program.log_in(told(&["member", "sign-in", "founder", "--public-url", &url]).trim());
    let account = program.ask("GET", "/api/account", &again, "");
    assert_eq!(account.status, 200, "{}", account.body);
    assert!(!account.body.contains("thief@"), "{}", account.body);
    let text = complaint(&["member", "sign-out", "nobody", "--data", data]);
    assert!(text.contains("There is no member @nobody."), "{text}");
}

/// The words of a command line as a shell makes them of an example: quotation marks hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (at, part) in line.split('"').enumerate() {
        let is_quoted = at % 2 == 1;
        for (more, word) in part.split(' ').enumerate() {
            match (words.last_mut(), is_quoted, more) {
                (Some(last), _, 0) => last.push_str(word),
                (Some(last), true, _) => last.extend([" ", word]),
                _ => words.push(word.to_owned()),
            }
        }
    }
    words
}

/// Holds the help of a command, and of all below it, to having examples that the program takes.
fn has_examples(command: &clap::Command, path: &str) -> usize {
    let below: Vec<_> = command.get_subcommands().collect();
    let deeper = below
        .iter()
        .map(|one| has_examples(one, &format!("{path} {}", one.get_name())));
    let deeper = deeper.sum::<usize>();
    let help = command.get_after_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let examples: Vec<_> = help
        .lines()
        .filter_map(|line| line.strip_prefix("Example: "))
        .collect();
    assert!(!examples.is_empty(), "{path} has no example");
    for example in examples {
        let words = words(example.split(" > ").next().unwrap());
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

/// Each command and each group of commands has an example in its help, the program takes that, and no password is in a
/// flag.
/// proves: operate-help
#[test]
fn every_command_has_help_with_an_example() {
    let commands = has_examples(&Cli::command(), "kith");
    assert!(commands > 30, "only {commands} commands were looked at");
    for args in [
        &["--help"][..],
        &["member", "--help"],
        &["member", "export", "--help"],
    ] {
        let output = kith().args(args).output().unwrap();
        assert!(output.status.success());
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(shown.contains("Example: kith"), "{args:?}: {shown}");
    }
}

/// Whoever has seen enough ends no command in the middle, nor does a full disk without a word.
/// proves: operate-nobody-reads
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_no_panic() {
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
    for args in [
        &["invite", "create", "--count", "50"][..],
        &["member", "list"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(printed(args, writer.into()).0, Some(0), "{args:?}");
        let full = std::fs::File::options().write(true).open("/dev/full");
        let (code, said) = printed(args, full.unwrap().into());
        assert_eq!(code, Some(1), "{args:?}");
        assert!(said.contains("cannot be written: No space"), "{said}");
    }
}
