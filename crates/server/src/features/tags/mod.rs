//! Hashtags: the posts of each tag, and trending tags.

mod dto;
mod routes;
mod state;
mod store;
mod trending;

pub use routes::{__path_list_hashtag_posts, list_hashtag_posts};
pub use state::{TagsState, TrendingCache};
pub use store::{add_post, remove_post};
pub use trending::{__path_list_trending, list_trending};
