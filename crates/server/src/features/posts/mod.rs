//! Posts: creating and deleting them, interactions with them, and timelines.
//!
//! A list is built in two steps: a page of ids (`home_query`, `author`, `for_you_rank`), then its posts.
//! Imports go one way: `store` reads rows, `cache` caches viewer-independent JSON, `view` adds
//! viewer-dependent fields, and `respond` builds the response.

mod author;
mod author_routes;
mod cache;
mod cached;
mod consistency;
mod create;
mod delete;
mod delete_poll;
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
mod mute_conversation;
mod new_posts;
mod poll_results;
mod polls;
mod post_counts;
mod recent_authors;
mod removed;
mod report_snapshot;
mod reposters;
mod reposts;
mod respond;
mod score;
mod state;
mod store;
mod text_entities;
mod thread;
mod thread_ids;
mod validate;
mod view;
mod viewer_state;
mod visibility;

pub use author::load_author_page;
pub use author_routes::{__path_list_user_posts, list_user_posts};
pub use cache::PostSet;
pub use cached::{
    CachedAuthorPage, CachedHomeTimeline, CachedInteractions, CachedPost, CachedReposts,
    FeedAuthors, PersonalizedBlock, ThreadIds,
};
pub use consistency::{count_written_posts, find_wrong_counts, list_shown_images};
pub use create::{__path_create_post, create_post};
pub use delete::{__path_delete_post, Removal, delete_post, remove_post};
pub use delete_poll::purge_votes;
pub use dto::{AuthorPostFilter, Post};
pub use erase::{erase_idempotency_keys, erase_likes, erase_posts, erase_votes};
pub use export::{export_likes, export_posts, export_votes};
pub use for_you::{__path_list_for_you_feed, list_for_you_feed};
pub use for_you_rank::load_popular_authors;
pub use home::{__path_feed, feed};
pub use id_page::PostIdPage;
pub use idempotency::purge_keys;
pub use likes::{__path_like_post, __path_unlike_post, like_post, unlike_post};
pub use mute_conversation::{
    __path_get_conversation_mute, __path_mute_conversation, __path_unmute_conversation,
    get_conversation_mute, mute_conversation, unmute_conversation,
};
pub use new_posts::NewPosts;
pub use polls::{__path_vote_in_poll, __path_withdraw_vote, vote_in_poll, withdraw_vote};
pub use post_counts::{PostCounts, load_counts};
pub use recent_authors::count_recent_authors;
pub use removed::{
    RESTORABLE, RemovedPost, find_removed, list_removed, list_removed_images, load_removed_texts,
    purge_removed, restore_post,
};
pub use report_snapshot::{
    ReportedPost, load_report_snapshot, load_reported_posts, resolve_post, resolve_reported_post,
};
pub use reposts::{__path_undo_repost, undo_repost};
pub use respond::load_listing;
pub use score::compute_rank;
pub use state::PostsState;
pub use store::load_contents;
pub use thread::{__path_get_thread, get_thread};
pub(crate) use validate::EMPTY_POST_MESSAGE;

use crate::http::error::ApiError;
use crate::platform::cache::CacheTag;
use kith_db::WatchSpec;

/// Columns whose changes invalidate caches of posts.
pub const WATCHES: &[WatchSpec] = &[
    // Every column that `store` reads; no cached post depends on the others.
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
        ..CacheTag::Post.watch("posts", &["id"])
    },
    CacheTag::Post.watch("poll_choices", &["post_id"]),
    CacheTag::Interactions.watch("likes", &["member_id"]),
    CacheTag::Interactions.watch("reposts", &["member_id"]),
    CacheTag::Interactions.watch("poll_votes", &["member_id"]),
    // `deleted_at` is left out: the reply's own row in `posts` reports its deletion.
    WatchSpec {
        update_of: &["post_id", "id", "author_id"],
        ..CacheTag::Replies.watch("replies", &["post_id"])
    },
    // Without an id: there is one global ranking.
    WatchSpec {
        update_of: &["rank", "author_id"],
        when: "row.rank is not null",
        ..CacheTag::Ranking.watch("posts", &[])
    },
    CacheTag::AuthorPosts
        .watch("author_posts", &["author_id", "id", "reply_to_author_id", "repost_of_id"]),
];

/// Error for a post that does not exist, was deleted or is hidden from the viewer.
#[must_use]
pub fn post_not_found() -> ApiError {
    ApiError::not_found("post_not_found", "Post not found")
}
