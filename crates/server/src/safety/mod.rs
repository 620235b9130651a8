//! Keeping others away: blocks, which hide two members from each other, and mutes, which
//! hide one from another who need not know. [`Unseen`] is what every list asks.

mod block;
mod leave;
mod lists;
mod mute;
mod unseen;

pub use block::{__path_block, __path_unblock, Blocked, block, check, unblock};
pub use leave::leave;
pub use lists::{__path_blocked, __path_muted, Away, blocked, kept_away, muted};
pub use mute::{__path_mute, __path_unmute, Muted, mute, unmute};
pub use unseen::{KeptAway, Listed, Ties, Unseen, WATCHES, is_unheard, ties};

pub(crate) use block::{blocks_you, you_blocked};
