//! The lists on a profile.

use crate::app::App;
use crate::error::Result;
use crate::extract::{PageQuery, Path, Query};
use crate::listing::Listing;
use crate::posts::{self, Filter, Post};
use crate::safety::Unseen;
use crate::session::Session;
use crate::users::member::unknown;
use crate::users::remembered::{holder, is_still_here};
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

/// Which of a member's posts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FilterQuery {
    /// `all` when absent. The server filters, so that pages are whole.
    #[param(inline)]
    pub filter: Option<Filter>,
}

/// A member's posts, newest first. Of a member who blocked me or whom I blocked, none.
#[utoipa::path(get, path = "/api/users/{username}/posts", operation_id = "listUserPosts", tag = "users",
    params(("username" = String, Path), FilterQuery, PageQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn posts(
    State(app): State<App>,
    session: Session,
    Path(username): Path<String>,
    Query(filter): Query<FilterQuery>,
    Query(page): Query<PageQuery>,
) -> Result<Listing<Post>> {
    let page = page.page(20)?;
    let db = app.db.reader().await?;
    let member = holder(&app, &db, &username).await?.ok_or_else(unknown)?;
    let (here, unseen) = futures_util::try_join!(
        is_still_here(&app, &db, member),
        Unseen::remembered(&app, &db, session.member)
    )?;
    if !here {
        return Err(unknown());
    }
    let filter = filter.filter.unwrap_or_default();
    let ids = posts::by_author(&app, &db, &unseen, member, filter, page).await?;
    let path = format!(
        "/api/users/{}/posts?filter={}&",
        username.to_ascii_lowercase(),
        filter.name()
    );
    let reader = (session.member, &unseen);
    posts::listing(&app, &db, reader, ids, page, &path).await
}
