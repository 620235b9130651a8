//! A page of ids, before the posts are loaded.

/// A page of a list: the posts, and the id that the next page goes on from.
#[derive(Debug, Default)]
pub struct Ids {
    /// The posts, in order.
    pub posts: Vec<i64>,
    /// The place below which the next page begins, when there may be one.
    pub next: Option<i64>,
}

impl Ids {
    /// A page of a list whose places are the ids themselves, which goes on when this one is full.
    pub(super) fn full(posts: Vec<i64>, limit: usize) -> Self {
        let next = posts.last().copied().filter(|_| posts.len() == limit);
        Self { posts, next }
    }
}
