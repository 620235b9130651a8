//! The table of settings.

use crate::pages::{cell, check_part};
use clap::{Arg, CommandFactory as _};
use kith::cli::Cli;
use std::fmt::Write as _;

/// Pages that explain a setting, by its flag.
const PAGES: &[(&str, &str)] = &[
    ("config", "../configuration/sources.md"),
    ("data", "../admin/data-folder.md"),
    ("database-url", "../configuration/postgresql.md"),
    ("storage-url", "../configuration/s3.md"),
    ("smtp-url", "../configuration/email.md"),
    ("limits", "limits.md"),
    ("events", "../configuration/live-updates.md"),
    ("push-hosts", "../configuration/live-updates.md#web-push"),
    ("admin-listen", "../admin/monitoring.md"),
    ("drain-seconds", "../configuration/several-nodes.md"),
    ("trusted-proxies", "../getting-started/proxies.md"),
    ("log", "../admin/logs.md"),
    ("log-file", "../admin/logs.md"),
];

/// Settings of `kith serve`, in the order of their definitions.
pub(crate) fn settings() -> Vec<Arg> {
    let mut command = Cli::command();
    command.build();
    let serve = command.find_subcommand("serve").unwrap();
    serve.get_arguments().filter(|arg| arg.get_env().is_some()).cloned().collect()
}

/// Help and default of a setting. The help names a default that depends on something.
fn help_and_default(arg: &Arg) -> (String, String) {
    let help = cell(&arg.get_long_help().or(arg.get_help()).unwrap().to_string());
    if let Some((before, rest)) = help.split_once(" [default: ") {
        let (default, after) = rest.split_once(']').unwrap();
        return (format!("{before}{after}"), default.to_owned());
    }
    let default = match arg.get_default_values() {
        [] => "none".to_owned(),
        [value] if value.is_empty() => "empty".to_owned(),
        values => {
            let values = values.iter().map(|value| format!("`{}`", value.to_string_lossy()));
            values.collect::<Vec<_>>().join(", ")
        }
    };
    (help, default)
}

/// Values to choose from, with their meaning. That of `on` and `off` is in the help.
fn choices(arg: &Arg) -> Option<String> {
    let values = arg.get_possible_values();
    if values.is_empty() || values.iter().all(|value| ["on", "off"].contains(&value.get_name())) {
        return None;
    }
    let values = values.iter().map(|value| {
        let about = value.get_help().unwrap().to_string();
        format!("`{}` ({about})", value.get_name())
    });
    Some(values.collect::<Vec<_>>().join(", "))
}

/// proves: operate-book
#[test]
fn the_book_lists_all_settings() {
    let settings = settings();
    let flags = settings.iter().filter_map(Arg::get_long).collect::<Vec<_>>();
    for (flag, _) in PAGES {
        assert!(flags.contains(flag), "{flag} is no setting");
    }
    let mut table = "| Setting | Default | Meaning |\n|---|---|---|\n".to_owned();
    for arg in &settings {
        let variable = arg.get_env().unwrap().to_string_lossy();
        let flag = arg.get_long().unwrap();
        let (mut meaning, default) = help_and_default(arg);
        if let Some(choices) = choices(arg) {
            let _ = write!(meaning, ". One of {choices}");
        }
        if let Some((_, page)) = PAGES.iter().find(|(explained, _)| *explained == flag) {
            let _ = write!(meaning, " ([more]({page}))");
        }
        let _ = writeln!(table, "| `--{flag}`<br>`{variable}` | {default} | {meaning} |");
    }
    check_part("docs/reference/settings.md", "settings", &table);
}
