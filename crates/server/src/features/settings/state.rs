//! State of the settings.

use crate::features::settings::StoredSettings;
use crate::platform::cache::VersionedCache;
use crate::platform::{MIB, Platform};
use std::ops::Deref;

/// State of the settings.
#[derive(Debug)]
pub struct SettingsState {
    platform: Platform,
    /// All settings, by the key 0.
    pub(super) cache: VersionedCache<i64, StoredSettings>,
}

impl SettingsState {
    pub(crate) fn new(platform: Platform) -> Self {
        let cache = VersionedCache::new(&platform.versions, "settings", 1, MIB);
        Self { platform, cache }
    }

    pub(crate) fn export_metrics(&self) {
        self.cache.measure();
    }
}

impl Deref for SettingsState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
