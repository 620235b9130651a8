//! Posts: writing them, what members do with them, and the lists they appear in.
//!
//! A list is made in two steps: a skeleton of ids (`feed`, `author`), then
//! posts, in one direction: `store` reads rows, `cache` keeps what every viewer sees of them as JSON, `view`
//! adds what depends on the viewer, `respond` answers.

mod alive;
mod author;
mod blocks;
mod cache;
mod content;
mod conversation;
mod create;
mod deeds;
mod delete;
mod evidence;
mod feed;
mod for_you;
mod friends;
mod idempotency;
mod leave;
mod likes;
mod named;
mod own;
mod place;
mod polls;
mod ranking;
mod recount;
mod reposters;
mod reposts;
mod respond;
mod shape;
mod skeleton;
mod store;
mod tally;
mod thread;
mod view;

pub use author::{Filter, First, Ids, by_author};
pub use blocks::{Arranged, popular_authors};
pub use cache::{CachedPost, PostSet};
pub(crate) use content::NOTHING_WRITTEN;
pub use conversation::Conversation;
pub use create::{__path_create, create};
pub use deeds::Deeds;
pub use delete::{__path_delete, delete, purge_votes, remove};
pub use evidence::{Context, contexts, evidence, living, reported};
pub use feed::{__path_feed, feed};
pub use for_you::{__path_for_you, for_you};
pub use friends::Friends;
pub use idempotency::purge_keys;
pub use leave::{leave_keys, leave_likes, leave_posts, leave_votes};
pub use likes::{__path_like, __path_unlike, like, unlike};
pub use own::{liked, voted, written_by};
pub use polls::{__path_vote, __path_withdraw_vote, vote, withdraw_vote};
pub use ranking::rank;
pub use recount::{shown_images, written, wrong_counts};
pub use reposters::Reposts;
pub use reposts::{__path_undo_repost, undo_repost};
pub use respond::listing;
pub use shape::Post;
pub use store::contents;
pub use thread::{__path_thread, thread};

use crate::error::ApiError;
use crate::memory::Topic;
use kith_db::WatchSpec;

/// What memory depends on here.
pub const WATCHES: &[WatchSpec] = &[
    // Each column that `store` reads; the others only rank a post.
    WatchSpec {
        update_of: &[
            "author_id",
            "content",
            "reply_to_id",
            "reply_to_author_id",
            "root_id",
            "repost_of_id",
            "mentions",
            "images",
            "poll_options",
            "poll_expires_at",
            "like_count",
            "repost_count",
            "reply_count",
            "hashtags",
            "deleted_at",
        ],
        ..Topic::Post.watch("posts", &["id"])
    },
    Topic::Post.watch("poll_choices", &["post_id"]),
    Topic::Deeds.watch("likes", &["member_id"]),
    Topic::Deeds.watch("reposts", &["member_id"]),
    Topic::Deeds.watch("poll_votes", &["member_id"]),
    // That an answer was deleted is said in its own row of `posts`.
    WatchSpec {
        update_of: &["post_id", "id", "author_id"],
        ..Topic::Answered.watch("replies", &["post_id"])
    },
    // Without an id: there is one order.
    WatchSpec {
        update_of: &["rank", "author_id"],
        when: "row.rank is not null",
        ..Topic::Ranked.watch("posts", &[])
    },
    Topic::Listed.watch(
        "author_posts",
        &["author_id", "id", "reply_to_author_id", "repost_of_id"],
    ),
];

/// There is no such post, or not any more.
#[must_use]
pub fn unknown() -> ApiError {
    ApiError::not_found("post_not_found", "Post not found")
}
