//! Accepting connections.

pub(crate) mod accept;
pub(crate) mod listener;
