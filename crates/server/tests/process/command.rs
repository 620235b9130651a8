//! Commands, and settings that cannot be right.

use crate::program::{Program, kith};

/// Runs a command that must fail, and answers its last words.
fn complaint(args: &[&str]) -> String {
    let output = kith().args(args).output().unwrap();
    assert!(!output.status.success(), "{args:?} must fail");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_wrong_setting_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    for (flag, value) in [
        ("--listen", "nonsense"),
        ("--public-url", "kith.example"),
        ("--public-url", "https://kith.example/path"),
        ("--database-url", "mysql://localhost"),
        ("--storage-url", "s3://bucket"),
        ("--events-url", "nats://localhost"),
        ("--link-binding", "loose"),
        ("--trusted-proxies", "everybody"),
    ] {
        let text = complaint(&["serve", "--data", data, flag, value]);
        assert!(text.contains(flag), "{flag} {value}: {text}");
    }
    for (setting, flag, value) in [
        ("KITH_SMTP_URL", "--smtp-url", "mail.example"),
        ("KITH_MAIL_FROM", "--mail-from", "nobody"),
    ] {
        let text = complaint(&["serve", "--data", data, flag, value]);
        assert!(text.contains(setting), "{flag} {value}: {text}");
    }
    let text = complaint(&["serve", "--data", "/dev/null/kith"]);
    assert!(text.contains("KITH_DATA"), "{text}");
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
fn every_command_has_help_with_an_example() {
    for args in [
        &["--help"][..],
        &["serve", "--help"],
        &["invite", "create", "--help"],
    ] {
        let output = kith().args(args).output().unwrap();
        assert!(output.status.success());
        assert!(
            String::from_utf8(output.stdout)
                .unwrap()
                .contains("Example: kith"),
            "{args:?}"
        );
    }
}
