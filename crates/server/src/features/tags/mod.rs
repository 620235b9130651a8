//! Hashtags: listed for each tag, counted for what trends.

mod routes;
mod state;
mod store;
mod trending;

pub use routes::{__path_list, list};
pub use state::TagsState;
pub use store::{add, remove};
pub use trending::{__path_trending, Trends, trending};
