//! State of uploads and images.

use crate::features::media::Arrivals;
use crate::features::media::Darkroom;
use crate::platform::Platform;
use std::ops::Deref;

/// State of uploads and images.
#[derive(Debug)]
pub struct MediaState {
    platform: Platform,
    /// Image workers.
    pub(crate) darkroom: Darkroom,
    /// Uploads whose bodies are being received.
    pub(crate) arrivals: Arrivals,
}

impl MediaState {
    pub(crate) fn new(platform: Platform) -> Self {
        Self {
            platform,
            darkroom: Darkroom::default(),
            arrivals: Arrivals::default(),
        }
    }
}

impl Deref for MediaState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
