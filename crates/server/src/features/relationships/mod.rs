//! Follows, blocks and mutes. A block hides two members from each other, a mute hides one from the muting
//! member. Every list filters with [`HiddenMembers`].

mod block;
mod erase;
pub mod follows;
mod lists;
mod mute;
mod pair;
mod state;
mod visibility;

pub use block::{
    __path_block_user, __path_unblock_user, Blocked, block_user, ensure_not_blocked, unblock_user,
};
pub use erase::erase_relationships;
pub use lists::{__path_list_blocked, __path_list_muted, BLOCKED, MUTED, list_blocked, list_muted};
pub use mute::{__path_mute_user, __path_unmute_user, Muted, mute_user, unmute_user};
pub use pair::{load_relationship, suppresses_notifications};
pub use state::{RelationshipCache, RelationshipsState};
pub use visibility::{
    BlocksAndMutes, HiddenMembers, Relationship, RelationshipList, VisibilityCache, WATCHES,
};

pub(crate) use block::{blocks_you, you_blocked};
