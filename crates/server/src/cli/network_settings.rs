//! `kith settings`: the network's name, texts and pages.

use crate::features::moderation::ChangeSettings;
use crate::features::settings::{self, SettingField, StoredSettings};
use crate::platform::config::Store;
use crate::platform::output::print_line;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

#[derive(Debug, Subcommand)]
pub(super) enum SettingsCommand {
    /// Print the settings that are not at their default, or one setting's text.
    #[command(
        after_help = "Example: kith settings get\nExample: kith settings get rules --data /var/lib/kith"
    )]
    Get {
        /// Setting to print.
        #[arg(value_parser = field_parser())]
        name: Option<SettingField>,
        #[command(flatten)]
        store: Store,
    },
    /// Change one setting. The server shows it at once.
    #[command(
        after_help = "Example: kith settings set name Rookery\nExample: kith settings set rules - < rules.md"
    )]
    Set {
        /// Setting to change.
        #[arg(value_parser = field_parser())]
        name: SettingField,
        /// New value; an empty one restores the default; - reads standard input.
        #[arg(allow_hyphen_values = true)]
        value: String,
        #[command(flatten)]
        store: Store,
    },
    /// Print the settings that are not at their default as JSON for `import`. The icon is not part of it.
    #[command(after_help = "Example: kith settings export > settings.json")]
    Export {
        #[command(flatten)]
        store: Store,
    },
    /// Replace all settings by those of a JSON file; what it lacks is reset to its default.
    #[command(after_help = "Example: kith settings import settings.json")]
    Import {
        /// File that `export` wrote; - reads standard input.
        file: PathBuf,
        #[command(flatten)]
        store: Store,
    },
}

/// Parser of a setting's name; the help and the completions of a shell list all names.
fn field_parser() -> impl TypedValueParser<Value = SettingField> {
    PossibleValuesParser::new(SettingField::ALL.map(SettingField::name)).try_map(|name| {
        SettingField::ALL.into_iter().find(|field| field.name() == name).ok_or("unknown setting")
    })
}

impl SettingsCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::Get { name, store } => get(name, store).await,
            Self::Set { name, value, store } => {
                let value = if value == "-" {
                    super::read_input(Path::new("-"))?
                } else {
                    check_is_no_file(name, value)?
                };
                change(vec![(name, value)], store).await
            }
            Self::Export { store } => super::print_json(&to_json(&load(store).await?)),
            Self::Import { file, store } => {
                let text = super::read_input(&file)?;
                change(parse_file(&text)?, store).await
            }
        }
    }
}

/// Rejects the path of a file where a text in Markdown is expected, which would show the path to members.
fn check_is_no_file(field: SettingField, value: String) -> Result<String, String> {
    if !field.is_page() || !Path::new(&value).is_file() {
        return Ok(value);
    }
    let (name, path) = (field.name(), super::shell_quote(&value));
    Err(format!("{value} is a file. To set its text, run: kith settings set {name} - < {path}"))
}

async fn get(name: Option<SettingField>, store: Store) -> Result<(), String> {
    let stored = load(store).await?;
    if let Some(name) = name {
        return print_line!("{}", stored.text(name));
    }
    for field in SettingField::ALL {
        if let Some(value) = stored.get(field) {
            let value = value.lines().next().unwrap_or_default();
            print_line!("{}\t{value}", field.name())?;
        }
    }
    Ok(())
}

async fn load(store: Store) -> Result<StoredSettings, String> {
    let state = super::open_state(store).await?;
    let stored = settings::load(&state.db.reader()).await;
    state.db.close().await;
    stored.map_err(|error| format!("The settings cannot be read: {error}."))
}

async fn change(typed: Vec<(SettingField, String)>, store: Store) -> Result<(), String> {
    let mut values = Vec::new();
    for (field, text) in typed {
        let value = field.check(&text);
        let value = value.map_err(|error| format!("{}: {}", field.name(), error.message()))?;
        values.push((field, value));
    }
    let state = super::open_state(store).await?;
    let changed = state.db.write(ChangeSettings::by_operator(values, state.now())).await;
    state.db.close().await;
    changed.map(drop).map_err(|error| error.message().to_owned())
}

fn to_json(stored: &StoredSettings) -> Map<String, Value> {
    let values = SettingField::ALL.into_iter().filter_map(|field| {
        stored.get(field).map(|value| (field.name().to_owned(), Value::from(value)))
    });
    values.collect()
}

/// Parses an exported file into all settings.
fn parse_file(text: &str) -> Result<Vec<(SettingField, String)>, String> {
    let mut object: Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| format!("The file is not a JSON object of settings: {error}."))?;
    let mut typed = Vec::new();
    for field in SettingField::ALL {
        let value = match object.remove(field.name()) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            Some(_) => return Err(format!("{} is not a text.", field.name())),
        };
        typed.push((field, value));
    }
    match object.keys().next() {
        Some(name) => Err(format!("There is no setting {name}.")),
        None => Ok(typed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exported_file_has_all_settings_and_no_others() {
        let typed = parse_file(r#"{"name": "Rookery", "rules": null}"#).unwrap();
        assert_eq!(typed.len(), SettingField::ALL.len());
        assert!(typed.contains(&(SettingField::Name, "Rookery".to_owned())));
        assert!(typed.contains(&(SettingField::Rules, String::new())));
        for bad in ["", "[]", r#"{"name": 1}"#, r#"{"nam": "Rookery"}"#] {
            assert!(parse_file(bad).is_err(), "{bad}");
        }
    }
}
