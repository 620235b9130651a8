//! Hashtags: found when a post is written, listed for each tag, counted for what trends.

mod find;
mod list;
mod store;
mod trending;

pub use find::find;
pub use list::{__path_list, list};
pub use store::{add, remove};
pub use trending::{__path_trending, Trends, trending};
