//! Follows, blocks and mutes. A block hides two members from each other, a mute hides one from the muting
//! member. Every list filters with [`HiddenMembers`].

mod block;
mod erase;
pub mod follows;
mod lists;
mod mute;
mod state;
mod visibility;

pub use block::{__path_block, __path_unblock, Blocked, block, ensure_not_blocked, unblock};
pub use erase::erase;
pub use lists::{__path_blocked, __path_muted, BLOCKED, MUTED, blocked, muted};
pub use mute::{__path_mute, __path_unmute, Muted, mute, unmute};
pub use state::{RelationshipCache, RelationshipsState};
pub use visibility::{
    BlocksAndMutes, HiddenMembers, Relationship, RelationshipList, VisibilityCache, WATCHES,
    load_relationship, suppresses_notifications,
};

pub(crate) use block::{blocks_you, you_blocked};
