//! From the ids of a page to the page.

use crate::app::App;
use crate::error::Result;
use crate::extract::Page;
use crate::ids::Id;
use crate::listing::Listing;
use crate::posts::author::Ids;
use crate::posts::known;
use crate::posts::shape::Post;
use crate::posts::written::View;
use crate::safety::Unseen;
use kith_db::Reader;

/// The posts of one page; `path` is the list's address up to its next parameter.
pub async fn listing(
    app: &App,
    db: &Reader<'_>,
    (reader, unseen): (Id, &Unseen),
    ids: impl Into<Ids>,
    page: Page,
    path: &str,
) -> Result<Listing<Post>> {
    let ids = ids.into();
    let next = ids.last.filter(|_| ids.posts.len() == page.limit);
    let view = View {
        reader,
        unseen,
        gathered: &known::gather(app, db, reader, &ids.posts).await?,
    };
    Ok(Listing::written(
        view.list(&ids.posts),
        path,
        page.limit,
        next,
    ))
}
