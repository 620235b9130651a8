//! Settings in a configuration file, and secrets in files.

use crate::command::expect_failure;
use crate::program::{Program, free_port, kith};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Output;

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Runs `kith config check` and returns its output.
fn check(variables: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = kith();
    command.args(["config", "check"]).args(args).envs(variables.iter().copied());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// proves: operate-config-file
#[test]
fn a_server_starts_with_the_settings_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let admin = free_port();
    let config = format!(
        "# A comment.\nadmin_listen = \"{admin}\"\nevents = false\ndrain_seconds = 0\n\
         trusted_proxies = [\"10.0.0.0/8\", \"127.0.0.0/8\"]\nlimits = \"waitlist=1/1h\"\n"
    );
    let config = write(folder.path(), "kith.toml", &config);
    let data = folder.path().join("data");
    let mut command = kith();
    command.args(["serve", "--data"]).arg(&data).arg("--config").arg(&config);
    // The variable overrides the file.
    command.env("KITH_LIMITS", "waitlist=2/1h");
    let program = Program::start_configured(command, admin);
    let join = |name: &str| {
        let body = format!("{{\"email\":\"{name}@example.org\"}}");
        program.request("POST", "/api/waitlist", "x-forwarded-for: 192.0.2.1\r\n", &body).status
    };
    assert_eq!(["ada", "bob", "cat"].map(join), [200, 200, 429]);
    // Commands read the file, too.
    let config = write(folder.path(), "data.toml", &format!("data = {data:?}\n"));
    let listed = kith().args(["waitlist", "list"]).env("KITH_CONFIG", config).output().unwrap();
    assert_eq!(text(&listed.stdout).lines().count(), 2, "{listed:?}");
}

/// proves: operate-config-check
#[test]
fn each_setting_is_printed_with_its_origin() {
    let folder = tempfile::tempdir().unwrap();
    let secret = write(folder.path(), "smtp", "smtps://me:pa55word@mail.example\n");
    let config = format!(
        "public_url = \"https://kith.example\"\nhsts = \"subdomains\"\nmail_from = \"Kith <kith@kith.example>\"\n\
         smtp_url_file = {secret:?}\ndatabase_url = \"postgres://kith:pa55word@db/kith\"\n"
    );
    let config = write(folder.path(), "kith.toml", &config);
    let shown = config.to_str().unwrap();
    let output = check(&[("KITH_HSTS", "off")], &["--config", shown, "--drain-seconds", "3"]);
    assert!(output.status.success(), "{output:?}");
    let printed = text(&output.stdout);
    for line in [
        format!("public_url = \"https://kith.example\"  # {shown}"),
        "hsts = \"off\"  # KITH_HSTS".to_owned(),
        "drain_seconds = \"3\"  # --drain-seconds".to_owned(),
        "listen = \"127.0.0.1:8080\"  # default".to_owned(),
        format!("smtp_url = (hidden)  # {}", secret.display()),
        format!("database_url = (hidden)  # {shown}"),
        "# in_flight is not set".to_owned(),
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}: {printed}");
    }
    assert!(!printed.contains("pa55word"), "{printed}");
}

/// proves: operate-config-check
#[test]
fn every_error_of_the_settings_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let config = write(
        folder.path(),
        "kith.toml",
        "listn = \"127.0.0.1:80\"\nxyz = 1\nlisten = \"nonsense\"\ndrain_seconds = 1.5\n\
         smtp_url = \"a\"\nsmtp_url_file = \"b\"\n",
    );
    let shown = config.to_str().unwrap();
    let output = check(&[("KITH_EVENTS", "maybe")], &["--config", shown]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = text(&output.stderr);
    for expected in [
        format!("{shown}: there is no setting `listn`: did you mean `listen`?"),
        format!("{shown}: there is no setting `xyz`: `kith serve --help` lists the settings."),
        format!("{shown}: invalid value 'nonsense' for '--listen <LISTEN>': invalid socket"),
        format!("{shown}: drain_seconds must be a string, a number, true, false, or a list"),
        format!("{shown}: smtp_url and smtp_url_file are both set: keep one."),
        "KITH_EVENTS: invalid value 'maybe' for '--events <EVENTS>' [possible values: on, off]."
            .to_owned(),
    ] {
        assert!(errors.contains(&expected), "{expected}: {errors}");
    }
    // A server does not start with such a file.
    let error = expect_failure(&["serve", "--config", shown]);
    assert!(error.contains("did you mean `listen`?"), "{error}");
    let inconsistent = check(&[("KITH_SMTP_URL", "smtp://me:pa55word@mail.example")], &[]);
    let error = text(&inconsistent.stderr);
    assert!(
        !inconsistent.status.success() && error.contains("KITH_SMTP_URL would send"),
        "{error}"
    );
}

