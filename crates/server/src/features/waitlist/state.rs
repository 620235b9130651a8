//! State of the waitlist.

use crate::features::waitlist::Room;
use crate::platform::Platform;
use std::ops::Deref;

/// State of the waitlist.
#[derive(Debug)]
pub struct WaitlistState {
    platform: Platform,
    /// Whether the waitlist has room.
    pub(crate) room: Room,
}

impl WaitlistState {
    pub(crate) fn new(platform: Platform) -> Self {
        Self {
            platform,
            room: Room::default(),
        }
    }
}

impl Deref for WaitlistState {
    type Target = Platform;

    fn deref(&self) -> &Platform {
        &self.platform
    }
}
