//! Posts, and what members do with them.

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
mod remembered;
mod reposts;
mod thread;
