//! From the ids of a page to the page, and from one id to one post.

use crate::app::App;
use crate::error::Result;
use crate::extract::Page;
use crate::ids::Id;
use crate::listing::{self, Listing};
use crate::posts::author::Ids;
use crate::posts::shape::Post;
use crate::posts::written::{Deleted, View};
use crate::posts::{known, unknown};
use crate::safety::Unseen;
use axum::response::Response;
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

/// One post as its reader sees it, as an answer.
pub(super) async fn alone(app: &App, reader: Id, post: Id) -> Result<Response> {
    let db = app.db.reader().await?;
    let unseen = Unseen::remembered(app, &db, reader).await?;
    let gathered = known::gather(app, &db, reader, &[post.0]).await?;
    let view = View {
        reader,
        unseen: &unseen,
        gathered: &gathered,
    };
    let shown = view.find(post.0, Deleted::Hidden).ok_or_else(unknown)?;
    let mut body = Vec::with_capacity(1_500);
    view.write(&mut body, &shown, None);
    Ok(listing::json(body))
}
