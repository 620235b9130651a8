//! `GET /api/users/{username}/posts`.

use crate::features::members::{find_by_username_cached, user_not_found};
use crate::features::posts::PostsState;
use crate::features::posts::{self, AuthorPostFilter, Post};
use crate::features::relationships::HiddenMembers;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{OffsetQuery, OpaqueCursorQuery, PageQuery, Path, Query};
use crate::http::pagination::ListResponse;
use crate::platform::ids::Id;
use axum::extract::State;
use futures_util::try_join;
use kith_db::Reader;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// Filter of a member's posts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FilterQuery {
    /// Filter to apply; defaults to `all`. The server filters before pagination, so that pages are full.
    #[param(inline)]
    pub filter: Option<AuthorPostFilter>,
}

/// Lists a member's posts, newest first. Empty if the viewer and the member have a block between them.
#[utoipa::path(get, path = "/api/users/{username}/posts", operation_id = "listUserPosts", tag = "users",
    params(("username" = String, Path), FilterQuery, OffsetQuery, OpaqueCursorQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_user_posts(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(username): Path<String>,
    Query(filter): Query<FilterQuery>,
    Query(slice): Query<OffsetQuery>,
    Query(sealed): Query<OpaqueCursorQuery>,
) -> Result<ListResponse<Post>> {
    let filter = filter.filter.unwrap_or_default();
    let db = state.db.reader();
    load_posts(&state, &db, auth.member, &username, filter, (&slice, &sealed)).await
}

async fn load_posts(
    state: &PostsState,
    db: &Reader<'_>,
    viewer: Id,
    username: &str,
    filter: AuthorPostFilter,
    (slice, sealed): (&OffsetQuery, &OpaqueCursorQuery),
) -> Result<ListResponse<Post>> {
    // The cursor of a list of likes is encrypted; other lists have a post id.
    let page = PageQuery {
        limit: slice.limit,
        offset: slice.offset,
        cursor: sealed.cursor.clone().filter(|_| filter != AuthorPostFilter::Likes),
    };
    let page = page.page(20)?;
    let (member, hidden) = try_join!(
        find_by_username_cached(&state.members, db, username),
        HiddenMembers::load_cached(&state.relationships.visibility, db, viewer),
    )?;
    let member = member.ok_or_else(user_not_found)?;
    let hidden = hidden.sparing_for_staff(db, viewer, member).await?;
    let sealed_for = (filter == AuthorPostFilter::Likes).then_some(("likes", member.0));
    let ensure_visible = async {
        if hidden.spared().is_some() || state.members.active.is_active(db, member).await? {
            Ok(())
        } else {
            Err(user_not_found())
        }
    };
    let page = match sealed_for.map(|list| sealed.page(slice, &state.key, list)) {
        None => page,
        Some(Ok(page)) => page,
        // A suspended member responds like one that does not exist.
        Some(Err(error)) => return ensure_visible.await.and(Err(error)),
    };
    let viewer = (viewer, &hidden);
    let ids = posts::load_author_page(state, db, viewer, member, filter, page);
    let ((), (ids, loaded)) = try_join!(ensure_visible, ids)?;
    let path =
        format!("/api/users/{}/posts?filter={}&", username.to_ascii_lowercase(), filter.name());
    let next = ids.next;
    let listing = posts::load_listing(state, db, viewer, loaded, ids, page, &path).await?;
    Ok(match sealed_for {
        // Encrypted: the cursor of a like contains its time.
        Some(list) => {
            let sealed = next.map(|next| state.key.encrypt_cursor(list, next));
            listing.with_cursor(&path, page.limit, sealed)
        }
        None => listing,
    })
}
