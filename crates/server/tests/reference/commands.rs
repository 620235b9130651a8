//! The reference of commands.

use crate::pages::{cell, check_part};
use clap::{Arg, ArgAction, Command, CommandFactory as _};
use kith::cli::Cli;
use std::fmt::Write as _;

/// Whether a command takes an option as `kith serve` does: the table of settings has it.
fn is_setting(arg: &Arg) -> bool {
    arg.get_env().is_some()
}

/// Name of an argument, such as `--count <COUNT>`.
fn name(arg: &Arg) -> String {
    let value = arg
        .get_value_names()
        .and_then(<[_]>::first)
        .map_or_else(|| arg.get_id().to_string().to_uppercase(), ToString::to_string);
    let takes_value = !matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::Count);
    match arg.get_long() {
        Some(flag) if takes_value => format!("--{flag} <{value}>"),
        Some(flag) => format!("--{flag}"),
        None => format!("<{value}>"),
    }
}

/// Help and default of an argument.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string);
    let mut meaning = cell(&help.unwrap_or_default());
    let has_values = !matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::Count);
    let values = arg.get_possible_values();
    let values = values.iter().map(|value| format!("`{}`", value.get_name())).collect::<Vec<_>>();
    if has_values && !values.is_empty() {
        let _ = write!(meaning, ". One of {}", values.join(", "));
    }
    let defaults = arg.get_default_values();
    if has_values && defaults.iter().any(|default| !default.is_empty()) {
        let defaults = defaults.iter().map(|default| default.to_string_lossy());
        let _ = write!(meaning, ". Default: `{}`", defaults.collect::<Vec<_>>().join(", "));
    }
    meaning
}

fn about(command: &Command) -> String {
    command.get_about().unwrap().to_string()
}

fn write_command(page: &mut String, index: &mut String, command: &Command, path: &str) {
    let subcommands = command.get_subcommands().filter(|one| one.get_name() != "help");
    let subcommands = subcommands.collect::<Vec<_>>();
    for subcommand in &subcommands {
        write_command(page, index, subcommand, &format!("{path} {}", subcommand.get_name()));
    }
    if !subcommands.is_empty() {
        return;
    }
    let anchor = path.replace(' ', "-");
    let _ = writeln!(index, "| [`{path}`](#{anchor}) | {} |", cell(&about(command)));
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let _ = write!(page, "## {path}\n\n{}.\n\n```text\n{usage}\n```\n", about(command));
    let hidden = |arg: &&Arg| {
        !arg.is_hide_set() && !matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpShort)
    };
    let (settings, own): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().filter(hidden).partition(|arg| is_setting(arg) && !is_own(arg));
    if !own.is_empty() {
        page.push_str("\n| Argument | Meaning |\n|---|---|\n");
    }
    for arg in own {
        let _ = writeln!(page, "| `{}` | {} |", name(arg), meaning(arg));
    }
    let settings = settings.iter().filter_map(|arg| arg.get_long());
    let settings = settings.filter(|flag| *flag != "config").map(|flag| format!("`--{flag}`"));
    let settings = settings.collect::<Vec<_>>();
    if path == "kith serve" {
        page.push_str("\nTakes all [settings](settings.md).\n");
    } else if !settings.is_empty() {
        let _ = write!(page, "\n[Settings](settings.md): {}.\n", settings.join(", "));
    }
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.unwrap().to_string();
    for paragraph in after.split("\n\n") {
        match paragraph.strip_prefix("Example: ") {
            Some(examples) => {
                let examples = examples.trim().lines();
                let examples = examples.map(|line| line.trim_start_matches("Example: "));
                let examples = examples.collect::<Vec<_>>();
                let _ = write!(page, "\n```sh\n{}\n```\n", examples.join("\n"));
            }
            None => {
                let _ = write!(page, "\n{}\n", paragraph.trim());
            }
        }
    }
    page.push('\n');
}

/// Whether an option with a variable belongs to one command only, such as `kith move --to`.
fn is_own(arg: &Arg) -> bool {
    let settings = crate::settings::settings();
    !settings.iter().any(|setting| setting.get_id() == arg.get_id())
}

/// proves: operate-book
#[test]
fn the_book_describes_all_commands() {
    let mut command = Cli::command();
    command.build();
    let mut index = "| Command | What it does |\n|---|---|\n".to_owned();
    let mut page = String::new();
    write_command(&mut page, &mut index, &command, "kith");
    check_part("docs/reference/commands.md", "commands", &format!("{index}\n{page}"));
}
