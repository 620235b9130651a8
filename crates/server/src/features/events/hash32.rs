//! Hashes of half the usual size, since each stream keeps dozens.

use foldhash::quality::FixedState;
use std::hash::{BuildHasher as _, Hash};

/// Returns a 32-bit hash, equal on all nodes.
pub(super) fn hash32(value: impl Hash) -> u32 {
    let [a, b, c, d, ..] = FixedState::default().hash_one(value).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
