//! Counts of posts, for live updates.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::relationships::HiddenMembers;
use crate::platform::ids::Id;
use kith_db::{Reader, Result};
use serde::Serialize;
use utoipa::ToSchema;

/// Numbers of responses to a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct PostCounts {
    /// Id of the post.
    pub id: Id,
    /// Number of replies.
    #[schema(minimum = 0, example = 2)]
    pub replies: i64,
    /// Number of reposts.
    #[schema(minimum = 0, example = 1)]
    pub reposts: i64,
    /// Number of likes.
    #[schema(minimum = 0, example = 5)]
    pub likes: i64,
}

/// Loads the counts of those posts that the viewer may see.
pub async fn load_counts(
    state: &PostsState,
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    ids: &[i64],
) -> Result<Vec<PostCounts>> {
    let posts = PostSet::load_shared(state, db, ids).await?;
    let visible = ids.iter().filter_map(|id| posts.get(id)).filter(|post| {
        let is_present = !post.is_deleted && post.author_name.is_some();
        is_present && !hidden.is_hidden_everywhere(post.author)
    });
    let counts = visible.map(|post| PostCounts {
        id: Id(post.id),
        replies: post.reply_count,
        reposts: post.repost_count,
        likes: post.like_count,
    });
    Ok(counts.collect())
}
