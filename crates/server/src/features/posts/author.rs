//! One member's posts, by kind.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::id_page::Ids;
use crate::features::posts::respond::{ViewerQuery, retain_visible};
use crate::features::posts::visibility;
use crate::features::relationships::HiddenMembers;
use crate::http::error::Result;
use crate::http::extract::Page;
use crate::platform::cache::{Remembered, Slot, Topic};
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, params, sql};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Which of a member's posts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    /// Everything by the member.
    #[default]
    All,
    /// No replies.
    Posts,
    /// Only replies.
    Replies,
    /// Only posts with images.
    Media,
    /// What the member likes, newest like first.
    Likes,
}

impl Filter {
    /// As it stands in an address.
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

/// Rows that are remembered of an author's list: a page of the longest, though some are left out.
const FIRST: usize = 60;

/// The newest posts of an author, of one kind.
#[derive(Debug)]
pub struct First {
    /// Newest first, each with what it reposts.
    rows: Vec<(i64, Option<i64>)>,
    slots: [Slot; 1],
}

impl Remembered for First {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.rows.capacity() * size_of::<(i64, Option<i64>)>()
    }
}

/// A page of a member's posts, some of them loaded; none when the reader and the author are kept apart.
pub async fn by_author(
    app: &PostsState,
    db: &Reader<'_>,
    (reader, unseen): (Id, &HiddenMembers),
    author: Id,
    filter: Filter,
    page: Page,
) -> Result<(Ids, PostSet)> {
    let mut loaded = PostSet::sparing(unseen.spared());
    if unseen.is_hidden_everywhere(author.0) {
        return Ok((Ids::default(), loaded));
    }
    let is_first = page.offset == 0 && page.before == i64::MAX;
    // Likes are listed by what the member did, not by what they wrote.
    if is_first && filter != Filter::Likes {
        let viewer = reader;
        let query = ViewerQuery { app, db, viewer };
        let list = (author.0, filter);
        if let Some(ids) = first_page(query, unseen, list, page.limit, &mut loaded).await? {
            return Ok((ids, loaded));
        }
    }
    let ids = visibility::page(db, unseen, &filter.sql(), author.0.into(), page).await?;
    Ok((ids, loaded))
}

/// The first page, unless so many rows are left out that it reaches past what is remembered.
async fn first_page(
    query: ViewerQuery<'_>,
    unseen: &HiddenMembers,
    list: (i64, Filter),
    limit: usize,
    loaded: &mut PostSet,
) -> kith_db::Result<Option<Ids>> {
    let first = first(query.app, query.db, list).await?;
    let hides = |author| unseen.is_hidden_everywhere(author);
    let span = (0, limit);
    let posts = retain_visible(query, &first.rows, span, loaded, hides).await?;
    let is_whole = posts.len() == limit || first.rows.len() < FIRST;
    Ok(is_whole.then(|| Ids::full(posts, limit)))
}

async fn first(
    app: &PostsState,
    db: &Reader<'_>,
    list: (i64, Filter),
) -> kith_db::Result<Arc<First>> {
    if let Some(first) = app.written.get(&list) {
        return Ok(first);
    }
    let (author, filter) = list;
    let slots = [Slot::of(Topic::Listed, author)];
    let stamp = app.memory.stamp(&slots);
    let bound = params![author, i64::MAX, FIRST];
    let sql = filter.sql();
    let rows = db.all(&sql, bound, |row| Ok((row.int(0)?, row.opt_int(2)?)));
    let mut rows = rows.await?;
    rows.shrink_to_fit();
    let first = Arc::new(First { rows, slots });
    app.written.put(list, stamp, &first);
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::cache::unwatched;

    /// What memory keeps of these rows changes only with somebody being told.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_remembered_is_watched() {
        let (text, topic, table) = (Filter::All.sql().postgres, Topic::Listed, "author_posts");
        assert_eq!(
            unwatched(crate::features::posts::WATCHES, text, topic, table),
            [""; 0],
            "{text}"
        );
    }
}
