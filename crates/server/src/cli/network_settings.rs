//! `kith settings`: the network's name, texts and pages.

use super::DataArgs;
use crate::features::media::{self, MediaState};
use crate::features::moderation::{self, ChangeIcon, ChangeSettings};
use crate::features::settings::{self, SettingField, StoredSettings};
use crate::http::error::ApiError;
use crate::platform::config::DatabaseArgs;
use crate::platform::output::print_line;
use crate::state::AppState;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Key of the icon in an exported file.
const ICON: &str = "icon";
const NOT_BASE64: &str = "icon is not the Base64 of an image.";

/// Values for storage; `None` restores the default.
type CheckedValues = Vec<(SettingField, Option<String>)>;
/// Settings as written, and the file of the icon.
type ParsedFile = (Vec<(SettingField, String)>, Option<Vec<u8>>);

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
        store: DatabaseArgs,
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
        store: DatabaseArgs,
    },
    /// Print the settings that are not at their default as JSON for `import`, with the icon in Base64.
    #[command(after_help = "Example: kith settings export > settings.json")]
    Export {
        #[command(flatten)]
        data: DataArgs,
    },
    /// Replace all settings by those of a JSON file; what it lacks is reset to its default.
    #[command(after_help = "Example: kith settings import settings.json")]
    Import {
        /// File that `export` wrote; - reads standard input.
        file: PathBuf,
        #[command(flatten)]
        data: DataArgs,
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
            Self::Export { data } => export(data).await,
            Self::Import { file, data } => import(&super::read_input(&file)?, data).await,
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

async fn get(name: Option<SettingField>, store: DatabaseArgs) -> Result<(), String> {
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

async fn load(store: DatabaseArgs) -> Result<StoredSettings, String> {
    let state = super::open_state(store).await?;
    let stored = settings::load(&state.db.reader()).await;
    state.db.close().await;
    stored.map_err(|error| format!("The settings cannot be read: {error}."))
}

async fn change(typed: Vec<(SettingField, String)>, store: DatabaseArgs) -> Result<(), String> {
    let values = check(typed)?;
    let state = super::open_state(store).await?;
    let changed = state.db.write(ChangeSettings::by_operator(values, state.now())).await;
    state.db.close().await;
    changed.map(drop).map_err(|error| error.message().to_owned())
}

fn check(typed: Vec<(SettingField, String)>) -> Result<CheckedValues, String> {
    let check = |(field, text): (SettingField, String)| match field.check(&text) {
        Ok(value) => Ok((field, value)),
        Err(error) => Err(format!("{}: {}", field.name(), error.message())),
    };
    typed.into_iter().map(check).collect()
}

async fn export(data: DataArgs) -> Result<(), String> {
    let state = super::open_state_with_images(data).await?;
    let read = async {
        let stored = settings::load(&state.db.reader()).await;
        let stored = stored.map_err(|error| format!("The settings cannot be read: {error}."))?;
        let mut object = to_json(&stored);
        if let Some(icon) = read_icon(&state.media, &stored).await? {
            object.insert(ICON.to_owned(), STANDARD.encode(icon).into());
        }
        Ok::<_, String>(object)
    };
    let read = read.await;
    state.db.close().await;
    super::print_json(&read?)
}

async fn read_icon(media: &MediaState, stored: &StoredSettings) -> Result<Option<Vec<u8>>, String> {
    let Some(path) = stored.icon_url() else {
        return Ok(None);
    };
    let file = media::read_image(media, path).await;
    let file = file.map_err(|error| format!("The icon cannot be read: {}", error.message()))?;
    file.map(Some).ok_or_else(|| format!("The file of the icon is missing: {path}."))
}

async fn import(text: &str, data: DataArgs) -> Result<(), String> {
    let (typed, icon) = parse_file(text)?;
    let values = check(typed)?;
    let state = super::open_state_with_images(data).await?;
    let imported = import_checked(&state, values, icon).await;
    state.db.close().await;
    imported
}

async fn import_checked(
    state: &AppState,
    values: CheckedValues,
    icon: Option<Vec<u8>>,
) -> Result<(), String> {
    let stored = settings::load(&state.db.reader()).await;
    let stored = stored.map_err(|error| format!("The settings cannot be read: {error}."))?;
    // An icon that is encoded again would lose quality at each import. A missing file is replaced.
    let is_same = icon.is_some() && read_icon(&state.media, &stored).await.ok().flatten() == icon;
    let image = match icon.filter(|_| !is_same) {
        Some(file) => Some(moderation::import_icon(&state.media, &file).await),
        None => None,
    };
    let image = image.transpose().map_err(|error| format!("icon: {}", error.message()))?;
    let message = |error: ApiError| error.message().to_owned();
    let change = ChangeSettings::by_operator(values, state.now());
    state.db.write(change).await.map_err(message)?;
    if !is_same {
        let change = ChangeIcon::by_operator(image, state.now());
        state.db.write(change).await.map_err(message)?;
    }
    Ok(())
}

fn to_json(stored: &StoredSettings) -> Map<String, Value> {
    let values = SettingField::ALL.into_iter().filter_map(|field| {
        stored.get(field).map(|value| (field.name().to_owned(), Value::from(value)))
    });
    values.collect()
}

/// Parses an exported file into all settings and the file of the icon.
fn parse_file(text: &str) -> Result<ParsedFile, String> {
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
    let icon = match object.remove(ICON) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(STANDARD.decode(text).map_err(|_| NOT_BASE64)?),
        Some(_) => return Err(NOT_BASE64.to_owned()),
    };
    match object.keys().next() {
        Some(name) => Err(format!("There is no setting {name}.")),
        None => Ok((typed, icon)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exported_file_has_all_settings_and_no_others() {
        let (typed, icon) =
            parse_file(r#"{"name": "Rookery", "rules": null, "icon": "AQI="}"#).unwrap();
        assert_eq!(icon, Some(vec![1, 2]));
        assert_eq!(typed.len(), SettingField::ALL.len());
        assert!(typed.contains(&(SettingField::Name, "Rookery".to_owned())));
        assert!(typed.contains(&(SettingField::Rules, String::new())));
        for bad in [
            "",
            "[]",
            r#"{"name": 1}"#,
            r#"{"nam": "Rookery"}"#,
            r#"{"icon": 1}"#,
            r#"{"icon": "?"}"#,
        ] {
            assert!(parse_file(bad).is_err(), "{bad}");
        }
    }
}
