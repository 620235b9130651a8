//! Posts and interactions with them.

mod caches;
mod content;
mod delete;
mod feed;
mod for_you;
mod idempotency;
mod likes;
mod mentions;
mod paging;
mod polls;
mod profile;
mod reposts;
mod thread;
