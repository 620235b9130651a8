//! From the ids of a page to the page.

use crate::error::Result;
use crate::extract::Page;
use crate::ids::Id;
use crate::listing::Listing;
use crate::posts::author::Ids;
use crate::posts::hydrate;
use crate::posts::shape::Post;
use crate::safety::Unseen;
use kith_db::Reader;

/// The posts of one page; `path` is the list's address up to its next parameter.
pub async fn listing(
    db: &Reader<'_>,
    reader: Id,
    unseen: &Unseen,
    ids: impl Into<Ids>,
    page: Page,
    path: &str,
) -> Result<Listing<Post>> {
    let ids = ids.into();
    let full = ids.posts.len() == page.limit;
    let posts = hydrate::list(db, reader, unseen, &ids.posts).await?;
    let next = ids.last.filter(|_| full);
    Ok(Listing::new(posts, path, page.limit, next))
}
