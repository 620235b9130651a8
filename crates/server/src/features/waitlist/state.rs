//! State of the waitlist.

use crate::features::waitlist::CapacityFlag;
use crate::platform::Platform;
use std::ops::Deref;

/// State of the waitlist.
#[derive(Debug)]
pub struct WaitlistState {
    platform: Platform,
    /// Cached "waitlist is full" flag.
    pub(crate) capacity: CapacityFlag,
}

impl WaitlistState {
    pub(crate) fn new(platform: Platform) -> Self {
        Self { platform, capacity: CapacityFlag::default() }
    }
}

impl Deref for WaitlistState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
