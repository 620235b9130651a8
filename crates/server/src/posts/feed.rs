//! The Friends feed: newest first, those I follow and my own.

use crate::app::App;
use crate::error::Result;
use crate::extract::{PageQuery, Query};
use crate::follows;
use crate::listing::Listing;
use crate::posts::shape::Post;
use crate::posts::{listing, skeleton};
use crate::safety::Unseen;
use crate::session::Session;
use axum::extract::State;
use std::collections::HashSet;

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
    let (followees, unseen) = futures_util::try_join!(
        follows::followees(&db, session.member),
        Unseen::of(&db, session.member)
    )?;
    let authors = followees.into_iter();
    let authors = authors.filter(|author| !unseen.hides(*author));
    let mut authors = authors.collect::<HashSet<_>>();
    authors.insert(session.member.0);
    // Its own author is among the authors, and so am I.
    let keep = |entry: &skeleton::Entry| {
        entry
            .reply_to
            .is_none_or(|member| authors.contains(&member))
    };
    let ids = skeleton::newest(
        &db,
        &app.clock,
        &authors,
        &unseen,
        page.before,
        page.offset.saturating_add(page.limit),
        keep,
    )
    .await?;
    listing(
        &db,
        session.member,
        &unseen,
        ids.get(page.offset..).unwrap_or_default(),
        page,
        "/api/posts/feed?",
    )
    .await
}
