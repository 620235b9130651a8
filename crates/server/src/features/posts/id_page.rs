//! A page of post ids.

use crate::http::pagination;

/// A page of post ids, before the posts are loaded.
#[derive(Debug, Default)]
pub struct PostIdPage {
    /// Ids of the posts, in order.
    pub posts: Vec<i64>,
    /// Cursor of the next page, when there may be one.
    pub next: Option<i64>,
}

impl PostIdPage {
    /// Creates a page whose cursors are the post ids; a full page has a next one.
    pub(super) fn full(posts: Vec<i64>, limit: usize) -> Self {
        let next = pagination::next_cursor(&posts, limit, |post| *post);
        Self { posts, next }
    }
}
