//! Posts, and what members do with them.

mod content;
mod feed;
mod idempotency;
mod likes;
mod mentions;
mod paging;
mod polls;
mod profile;
mod reposts;
mod thread;
