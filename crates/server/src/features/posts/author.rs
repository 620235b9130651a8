//! Author timelines: one member's posts or likes.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::cached::CachedAuthorPage;
use crate::features::posts::dto::AuthorPostFilter;
use crate::features::posts::id_page::PostIdPage;
use crate::features::posts::respond::{ViewerQuery, retain_visible};
use crate::features::posts::visibility;
use crate::features::relationships::HiddenMembers;
use crate::http::error::Result;
use crate::http::extract::Page;
use crate::platform::cache::{CacheTag, VersionSlot};
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, params, sql};
use std::sync::Arc;

impl AuthorPostFilter {
    /// Value of the `filter` query parameter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Posts => "posts",
            Self::Replies => "replies",
            Self::Media => "media",
            Self::Likes => "likes",
        }
    }

    const fn sql(self) -> Sql {
        match self {
            Self::All => sql!(
                "select id, id, repost_of_id from author_posts where author_id = $1 and id < $2 order by id desc limit $3"
            ),
            Self::Posts => sql!(
                "select id, id, repost_of_id from author_posts where author_id = $1 and id < $2 and kind <> 1 order by id desc limit $3"
            ),
            Self::Replies => sql!(
                "select id, id, repost_of_id from author_posts where author_id = $1 and id < $2 and kind = 1 order by id desc limit $3"
            ),
            Self::Media => sql!(
                "select id, id, repost_of_id from author_posts where author_id = $1 and id < $2 and media = 1 order by id desc limit $3"
            ),
            Self::Likes => sql!(
                "select post_id, id, post_id from member_likes where member_id = $1 and id < $2 order by id desc limit $3"
            ),
        }
    }
}

/// Cached rows per list: the largest page, with spare rows for hidden posts.
const CACHED_ROWS: usize = 60;

/// Loads a page of an author timeline, and some of its posts. Empty when a block exists between the viewer
/// and the author.
pub async fn load_author_page(
    state: &PostsState,
    db: &Reader<'_>,
    (viewer, hidden): (Id, &HiddenMembers),
    author: Id,
    filter: AuthorPostFilter,
    page: Page,
) -> Result<(PostIdPage, PostSet)> {
    let mut posts = PostSet::sparing(hidden.spared());
    if hidden.is_hidden_everywhere(author.0) {
        return Ok((PostIdPage::default(), posts));
    }
    let is_first = page.offset == 0 && page.before == i64::MAX;
    // Likes are not cached: `CacheTag::AuthorPosts` covers only written posts.
    if is_first && filter != AuthorPostFilter::Likes {
        let query = ViewerQuery { state, db, viewer };
        let list = (author.0, filter);
        if let Some(ids) = load_cached_page(query, hidden, list, page.limit, &mut posts).await? {
            return Ok((ids, posts));
        }
    }
    let ids =
        visibility::load_visible_page(db, hidden, &filter.sql(), author.0.into(), page).await?;
    Ok((ids, posts))
}

/// Returns the first page from cached rows. `None` when too many of them are hidden to fill the page.
async fn load_cached_page(
    query: ViewerQuery<'_>,
    hidden: &HiddenMembers,
    list: (i64, AuthorPostFilter),
    limit: usize,
    posts: &mut PostSet,
) -> kith_db::Result<Option<PostIdPage>> {
    let first = load_first_rows(query.state, query.db, list).await?;
    let hides = |author| hidden.is_hidden_everywhere(author);
    let ids = retain_visible(query, &first.rows, (0, limit), posts, hides).await?;
    let is_complete = ids.len() == limit || first.rows.len() < CACHED_ROWS;
    Ok(is_complete.then(|| PostIdPage::full(ids, limit)))
}

async fn load_first_rows(
    state: &PostsState,
    db: &Reader<'_>,
    list: (i64, AuthorPostFilter),
) -> kith_db::Result<Arc<CachedAuthorPage>> {
    if let Some(first) = state.author_pages.get(&list) {
        return Ok(first);
    }
    let (author, filter) = list;
    let slots = [VersionSlot::new(CacheTag::AuthorPosts, author)];
    let version = state.versions.current_version(&slots);
    let bound = params![author, i64::MAX, CACHED_ROWS];
    let sql = filter.sql();
    let rows = db.all(&sql, bound, |row| Ok((row.int(0)?, row.opt_int(2)?)));
    let mut rows = rows.await?;
    rows.shrink_to_fit();
    let first = Arc::new(CachedAuthorPage { rows, slots });
    state.author_pages.put(list, version, &first);
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::watched_columns::unwatched_columns;

    /// Every cached column is watched, so that its changes invalidate the cache.
    /// proves: memory-equal
    #[test]
    fn every_cached_column_is_watched() {
        let (text, tag, table) =
            (AuthorPostFilter::All.sql().postgres, CacheTag::AuthorPosts, "author_posts");
        assert_eq!(
            unwatched_columns(crate::features::posts::WATCHES, text, tag, table),
            [""; 0],
            "{text}"
        );
    }
}
