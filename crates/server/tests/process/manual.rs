//! Manual pages and completions.

use crate::command::expect_failure;
use crate::program::kith;
use clap::CommandFactory as _;
use kith::cli::Cli;

/// Names of all commands with a page, such as `kith-member-list`.
fn page_names(command: &clap::Command, name: &str) -> Vec<String> {
    let deeper = command
        .get_subcommands()
        .flat_map(|one| page_names(one, &format!("{name}-{}", one.get_name())));
    deeper.chain([name.to_owned()]).collect()
}

/// Each page is readable by all accounts, and no page contains the value of a setting.
/// proves: operate-manual
#[cfg(unix)]
#[test]
fn each_command_has_a_manual_page() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let smtp = "smtps://kith:pa55word@mail.example";
    let written = kith().arg("man").arg(folder.path()).env("KITH_SMTP_URL", smtp).output().unwrap();
    assert!(written.status.success(), "{written:?}");
    let names = page_names(&Cli::command(), "kith");
    for name in &names {
        let file = folder.path().join(format!("{name}.1"));
        let page = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(page.contains(".SH NAME") && page.contains("Example: "), "{name}: {page}");
        assert!(!page.contains("pa55word"), "{name}");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o644, "{name}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), names.len());
    let serve = std::fs::read_to_string(folder.path().join("kith-serve.1")).unwrap();
    assert!(serve.contains("KITH_PUBLIC_URL"), "{serve}");
    let printed = kith().arg("man").output().unwrap();
    let page = std::fs::read_to_string(folder.path().join("kith.1")).unwrap();
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), page);
}

/// proves: operate-manual
#[test]
fn a_missing_folder_for_manual_pages_is_an_error() {
    let text = expect_failure(&["man", "/dev/null/man"]);
    assert!(text.contains("could not be written"), "{text}");
}

/// proves: operate-manual
#[test]
fn each_shell_gets_completions_of_all_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = kith().args(["completions", shell]).output().unwrap();
        assert!(output.status.success(), "{shell}");
        let script = String::from_utf8(output.stdout).unwrap();
        for word in ["waitlist", "sign-out", "public-url"] {
            assert!(script.contains(word), "{shell} has no {word}");
        }
    }
    let bash = kith().args(["completions", "bash"]).output().unwrap().stdout;
    let bash = format!("set -eu\n{}\ncomplete -p kith\n", String::from_utf8(bash).unwrap());
    let checked = std::process::Command::new("bash").args(["-c", &bash]).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}
