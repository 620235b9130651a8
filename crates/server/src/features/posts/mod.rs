//! Posts: writing them, what members do with them, and the lists they appear in.
//!
//! A list is made in two steps: a skeleton of ids (`feed`, `author`), then
//! posts, in one direction: `store` reads rows, `cache` keeps what every viewer sees of them as JSON, `view`
//! adds what depends on the viewer, `respond` answers.

mod author;
mod author_routes;
mod cache;
mod consistency;
mod create;
mod delete;
mod dto;
mod erase;
mod export;
mod for_you;
mod for_you_cursor;
mod for_you_rank;
mod home;
mod home_cache;
mod home_query;
mod id_page;
mod idempotency;
mod likes;
mod poll_results;
mod polls;
mod report_snapshot;
mod reposters;
mod reposts;
mod respond;
mod score;
mod state;
mod store;
mod text_entities;
mod thread;
mod thread_store;
mod validate;
mod view;
mod viewer_state;
mod visibility;

pub use author::{Filter, First, by_author};
pub use author_routes::{__path_posts, posts};
pub use cache::{CachedPost, PostSet};
pub use consistency::{shown_images, written, wrong_counts};
pub use create::{__path_create, create};
pub use delete::{__path_delete, delete, purge_votes, remove};
pub use dto::Post;
pub use erase::{leave_keys, leave_likes, leave_posts, leave_votes};
pub use export::{liked, voted, written_by};
pub use for_you::{__path_for_you, for_you};
pub use for_you_rank::{Arranged, popular_authors};
pub use home::{__path_feed, feed};
pub use home_cache::Friends;
pub use id_page::Ids;
pub use idempotency::purge_keys;
pub use likes::{__path_like, __path_unlike, like, unlike};
pub use polls::{__path_vote, __path_withdraw_vote, vote, withdraw_vote};
pub use report_snapshot::{Context, contexts, evidence, living, reported};
pub use reposters::Reposts;
pub use reposts::{__path_undo_repost, undo_repost};
pub use respond::listing;
pub use score::rank;
pub use state::PostsState;
pub use store::contents;
pub use thread::{__path_thread, thread};
pub use thread_store::Conversation;
pub(crate) use validate::NOTHING_WRITTEN;
pub use viewer_state::Deeds;

use crate::http::error::ApiError;
use crate::platform::cache::Topic;
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
