//! State of the settings.

use crate::features::settings::StoredSettings;
use crate::features::settings::app_pages::AppPages;
use crate::platform::cache::VersionedCache;
use crate::platform::{MIB, Platform};
use parking_lot::Mutex;
use std::ops::Deref;
use std::sync::Arc;

/// State of the settings.
#[derive(Debug)]
pub struct SettingsState {
    platform: Platform,
    /// All settings, by the key 0.
    pub(super) cache: VersionedCache<i64, StoredSettings>,
    /// The app's pages for a version of the settings, which cost milliseconds to compress.
    pub(super) app_pages: Mutex<Option<(i64, Arc<AppPages>)>>,
}

impl SettingsState {
    pub(crate) fn new(platform: Platform) -> Self {
        let cache = VersionedCache::new(&platform.versions, "settings", 1, MIB);
        Self { platform, cache, app_pages: Mutex::default() }
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
