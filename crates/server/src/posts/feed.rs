//! The Friends feed: newest first, those I follow and my own.

use crate::app::App;
use crate::error::Result;
use crate::extract::{PageQuery, Query};
use crate::listing::Listing;
use crate::posts::shape::Post;
use crate::posts::{friends, listing, skeleton};
use crate::session::Session;
use axum::extract::State;

/// Posts and reposts of the members I follow and my own, newest first. A reply
/// is shown when it answers me, somebody I follow, or its own author.
#[utoipa::path(get, path = "/api/posts/feed", operation_id = "listFriendsFeed", tag = "feeds", params(PageQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn feed(
    State(app): State<App>,
    session: Session,
    Query(page): Query<PageQuery>,
) -> Result<Listing<Post>> {
    let page = page.page(20)?;
    let db = app.db.reader().await?;
    let (friends, unseen) = friends::friends(&app, &db, session.member).await?;
    let ids = if let Some(ids) = friends::page(&app, &db, &friends, &unseen, page).await? {
        ids
    } else {
        let rows = skeleton::newest(
            &db,
            &app.clock,
            &friends.authors,
            Some(&unseen),
            page.before,
            page.offset.saturating_add(page.limit),
            |entry| friends.shows(entry),
        );
        rows.await?.iter().map(|row| row.id).collect()
    };
    let reader = (session.member, &unseen);
    let ids = ids.get(page.offset..).unwrap_or_default();
    listing(&app, &db, reader, ids, page, "/api/posts/feed?").await
}