/// The quoted line could contain a password.
/// proves: operate-config-file
#[test]
fn a_file_that_is_not_toml_is_rejected_without_quoting_it() {
    let folder = tempfile::tempdir().unwrap();
    let config = write(folder.path(), "kith.toml", "hsts = \"on\"\nsmtp_url = pa55word\n");
    let shown = config.to_str().unwrap();
    for command in [&["serve"][..], &["config", "check"], &["member", "list"]] {
        let error = expect_failure(&[command, &["--config", shown]].concat());
        assert!(error.contains(&format!("{shown}, line 2: this is not TOML")), "{error}");
        assert!(!error.contains("pa55word"), "{error}");
        let error = expect_failure(&[command, &["--config", "/nowhere/kith.toml"]].concat());
        assert!(error.contains("/nowhere/kith.toml cannot be read"), "{error}");
    }
}

/// proves: operate-secret-files
#[test]
fn secrets_can_be_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let path = write(folder.path(), "secret", "mysql://kith:pa55word@localhost\n");
    let path = path.to_str().unwrap();
    let run = |variables: &[(&str, &str)]| {
        let mut command = kith();
        command.args(["serve", "--data"]).arg(&data).envs(variables.iter().copied());
        let output = command.output().unwrap();
        assert!(!output.status.success(), "{output:?}");
        let error = text(&output.stderr);
        assert!(!error.contains("pa55word"), "{error}");
        error
    };
    for (name, error) in [
        ("KITH_DATABASE_URL", "KITH_DATABASE_URL: the URL must start with"),
        ("KITH_SMTP_URL", "KITH_SMTP_URL"),
        ("KITH_STORAGE_URL", "KITH_STORAGE_URL"),
    ] {
        let file = format!("{name}_FILE");
        let found = run(&[(&file, path)]);
        assert!(found.contains(error), "{found}");
        // An empty variable counts as unset, as in a compose file.
        assert!(run(&[(&file, path), (name, "")]).contains(error));
        let both = run(&[(&file, path), (name, "pa55word")]);
        assert!(both.contains(&format!("{name} and {file} are both set: unset one")), "{both}");
        let missing = run(&[(&file, "/nowhere/secret")]);
        let expected = format!("{file}: the file /nowhere/secret cannot be read: ");
        assert!(missing.contains(&expected), "{missing}");
    }
    // Other settings are no secrets, and are not read from files.
    assert!(check(&[("KITH_LISTEN_FILE", "/nowhere")], &[]).status.success());
}

/// proves: operate-unknown-variables
#[test]
fn a_mistyped_variable_is_reported() {
    let wrong = [("KITH_TRUSTED_PROXY", "127.0.0.1"), ("KITH_SITE", "kith.example")];
    let checked = check(&wrong, &[]);
    let expected = "kith: KITH_TRUSTED_PROXY is not a setting and is ignored: did you mean KITH_TRUSTED_PROXIES?\n";
    assert_eq!((checked.status.code(), text(&checked.stderr).as_str()), (Some(0), expected));
    assert_eq!(text(&check(&wrong[1..], &[]).stderr), "");

    let folder = tempfile::tempdir().unwrap();
    let mut doctor = kith();
    doctor.args(["doctor", "--data"]).arg(folder.path()).envs(wrong);
    let printed = text(&doctor.output().unwrap().stdout);
    let expected = "warn  variables: KITH_TRUSTED_PROXY is not a setting and is ignored. Did you mean KITH_TRUSTED_PROXIES?\n";
    assert!(printed.starts_with(expected), "{printed}");

    let log = folder.path().join("log");
    let mut command = kith();
    command.envs(wrong);
    let (data, at) = (folder.path().join("data"), (free_port(), free_port()));
    let url = format!("http://{}", at.0);
    let stderr = File::create(&log).unwrap().into();
    let mut program = Program::start_at(command, &data, at, &url, &[], stderr);
    program.signal("TERM");
    assert!(program.wait().success());
    let logged = std::fs::read_to_string(log).unwrap();
    let lines = logged.lines().filter(|line| line.contains("an environment variable is not"));
    let lines = lines.collect::<Vec<_>>();
    assert_eq!(lines.len(), 1, "{logged}");
    for name in ["\"KITH_TRUSTED_PROXY\"", "\"KITH_TRUSTED_PROXIES\""] {
        assert!(lines[0].contains(name), "{logged}");
    }
}
