//! Caches the settings, which every page needs.

use crate::features::settings::{SettingsState, StoredSettings, store};
use crate::platform::cache::{CacheTag, CacheValue, VersionSlot};
use kith_db::Result;
use std::sync::Arc;

const SLOTS: [VersionSlot; 1] = [VersionSlot::new(CacheTag::Settings, 0)];

impl CacheValue for StoredSettings {
    fn slots(&self) -> &[VersionSlot] {
        &SLOTS
    }

    fn bytes(&self) -> usize {
        self.text_bytes()
    }
}

/// Loads all settings, from the cache if possible.
pub async fn load_cached(state: &SettingsState) -> Result<Arc<StoredSettings>> {
    if let Some(cached) = state.cache.get(&0) {
        return Ok(cached);
    }
    let version = state.versions.current_version(&SLOTS);
    let loaded = Arc::new(store::load(&state.db.reader()).await?);
    state.cache.put(0, version, &loaded);
    Ok(loaded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::settings::WATCHES;
    use crate::features::watched_columns::unwatched_columns;

    #[test]
    fn every_column_of_the_cached_statement_is_watched() {
        let sql = store::LOAD.sqlite;
        let missing = unwatched_columns(WATCHES, sql, CacheTag::Settings, "network_settings");
        assert_eq!(missing, [""; 0]);
    }
}
