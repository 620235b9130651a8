//! The `kith doctor` command on healthy and broken installations.

use crate::program::{Program, kith};
use crate::smtp::mail_server;
use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

/// Runs the checks; returns whether all passed, and the checks.
fn run_doctor(data: &Path, settings: &[&str]) -> (bool, Vec<Value>) {
    let output =
        kith().args(["doctor", "--json", "--data"]).arg(data).args(settings).output().unwrap();
    let checks: Value = serde_json::from_slice(&output.stdout).unwrap();
    (output.status.success(), checks.as_array().unwrap().clone())
}

/// Returns the verdict of a check, asserting that a failed one gives advice.
fn verdict<'a>(checks: &'a [Value], name: &str) -> &'a str {
    let check = checks.iter().find(|check| check["name"] == name).unwrap();
    let verdict = check["verdict"].as_str().unwrap();
    assert_eq!(verdict == "ok", check["advice"] == "", "{check}");
    verdict
}

const PUBLIC: [&str; 4] =
    ["--public-url", "https://kith.example", "--trusted-proxies", "127.0.0.1"];

/// proves: operate-doctor
#[test]
fn a_healthy_installation_passes_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let _program = Program::start(folder.path());
    let (url, mails) = mail_server(0);
    let settings = [&PUBLIC[..], &["--smtp-url", &url]].concat();
    let (passed, checks) = run_doctor(folder.path(), &settings);
    assert!(passed, "{checks:?}");
    for name in [
        "settings",
        "public URL",
        "data folder",
        "disk space",
        "key",
        "clock",
        "database",
        "audit log",
        "storage",
        "images",
        "mail",
    ] {
        let found = verdict(&checks, name);
        // The disk of a test machine may be nearly full.
        assert!(found == "ok" || name == "disk space", "{checks:?}");
    }
    let settings = [&settings[..], &["--send-mail", "ME@example.org"]].concat();
    assert!(run_doctor(folder.path(), &settings).0);
    let mail = mails.recv_timeout(Duration::from_secs(20)).unwrap();
    assert!(mail.contains("To: me@example.org"), "{mail}");
    let output = kith().args(["doctor", "--data"]).arg(folder.path()).args(PUBLIC).output();
    let text = String::from_utf8(output.unwrap().stdout).unwrap();
    assert_eq!(text.lines().count(), checks.len(), "one line per check: {text}");
}

/// proves: operate-doctor
#[test]
fn a_missing_mail_server_is_named_as_not_checked() {
    let folder = tempfile::tempdir().unwrap();
    let _program = Program::start(folder.path());
    for (settings, found) in [
        (&[][..], "each email is written to a file in the folder outbox"),
        (
            &["--send-mail", "me@example.org"][..],
            "no email was sent to me@example.org, but written to a file in the folder outbox",
        ),
    ] {
        let (_, checks) = run_doctor(folder.path(), settings);
        assert_eq!(verdict(&checks, "mail"), "warn");
        let mail = checks.iter().find(|check| check["name"] == "mail").unwrap();
        let expected =
            format!("KITH_SMTP_URL is not set, so that no mail server was checked: {found}");
        assert_eq!(mail["found"], expected);
        assert!(mail["advice"].as_str().unwrap().contains("`kith doctor --send-mail EMAIL`"));
    }
}

#[test]
fn each_fault_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = Program::start(folder.path());
    program.signal("TERM");
    assert!(program.wait().success());
    let assert_fails = |data: &Path, settings: &[&str], name: &str| {
        let (passed, checks) = run_doctor(data, settings);
        assert!(!passed, "{name}");
        assert_eq!(verdict(&checks, name), "fail", "{checks:?}");
    };
    let closed_port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let closed_port = format!("smtp://{}", closed_port.unwrap());
    for (setting, value, name) in [
        ("--smtp-url", closed_port.as_str(), "mail"),
        ("--smtp-url", "mail.example", "settings"),
        ("--smtp-url", "smtp://me:x@mail.example", "settings"),
        ("--mail-from", "unknown", "settings"),
        ("--public-url", "http://kith.example", "public URL"),
        ("--database-url", "postgres://127.0.0.1:1/kith", "database"),
    ] {
        assert_fails(folder.path(), &[setting, value], name);
    }
    let nowhere = folder.path().join("nowhere");
    assert_fails(&nowhere, &PUBLIC, "data folder");
    assert!(!nowhere.exists(), "no folder is created");
    let path = folder.path().join("kith.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    assert_fails(folder.path(), &PUBLIC, "database");
}

#[test]
fn an_unwritable_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    // A file in place of the image folder stops even root.
    std::fs::write(data.join("media"), "no folder").unwrap();
    let (passed, checks) = run_doctor(&data, &PUBLIC);
    assert!(!passed && verdict(&checks, "storage") == "fail", "{checks:?}");
    assert_eq!(verdict(&checks, "database"), "warn", "{checks:?}");
}

/// proves: operate-key
#[test]
fn a_missing_key_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (_, checks) = run_doctor(folder.path(), &PUBLIC);
    assert_eq!(verdict(&checks, "key"), "warn", "no key exists yet");
    let mut program = Program::start(folder.path());
    let signed_in = kith()
        .args(["member", "sign-in", "founder", "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    let link = String::from_utf8(signed_in.stdout).unwrap();
    let token = link.trim().split_once("token=").unwrap().1;
    let joined = program.request("GET", &format!("/api/auth/verify?token={token}"), "", "");
    assert_eq!(joined.status, 200, "{}", joined.body);
    program.signal("TERM");
    assert!(program.wait().success());

    let key = folder.path().join("secret.key");
    std::fs::write(&key, "short").unwrap();
    let (passed, checks) = run_doctor(folder.path(), &PUBLIC);
    assert!(!passed && verdict(&checks, "key") == "fail", "{checks:?}");
    std::fs::write(&key, [7; 32]).unwrap();
    let (passed, checks) = run_doctor(folder.path(), &PUBLIC);
    assert!(!passed && verdict(&checks, "key") == "fail", "{checks:?}");
    std::fs::remove_file(&key).unwrap();
    let (passed, checks) = run_doctor(folder.path(), &PUBLIC);
    assert!(!passed && verdict(&checks, "key") == "fail", "{checks:?}");
    let started = kith().args(["serve", "--data"]).arg(folder.path()).output().unwrap();
    let error = String::from_utf8(started.stderr).unwrap();
    assert!(error.contains("has no secret.key, but the network has one"), "{error}");
    assert!(!key.exists(), "no key was created");
}
