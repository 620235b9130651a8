//! A page of posts and the address of the next one.

use crate::error::Result;
use crate::extract::Page;
use crate::ids::Id;
use crate::posts::author::Ids;
use crate::posts::hydrate;
use crate::posts::shape::Post;
use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use kith_db::Reader;

/// A bare array of posts, with a `Link` header while more may follow.
#[derive(Debug)]
pub struct PostPage {
    posts: Vec<Post>,
    next: Option<String>,
}

impl PostPage {
    /// Loads the posts of one page; `path` is the list's address up to its next parameter.
    pub async fn load(
        db: &Reader<'_>,
        reader: Id,
        ids: impl Into<Ids>,
        page: Page,
        path: &str,
    ) -> Result<Self> {
        let ids = ids.into();
        let full = ids.posts.len() == page.limit;
        let next = ids
            .last
            .filter(|_| full)
            .map(|last| format!("<{path}limit={}&cursor={last}>; rel=\"next\"", page.limit));
        Ok(Self {
            posts: hydrate::list(db, reader, &ids.posts).await?,
            next,
        })
    }
}

impl IntoResponse for PostPage {
    fn into_response(self) -> Response {
        let mut response = Json(self.posts).into_response();
        if let Some(link) = self.next.and_then(|next| HeaderValue::try_from(next).ok()) {
            response.headers_mut().insert(header::LINK, link);
        }
        response
    }
}
