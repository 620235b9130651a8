//! State of uploads and images.

use crate::features::media::ActiveUploads;
use crate::features::media::ImageWorkers;
use crate::platform::Platform;
use std::ops::Deref;
use std::sync::Arc;

/// State of uploads and images.
#[derive(Debug)]
pub struct MediaState {
    platform: Platform,
    /// Image workers.
    pub(crate) workers: ImageWorkers,
    /// Uploads whose bodies are being received.
    pub(crate) active_uploads: Arc<ActiveUploads>,
}

impl MediaState {
    pub(crate) fn new(platform: Platform) -> Self {
        Self { platform, workers: ImageWorkers::default(), active_uploads: Arc::default() }
    }
}

impl Deref for MediaState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
