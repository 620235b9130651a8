//! Blocks, which hide two members from each other, and mutes, which hide one. Every list asks [`Unseen`].

mod block;
mod erase;
pub mod follows;
mod lists;
mod mute;
mod state;
mod visibility;

pub use block::{__path_block, __path_unblock, Blocked, block, check, unblock};
pub use erase::leave;
pub use lists::{__path_blocked, __path_muted, BLOCKED, MUTED, blocked, muted};
pub use mute::{__path_mute, __path_unmute, Muted, mute, unmute};
pub use state::{RelationshipCache, RelationshipsState};
pub use visibility::{KeptAway, Listed, Ties, Unseen, VisibilityCache, WATCHES, is_unheard, ties};

pub(crate) use block::{blocks_you, you_blocked};
