//! The Friends feed: newest first, those I follow and my own.

use crate::app::App;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{Page, PageQuery, Query};
use crate::ids::Id;
use crate::listing::{self, Listing};
use crate::posts::author::Ids;
use crate::posts::known::Gathered;
use crate::posts::page::{Asked, listing_of};
use crate::posts::shape::Post;
use crate::posts::{friends, skeleton};
use axum::extract::State;
use kith_db::Reader;

/// Posts and reposts of the members I follow and my own, newest first. A reply
/// is shown when it answers me, somebody I follow, or its own author.
#[utoipa::path(get, path = "/api/posts/feed", operation_id = "listFriendsFeed", tag = "feeds", params(PageQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn feed(
    State(app): State<App>,
    caller: Caller,
    Query(page): Query<PageQuery>,
) -> Result<Listing<Post>> {
    let page = page.page(20)?;
    let db = app.db.reader();
    let read = read(&app, &db, caller.member, page);
    caller.reads(&app, &db, read).await
}

async fn read(app: &App, db: &Reader<'_>, reader: Id, page: Page) -> Result<Listing<Post>> {
    let (friends, unseen) = friends::friends(app, db, reader).await?;
    let mut gathered = Gathered::default();
    let asked = Asked { app, db, reader };
    let ids = friends::page(asked, &friends, &unseen, page, &mut gathered).await?;
    let mut next = None;
    let ids = if let Some(ids) = ids {
        ids
    } else {
        let rows = skeleton::newest(
            db,
            &app.clock,
            &friends.authors,
            Some(&unseen),
            page.before,
            page.depth() + page.limit,
            |entry| friends.shows(entry),
        );
        let (rows, farther) = rows.await?;
        next = farther;
        rows.iter().map(|row| row.id).collect()
    };
    let reader = (reader, &unseen);
    let ids = ids.get(page.depth()..).unwrap_or_default();
    listing::reached(page, ids)?;
    let mut ids = Ids::full(ids.to_vec(), page.limit);
    ids.next = ids.next.or(next);
    listing_of(app, db, reader, gathered, ids, page, "/api/posts/feed?").await
}
