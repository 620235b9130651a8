//! Values of settings that come from files: secrets named by `KITH_…_FILE`, and the configuration file.
//!
//! Precedence: flag, environment variable, file named by an environment variable, configuration file, default.

use clap::builder::ValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args as _, Command, CommandFactory as _, FromArgMatches as _};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use toml::Value;

use crate::cli::Cli;
use crate::platform::config::Settings;
use kith_storage::read_secret_file;

const PREFIX: &str = "KITH_";
const FILE_SUFFIX: &str = "_FILE";

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    Flag,
    Environment,
    /// Configuration file, or file of a secret.
    File(PathBuf),
    Default,
}

/// Value of a setting before it is parsed.
#[derive(Debug)]
pub(super) struct RawSetting {
    /// Definition of the setting's flag.
    pub(super) arg: Arg,
    /// `None` if it has neither a value nor a default.
    pub(super) value: Option<OsString>,
    pub(super) origin: Origin,
}

/// Values of all settings of the called command that come from files.
#[derive(Debug)]
pub(super) struct Sources {
    pub(super) settings: Vec<RawSetting>,
    /// Sentences about files that cannot be used.
    pub(super) errors: Vec<String>,
}

/// Parses the command line with the settings from the environment and from files. An error is a sentence.
pub fn parse(arguments: Vec<OsString>) -> Result<Cli, String> {
    // Accepts any value, so that the settings that only a file contains can be added to the arguments.
    let matches = accept_any_value(Cli::command()).try_get_matches_from(&arguments);
    let Ok(matches) = matches else {
        return Ok(parse_strictly(&arguments));
    };
    let (command, leaf) = leaf_command(Cli::command(), &matches);
    if command.get_name() == "check" {
        // Reads the sources itself, to report all errors.
        return Ok(parse_strictly(&arguments));
    }
    let sources = read_sources(&command, leaf);
    if !sources.errors.is_empty() {
        return Err(sources.errors.join("\n      "));
    }
    Ok(parse_strictly(&with_file_values(arguments, &sources.settings)))
}

