//! Invalid settings.

use crate::command::expect_failure;
use crate::program::kith;

/// proves: operate-smtp-password, operate-silent-password
#[test]
fn an_invalid_setting_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    for (flag, value) in [
        ("--listen", "nonsense"),
        ("--public-url", "kith.example"),
        ("--public-url", "https://kith.example/path"),
        ("--link-binding", "loose"),
        ("--trusted-proxies", "everybody"),
        ("--limits", "hearts=1/1m"),
    ] {
        let text = expect_failure(&["serve", "--data", data, flag, value]);
        assert!(text.contains(flag), "{flag} {value}: {text}");
    }
    for (setting, flag, value) in [
        ("KITH_SMTP_URL", "--smtp-url", "mail.example"),
        (
            "KITH_SMTP_URL would send its password",
            "--smtp-url",
            "smtp://kith:secret@mail.example:587",
        ),
        ("KITH_MAIL_FROM", "--mail-from", "unknown"),
        ("KITH_STORAGE_URL", "--storage-url", "s3://bucket"),
        (
            "KITH_STORAGE_URL: an S3 URL has no port, no fragment and no key in it",
            "--storage-url",
            "s3://kith:secret@bucket?region=eu-1",
        ),
        (
            "KITH_DATABASE_URL: the URL must start with",
            "--database-url",
            "mysql://kith:secret@localhost",
        ),
        (
            "KITH_DATABASE_URL: sslmode=prefer",
            "--database-url",
            "postgres://kith:secret@localhost/kith?sslmode=prefer",
        ),
        (
            "The database cannot be opened",
            "--database-url",
            "postgres://kith:secret@127.0.0.1:1/kith",
        ),
    ] {
        let text = expect_failure(&["serve", "--data", data, flag, value]);
        assert!(text.contains(setting), "{flag} {value}: {text}");
        assert!(!text.contains("secret"), "the password is not repeated: {text}");
    }
    let text = expect_failure(&["serve", "--data", "/dev/null/kith"]);
    assert!(text.contains("KITH_DATA"), "{text}");
}

/// No command repeats a secret that was put into a URL by mistake.
/// proves: operate-silent-password
#[test]
fn no_command_prints_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let file = folder.path().join("file").to_str().unwrap().to_owned();
    for args in [
        &["serve"][..],
        &["doctor"],
        &["backup", &file],
        &["restore", &file],
        &["member", "export", "ada", &file],
        &["member", "delete", "ada"],
    ] {
        let settings = ["KITH_STORAGE_URL", "KITH_SMTP_URL", "KITH_DATABASE_URL"];
        let extra = [&["--help"][..], &["--data", data]];
        let tries = settings.into_iter().flat_map(|setting| extra.map(|extra| (setting, extra)));
        for (setting, extra) in tries {
            let mut command = kith();
            command.env(setting, "s3://kith:pa55word@bucket");
            let output = command.args(args).args(extra).output().unwrap();
            let is_read = setting == "KITH_STORAGE_URL" && extra != ["--help"];
            assert!(!is_read || !output.status.success(), "{args:?}");
            let output_text = [output.stdout, output.stderr].concat();
            let output_text = String::from_utf8(output_text).unwrap();
            assert!(!output_text.contains("pa55word"), "{args:?} {extra:?}: {output_text}");
        }
    }
}
