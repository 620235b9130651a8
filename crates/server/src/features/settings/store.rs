//! SQL of the settings.

use crate::features::settings::SettingField;
use crate::platform::clock::Millis;
use crate::platform::mail::Language;
use kith_db::{Reader, Result, Sql, Tx, params, sql};
use std::collections::HashMap;

pub(super) const LOAD: Sql =
    sql!("select name, value, changed_at from network_settings where part = 0");
const SAVE: Sql = sql!(
    "insert into network_settings (part, name, value, changed_at) values (0, $1, $2, $3)
     on conflict (part, name) do update set value = excluded.value, changed_at = excluded.changed_at"
);
const DELETE: Sql = sql!("delete from network_settings where part = 0 and name = $1");

/// URL path of the icon.
const ICON: &str = "icon";
/// Counts the changes of all settings.
const VERSION: &str = "version";
/// Counts the changes of the rules; kept when the rules are removed.
const RULES_VERSION: &str = "rulesVersion";
/// Counts the announcements; kept when one is removed.
const ANNOUNCEMENT_VERSION: &str = "announcementVersion";
/// Version of the announcement that was mailed last.
pub(super) const MAILED_VERSION: &str = "announcementMailedVersion";

/// The settings that are not at their default, with the times of their changes.
#[derive(Debug, Default)]
pub struct StoredSettings(HashMap<String, (String, Millis)>);

impl StoredSettings {
    /// Returns the value of a setting; `None` if it has its default.
    #[must_use]
    pub fn get(&self, field: SettingField) -> Option<&str> {
        self.0.get(field.name()).map(|(value, _)| value.as_str())
    }

    /// Returns the value of a setting, or its default text; empty without either.
    #[must_use]
    pub fn text(&self, field: SettingField) -> String {
        let value = self.get(field).or(field.default_text());
        value.unwrap_or_default().to_owned()
    }

    /// Returns the URL path of the icon; `None` for the one of the design.
    #[must_use]
    pub fn icon_url(&self) -> Option<&str> {
        self.0.get(ICON).map(|(value, _)| value.as_str())
    }

    /// Returns the language of people who chose none; `None` for English.
    #[must_use]
    pub fn default_language(&self) -> Option<Language> {
        self.get(SettingField::DefaultLanguage).and_then(Language::parse)
    }

    /// Returns when a setting was changed to its value; `None` if it has its default.
    #[must_use]
    pub fn changed_at(&self, field: SettingField) -> Option<Millis> {
        self.0.get(field.name()).map(|(_, changed_at)| *changed_at)
    }

    /// Returns the number of changes so far.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.count(VERSION)
    }

    /// Returns the version of the rules, from 1; 0 if there are none.
    #[must_use]
    pub fn rules_version(&self) -> i64 {
        self.get(SettingField::Rules).map_or(0, |_| self.count(RULES_VERSION))
    }

    /// Returns the version of the newest announcement, from 1.
    pub(super) fn announcement_version(&self) -> i64 {
        self.count(ANNOUNCEMENT_VERSION)
    }

    /// Returns the version of the announcement that was mailed last; 0 if none was.
    #[must_use]
    pub fn mailed_version(&self) -> i64 {
        self.count(MAILED_VERSION)
    }

    fn count(&self, name: &str) -> i64 {
        self.0.get(name).and_then(|(value, _)| value.parse().ok()).unwrap_or(0)
    }

    /// Approximate size in bytes.
    pub(super) fn text_bytes(&self) -> usize {
        self.0.iter().map(|(name, (value, _))| name.len() + value.len() + 64).sum()
    }
}

/// Loads all settings.
pub async fn load(db: &Reader<'_>) -> Result<StoredSettings> {
    load_with(db, &LOAD).await
}

/// Loads the settings that a statement selects.
pub(super) async fn load_with(db: &Reader<'_>, sql: &'static Sql) -> Result<StoredSettings> {
    let read = |row: &kith_db::Row<'_>| Ok((row.text(0)?, (row.text(1)?, row.int(2)?)));
    Ok(StoredSettings(db.all(sql, &[], read).await?.into_iter().collect()))
}

/// Saves checked values, where `None` restores the default, and returns the settings that changed. The caller serializes
/// changes and passes the settings as they are stored.
pub async fn apply(
    tx: &mut Tx,
    stored: &StoredSettings,
    values: &[(SettingField, Option<String>)],
    now: Millis,
) -> Result<Vec<SettingField>> {
    let is_changed =
        |(field, value): &&(SettingField, Option<String>)| stored.get(*field) != value.as_deref();
    let mut changed = Vec::new();
    for (field, value) in values.iter().filter(is_changed) {
        save(tx, field.name(), value.as_deref(), now).await?;
        let counter = match field {
            SettingField::Rules => Some(RULES_VERSION),
            SettingField::Announcement => Some(ANNOUNCEMENT_VERSION),
            _ => None,
        };
        if let Some(counter) = counter.filter(|_| value.is_some()) {
            let version = (stored.count(counter) + 1).to_string();
            save(tx, counter, Some(&version), now).await?;
        }
        changed.push(*field);
    }
    if !changed.is_empty() {
        count_change(tx, stored, now).await?;
    }
    Ok(changed)
}

/// Saves the URL path of the icon, or restores the icon of the design. The caller serializes changes, passes the
/// settings as they are stored, and counts the uses of the images.
pub async fn set_icon(
    tx: &mut Tx,
    stored: &StoredSettings,
    url: Option<&str>,
    now: Millis,
) -> Result<()> {
    save(tx, ICON, url, now).await?;
    count_change(tx, stored, now).await
}

async fn count_change(tx: &mut Tx, stored: &StoredSettings, now: Millis) -> Result<()> {
    let version = (stored.version() + 1).to_string();
    save(tx, VERSION, Some(&version), now).await
}

pub(super) async fn save(tx: &mut Tx, name: &str, value: Option<&str>, now: Millis) -> Result<()> {
    match value {
        Some(value) => tx.exec(&SAVE, params![name, value, now]).await?,
        None => tx.exec(&DELETE, params![name]).await?,
    };
    Ok(())
}