/// Parses the command line; exits after `--help` and on errors.
fn parse_strictly(arguments: &[OsString]) -> Cli {
    let matches = Cli::command().get_matches_from(arguments);
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// Adds the values from files as flags, before the separator of positional arguments.
fn with_file_values(mut arguments: Vec<OsString>, settings: &[RawSetting]) -> Vec<OsString> {
    let from_files = settings.iter().filter(|one| matches!(one.origin, Origin::File(_)));
    let flags = from_files.filter_map(|one| {
        let mut flag = OsString::from(format!("--{}=", one.arg.get_long()?));
        flag.push(one.value.as_ref()?);
        Some(flag)
    });
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    arguments.splice(end..end, flags.collect::<Vec<_>>());
    arguments
}

/// Removes the checks of settings, not those of other arguments.
pub(super) fn accept_any_value(command: Command) -> Command {
    let any = |arg: Arg| {
        if variable(&arg).is_some() {
            arg.required(false).value_parser(ValueParser::os_string())
        } else {
            arg
        }
    };
    command.mut_args(any).mut_subcommands(accept_any_value)
}

/// Returns the definition of the called command and its matches.
fn leaf_command(mut command: Command, mut matches: &ArgMatches) -> (Command, &ArgMatches) {
    while let Some((name, inner)) = matches.subcommand() {
        let Some(found) = command.find_subcommand(name) else {
            break;
        };
        (command, matches) = (found.clone(), inner);
    }
    (command, matches)
}

/// Returns the environment variable of a setting.
fn variable(arg: &Arg) -> Option<&str> {
    let name = arg.get_env().and_then(OsStr::to_str);
    name.filter(|name| name.starts_with(PREFIX) && *name != "KITH_CONFIG")
}

/// Returns the key of a setting in the configuration file.
pub(super) fn key(arg: &Arg) -> Option<String> {
    Some(variable(arg)?.strip_prefix(PREFIX)?.to_ascii_lowercase())
}

/// Checks whether a setting can contain a secret.
pub(super) fn is_secret(arg: &Arg) -> bool {
    arg.is_hide_env_values_set()
}

/// Collects the values of a command's settings.
pub(super) fn read_sources(command: &Command, matches: &ArgMatches) -> Sources {
    let mut errors = Vec::new();
    let path = matches.get_one::<PathBuf>("config").filter(|path| !path.as_os_str().is_empty());
    let mut values = match path.map(|path| ConfigFile::read(path)).transpose() {
        Ok(file) => file.unwrap_or_default(),
        Err(sentence) => {
            errors.push(sentence);
            ConfigFile::default()
        }
    };
    errors.append(&mut values.errors);
    let mut settings = Vec::new();
    for arg in command.get_arguments().filter(|arg| variable(arg).is_some()) {
        match resolve(arg, matches, &values) {
            Ok((value, origin)) => {
                settings.push(RawSetting { arg: arg.clone(), value, origin });
            }
            Err(sentence) => errors.push(sentence),
        }
    }
    Sources { settings, errors }
}

/// Determines the value of a setting by precedence.
fn resolve(
    arg: &Arg,
    matches: &ArgMatches,
    file: &ConfigFile,
) -> Result<(Option<OsString>, Origin), String> {
    let (Some(name), Some(key)) = (variable(arg), key(arg)) else {
        return Ok((None, Origin::Default));
    };
    let id = arg.get_id().as_str();
    let given = matches.get_raw(id).and_then(|mut values| values.next());
    let given = given.map(OsStr::to_os_string);
    let source = matches.value_source(id);
    if source == Some(ValueSource::CommandLine) {
        return Ok((given, Origin::Flag));
    }
    let is_set = source == Some(ValueSource::EnvVariable);
    let is_filled = is_set && given.as_ref().is_some_and(|value| !value.is_empty());
    let secret_variable = format!("{name}{FILE_SUFFIX}");
    if let Some(path) = secret_path(arg, &secret_variable) {
        if is_filled {
            return Err(format!("{name} and {secret_variable} are both set: unset one of them."));
        }
        let value = read_secret_file(&secret_variable, &path)?;
        return Ok((Some(value.into()), Origin::File(path)));
    }
    if is_filled {
        return Ok((given, Origin::Environment));
    }
    if let Some(value) = file.values.get(&key) {
        return Ok((Some(value.into()), Origin::File(file.path.clone())));
    }
    if let Some(path) = file.values.get(&format!("{key}_file")) {
        let path = PathBuf::from(path);
        let value = read_secret_file(&format!("{key}_file"), &path)?;
        return Ok((Some(value.into()), Origin::File(path)));
    }
    let origin = if is_set { Origin::Environment } else { Origin::Default };
    Ok((given, origin))
}

/// Returns the file that an environment variable names for a secret.
fn secret_path(arg: &Arg, name: &str) -> Option<PathBuf> {
    let path = std::env::var_os(name).filter(|path| is_secret(arg) && !path.is_empty());
    path.map(PathBuf::from)
}

/// Settings in a configuration file, by key.
#[derive(Debug, Default)]
struct ConfigFile {
    path: PathBuf,
    values: BTreeMap<String, String>,
    errors: Vec<String>,
}

impl ConfigFile {
    /// Reads a file; an error is a sentence. Keys with errors are left out.
    fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("The configuration file {shown} cannot be read: {error}."))?;
        // The library's whole message quotes the line, which may contain a password.
        let table = text.parse::<toml::Table>().map_err(|error| {
            let before = &text[..error.span().map_or(0, |span| span.start)];
            let line = before.matches('\n').count() + 1;
            let message = error.message().replace('\n', ", ");
            format!("{shown}, line {line}: this is not TOML ({message}).")
        })?;
        let mut file = Self { path: path.to_owned(), ..Self::default() };
        let known = known_keys();
        for (key, value) in table {
            if !known.contains(&key) {
                file.errors.push(unknown_key(path, &key, &known));
                continue;
            }
            match setting_text(&value) {
                Some(text) => drop(file.values.insert(key, text)),
                None => file.errors.push(format!(
                    "{shown}: {key} must be a string, a number, true, false, or a list of strings."
                )),
            }
        }
        for key in known.iter().filter(|key| file.values.contains_key(*key)) {
            let twin = format!("{key}_file");
            if file.values.contains_key(&twin) {
                file.errors.push(format!("{shown}: {key} and {twin} are both set: keep one."));
            }
        }
        Ok(file)
    }
}

/// Returns the keys that a configuration file may contain.
fn known_keys() -> Vec<String> {
    let settings = Settings::augment_args(Command::new("kith"));
    let keys = settings.get_arguments().filter_map(|arg| Some((key(arg)?, is_secret(arg))));
    keys.flat_map(|(key, is_secret)| {
        let file = is_secret.then(|| format!("{key}_file"));
        std::iter::once(key).chain(file)
    })
    .collect()
}

/// Returns the known name that an unknown one was probably meant to be.
pub(super) fn closest_name<'a>(name: &str, known: &'a [String]) -> Option<&'a String> {
    let distance = |other: &&String| strsim::damerau_levenshtein(name, other);
    let is_similar = |other: &&String| distance(other) <= (name.len() / 3).min(3);
    let has_words =
        |text: &str, of: &str| of.split('_').all(|word| text.split('_').any(|one| one == word));
    let is_part = |other: &&String| has_words(other, name) || has_words(name, other);
    known
        .iter()
        .min_by_key(distance)
        .filter(is_similar)
        .or_else(|| known.iter().filter(is_part).min_by_key(distance))
}

fn unknown_key(path: &Path, key: &str, known: &[String]) -> String {
    let advice = match closest_name(key, known) {
        Some(closest) => format!("did you mean `{closest}`?"),
        None => "`kith serve --help` lists the settings.".to_owned(),
    };
    format!("{}: there is no setting `{}`: {advice}", path.display(), key.escape_debug())
}

/// Formats a value of TOML as in an environment variable: switches are `on` and `off`, lists have commas.
fn setting_text(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(is_on) => if *is_on { "on" } else { "off" }.to_owned(),
        Value::Array(parts) => {
            parts.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?.join(",")
        }
        _ => return None,
    })
}
