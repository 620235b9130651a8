//! Invalid settings.

use crate::command::expect_failure;
use crate::program::kith;
use clap::CommandFactory as _;

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
        ("--trusted-proxies", "10.0.0.0/33"),
        ("--hsts", "forever"),
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

/// proves: deploy-settings
#[test]
fn sample_files_set_only_settings_that_exist() {
    // Variables of the sample proxy, the compose files and the daily backup.
    let mut known = ["KITH_SITE", "KITH_UPSTREAM", "KITH_HEALTH_PORT", "KITH_BACKUP_RECIPIENT"]
        .map(str::to_owned)
        .to_vec();
    let cli = kith::cli::Cli::command();
    for command in cli.get_subcommands() {
        for argument in command.get_arguments().chain(cli.get_arguments()) {
            let Some(name) = argument.get_env().and_then(|name| name.to_str()) else {
                continue;
            };
            known.push(name.to_owned());
            if argument.is_hide_env_values_set() {
                known.push(format!("{name}_FILE"));
            }
        }
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
    let files = [folder.clone(), folder.join("debian")]
        .map(|folder| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
    for path in files.into_iter().flatten().filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
        for word in text.split(|c: char| !is_part(c)).filter(|word| word.starts_with("KITH_")) {
            assert!(known.iter().any(|name| name == word), "{}: {word}", path.display());
        }
    }
}

/// The server's containers get all settings of `deploy/.env`, not only those that the compose files name.
/// proves: deploy-containers
#[test]
fn containers_get_every_setting() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
    for name in ["compose.yaml", "compose.cluster.yaml"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let services = text.split("\n\n").filter(|part| part.contains("deploy/Dockerfile\n"));
        let without = services.filter(|part| !part.contains("env_file: .env\n")).count();
        assert_eq!(without, 0, "{name}");
        assert!(text.contains("env_file: .env\n"), "{name}");
    }
}

/// A base image without a full version would change under an unchanged Dockerfile.
/// proves: deploy-containers
#[test]
fn images_name_their_versions() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
    let mut versions = 0;
    for name in ["Dockerfile", "compose.yaml", "compose.cluster.yaml"] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        for line in text.lines() {
            let image = line.strip_prefix("FROM ").or_else(|| line.trim().strip_prefix("image: "));
            let Some(image) = image else {
                continue;
            };
            let tag = image.split(' ').next().unwrap().split_once(':').unwrap().1;
            let number = tag.split('-').next().unwrap();
            assert!(number.contains('.'), "{name}: {image}");
            assert!(number.chars().all(|c| c.is_ascii_digit() || c == '.'), "{name}: {image}");
            versions += 1;
        }
    }
    assert!(versions >= 7, "{versions}");
}
