//! `kith config`.

use crate::cli::sources::{
    Origin, RawSetting, Sources, accept_any_value, is_secret, key, read_sources,
};
use crate::cli::unknown_variables;
use crate::ops::doctor::{self, Verdict};
use crate::platform::config::Settings;
use crate::platform::output::print_line;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use std::ffi::OsString;

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Print each setting of the server with its origin, secrets hidden, and check them all.
    #[command(after_help = "Example: kith config check --config /etc/kith/kith.toml")]
    Check(CheckArgs),
}

/// Arguments of `kith config check`: the settings of `kith serve`, which may be invalid.
#[derive(Debug)]
pub(super) struct CheckArgs(Sources);

impl Args for CheckArgs {
    fn augment_args(command: Command) -> Command {
        accept_any_value(Settings::augment_args(command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for CheckArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(read_sources(&Settings::augment_args(Command::new("kith")), matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ConfigCommand {
    pub(super) fn execute(self) -> Result<(), String> {
        let Self::Check(CheckArgs(Sources { settings, mut errors })) = self;
        unknown_variables::print_unknown();
        for setting in &settings {
            print_line!("{}", format_setting(setting))?;
        }
        errors.extend(settings.iter().filter_map(find_error));
        if errors.is_empty() {
            errors.extend(find_inconsistency(&settings));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors.join("\n      ")) }
    }
}

/// Formats a setting as in a configuration file, with its origin as a comment.
fn format_setting(setting: &RawSetting) -> String {
    let key = key(&setting.arg).unwrap_or_default();
    let origin = format_origin(setting);
    match &setting.value {
        None => format!("# {key} is not set"),
        Some(value) if is_secret(&setting.arg) && !value.is_empty() => {
            format!("{key} = (hidden)  # {origin}")
        }
        Some(value) => format!("{key} = {:?}  # {origin}", value.to_string_lossy()),
    }
}

fn format_origin(setting: &RawSetting) -> String {
    match &setting.origin {
        Origin::Flag => format!("--{}", setting.arg.get_long().unwrap_or_default()),
        Origin::Environment => {
            setting.arg.get_env().unwrap_or_default().to_string_lossy().into_owned()
        }
        Origin::File(path) => path.display().to_string(),
        Origin::Default => "default".to_owned(),
    }
}

/// Returns a sentence about a value that cannot be parsed.
fn find_error(setting: &RawSetting) -> Option<String> {
    let error = parse_flags([flag(setting)?]).err()?.to_string();
    let message = error.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let message = message.trim_end_matches('.');
    Some(format!("{}: {message}.", format_origin(setting)))
}

/// Returns a sentence about settings that are valid by themselves, but not together.
fn find_inconsistency(settings: &[RawSetting]) -> Option<String> {
    let matches = parse_flags(settings.iter().filter_map(flag)).ok()?;
    let settings = Settings::from_arg_matches(&matches).ok()?;
    let check = doctor::check_settings(&settings);
    (check.verdict == Verdict::Fail).then(|| format!("{}. {}", check.found, check.advice))
}

fn flag(setting: &RawSetting) -> Option<OsString> {
    let mut flag = OsString::from(format!("--{}=", setting.arg.get_long()?));
    flag.push(setting.value.as_ref()?);
    Some(flag)
}

/// Parses flags alone, without the environment.
fn parse_flags(flags: impl IntoIterator<Item = OsString>) -> Result<ArgMatches, clap::Error> {
    let command = Settings::augment_args(Command::new("kith").no_binary_name(true));
    command.mut_args(|arg| arg.env(None::<&str>)).try_get_matches_from(flags)
}
