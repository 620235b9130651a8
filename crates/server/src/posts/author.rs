//! One member's posts, by kind.

use crate::error::Result;
use crate::extract::Page;
use crate::ids::Id;
use crate::posts::alive;
use crate::safety::Unseen;
use kith_db::{Reader, Sql, sql};
use serde::Deserialize;
use utoipa::ToSchema;

/// Which of a member's posts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
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

/// A page of a list: the posts, and the id that the next page goes on from.
#[derive(Debug, Default)]
pub struct Ids {
    /// The posts, in order.
    pub posts: Vec<i64>,
    /// The place of the last one in its list.
    pub last: Option<i64>,
}

impl From<&[i64]> for Ids {
    fn from(posts: &[i64]) -> Self {
        Self {
            posts: posts.to_vec(),
            last: posts.last().copied(),
        }
    }
}

/// A page of a member's posts; none when the reader and the author are kept apart.
pub async fn by_author(
    db: &Reader<'_>,
    unseen: &Unseen,
    author: Id,
    filter: Filter,
    page: Page,
) -> Result<Ids> {
    if unseen.is_apart(author.0) {
        return Ok(Ids::default());
    }
    alive::page(db, unseen, &filter.sql(), author.0.into(), page).await
}
