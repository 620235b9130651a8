//! `GET /api/hashtags/{tag}/posts`.

use crate::features::posts::{self, Post, PostIdPage, PostSet};
use crate::features::relationships::HiddenMembers;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::tags::TagsState;
use crate::features::tags::store::LIST_POSTS;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{PageQuery, Path, Query};
use crate::http::openapi::documented_errors;
use crate::http::pagination::{self, ListResponse};
use axum::extract::State;
use kith_db::{Row, params};
use std::sync::Arc;

documented_errors!(NoTag: not_a_tag());

fn not_a_tag() -> ApiError {
    ApiError::not_found("hashtag_not_found", "That isn't a valid hashtag.")
}

/// Lists posts and replies with a hashtag, newest first. Case and accents are ignored.
#[utoipa::path(get, path = "/api/hashtags/{tag}/posts", operation_id = "listHashtagPosts", tag = "hashtags",
    params(("tag" = String, Path, description = "Hashtag, with or without the #. Case-insensitive.", min_length = 1, max_length = 500, example = "webdev"), PageQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one"))), NoTag))]
pub async fn list_hashtag_posts(
    State(state): State<Arc<TagsState>>,
    auth: AuthenticatedMember,
    Path(tag): Path<String>,
    Query(page): Query<PageQuery>,
) -> Result<ListResponse<Post>> {
    let page = page.page(20)?;
    let tag = kith_text::normalize_hashtag(&tag).ok_or_else(not_a_tag)?;
    let db = state.db.reader();
    let hidden =
        HiddenMembers::load_cached(&state.posts.relationships.visibility, &db, auth.member).await?;
    let owner = params![&tag][0];
    let read = |row: &Row<'_>| {
        let id = row.int(0)?;
        Ok((id, (id, row.int(1)?)))
    };
    let keep = |row: &(i64, i64)| !hidden.hides_from_lists(row.1);
    let (rows, next) = pagination::load_filtered(&db, &LIST_POSTS, owner, page, read, keep).await?;
    let posts = rows.into_iter().map(|(id, _)| id).collect();
    let ids = PostIdPage { posts, next };
    let path = format!("/api/hashtags/{}/posts?", encode(&tag));
    let viewer = (auth.member, &hidden);
    posts::load_listing(&state.posts, &db, viewer, PostSet::default(), ids, page, &path).await
}

fn encode(tag: &str) -> String {
    url::form_urlencoded::byte_serialize(tag.as_bytes()).collect()
}
