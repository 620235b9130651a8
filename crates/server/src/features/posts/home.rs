//! `GET /api/posts/feed`: the Friends feed.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::dto::{ListFields, Post};
use crate::features::posts::home_cache::{self, FeedPage};
use crate::features::posts::home_query::{self, TimelineFilter};
use crate::features::posts::reposters::FeedReposts;
use crate::features::posts::respond::ViewerQuery;
use crate::features::posts::view::{Tombstones, Viewer};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{OffsetQuery, Page, Query, bad_cursor};
use crate::http::pagination::{self, ListResponse};
use crate::platform::ids::Id;
use axum::extract::State;
use kith_db::Reader;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// Pagination of the Friends feed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FeedQuery {
    /// Cursor of the next page, from the `Link` header of the previous response. Contains the last item and
    /// the newest item of the first page.
    #[param(
        min_length = 1,
        max_length = 39,
        pattern = "^[1-9][0-9]{0,18}(-[1-9][0-9]{0,18})?$",
        example = "247513998712340480-247513998712340481"
    )]
    pub cursor: Option<String>,
}

/// Lists posts and reposts by the viewer and the members the viewer follows, newest first. Includes
/// replies to the viewer, to followed members and to the reply's own author. A reposted post appears once, at
/// its newest repost, with its other reposters.
#[utoipa::path(get, path = "/api/posts/feed", operation_id = "listFriendsFeed", tag = "feeds", params(OffsetQuery, FeedQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn feed(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Query(slice): Query<OffsetQuery>,
    Query(query): Query<FeedQuery>,
) -> Result<ListResponse<Post>> {
    let (limit, offset) = slice.bounds(20)?;
    let (before, top) = match query.cursor {
        None => (i64::MAX, None),
        Some(cursor) => parse_cursor(&cursor).ok_or_else(bad_cursor)?,
    };
    let page = Page { limit, offset, before };
    let db = state.db.reader();
    Box::pin(load_feed(&state, &db, auth.member, page, top)).await
}

/// Parses a cursor into the id to continue below and the first row of the first page.
fn parse_cursor(cursor: &str) -> Option<(i64, Option<i64>)> {
    let parse_id = |text: &str| Some(Id::parse(text).0).filter(|id| *id > 0);
    match cursor.split_once('-') {
        None => Some((parse_id(cursor)?, Some(i64::MAX))),
        Some((before, top)) => Some((parse_id(before)?, Some(parse_id(top)?))),
    }
}

async fn load_feed(
    state: &PostsState,
    db: &Reader<'_>,
    viewer: Id,
    page: Page,
    top: Option<i64>,
) -> Result<ListResponse<Post>> {
    let (timeline, hidden) = home_cache::load_timeline(state, db, viewer).await?;
    let mut posts = PostSet::default();
    let mut reposts = FeedReposts::new(top);
    let mut feed = FeedPage {
        query: ViewerQuery { state, db, viewer },
        timeline: &timeline,
        hidden: &hidden,
        posts: &mut posts,
        reposts: &mut reposts,
    };
    let mut scan_end = None;
    let ids = if let Some(ids) = feed.load_ids(page).await? {
        ids
    } else {
        let filter = TimelineFilter { state, hidden: &hidden, reposts: &mut reposts };
        let rows = home_query::load_newest(
            db,
            &state.clock,
            &timeline.authors,
            Some(filter),
            page.before,
            page.statement_offset() + page.limit,
            |entry| timeline.shows(entry),
        );
        let (rows, next) = rows.await?;
        scan_end = next;
        let ids = rows.iter().map(|row| row.id).collect::<Vec<_>>();
        let shown = ids.get(page.statement_offset()..).unwrap_or_default();
        posts.load_more(state, db, viewer, shown).await?;
        ids
    };
    // The newest visible row, so that the cursor does not reveal a hidden one.
    let top = top.or(ids.first().copied());
    let ids = ids.get(page.statement_offset()..).unwrap_or_default();
    pagination::check_offset(page, ids)?;
    let last = ids.last().copied().filter(|_| ids.len() == page.limit);
    let next = last.or(scan_end);
    let next = next.map(|next| format!("{next}-{}", top.unwrap_or(i64::MAX)));
    let viewer = Viewer { id: viewer, hidden: &hidden, posts: &posts };
    let shown = ids.iter().filter_map(|id| viewer.find(*id, Tombstones::Omitted));
    let shown = shown.collect::<Vec<_>>();
    let originals = shown.iter().filter_map(|shown| shown.post.repost_of);
    let mut reposters = reposts.load_reposters(state, db, originals).await?;
    let mut body = Vec::with_capacity(2 + ids.len() * 900);
    let posts = shown.into_iter().map(|shown| {
        let original = shown.post.repost_of;
        let fields = ListFields {
            reposters: original.and_then(|post| reposters.remove(&post)),
            ..ListFields::default()
        };
        (shown, fields)
    });
    viewer.write_all(&mut body, posts);
    let path = "/api/posts/feed?";
    Ok(ListResponse::from_json(body, path, page.limit, next))
}
