//! `GET /api/posts/for-you`: all posts of the network, each with its reason. The 200 highest ranked come
//! first, then the others, newest first.
//!
//! Writes maintain `posts.rank` (see `score`), so the global order is an index. The first 200 are personalised:
//! authors close to the viewer rank higher, and no author appears three times in a row if avoidable.

use crate::features::members;
use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::dto::{ListFields, Post};
use crate::features::posts::for_you_cursor::{CursorPost, ForYouCursor, NextPage};
use crate::features::posts::for_you_rank::{self, load_block};
use crate::features::posts::respond::ViewerQuery;
use crate::features::posts::view::{Tombstones, Viewer, VisiblePost};
use crate::features::recommendation_reason::Reason;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows::{self, Neighborhood};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{OffsetQuery, Page, Query};
use crate::http::pagination::ListResponse;
use crate::platform::ids::Id;
use axum::extract::State;
use futures_util::try_join;
use kith_db::Reader;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use utoipa::IntoParams;

/// Pagination of the For You feed.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ForYouQuery {
    /// Cursor of the next page, from the `Link` header of the previous response.
    #[param(
        min_length = 1,
        max_length = 2174,
        pattern = "^[0-9]{1,19}-[0-9]{1,19}-[A-Za-z0-9_-]*$",
        example = "247513998712340480-20-"
    )]
    pub cursor: Option<String>,
}

/// Lists the network's posts, the best 200 first, each with the reason for its recommendation. The other
/// posts follow, newest first.
///
/// The score of a post is its creation time, plus 6 hours for each doubling of the members who like it,
/// repost it or reply to it, plus 6 hours if the viewer follows its author, or 3 hours if the author follows
/// the viewer or is followed by a member the viewer follows. At most two consecutive posts are by one
/// author, while the best 200 contain posts by others. Cursor pagination returns each post that existed at
/// the first page exactly once, regardless of later posts, likes and follows.
#[utoipa::path(get, path = "/api/posts/for-you", operation_id = "listForYouFeed", tag = "feeds", params(OffsetQuery, ForYouQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_for_you_feed(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Query(slice): Query<OffsetQuery>,
    Query(query): Query<ForYouQuery>,
) -> Result<ListResponse<Post>> {
    let (limit, offset) = slice.bounds(20)?;
    let cursor = query.cursor.as_deref().map(ForYouCursor::parse).transpose()?;
    let db = state.db.reader();
    Box::pin(load_feed(&state, &db, auth.member, (limit, offset), cursor)).await
}

async fn load_feed(
    state: &PostsState,
    db: &Reader<'_>,
    viewer: Id,
    (limit, mut offset): (usize, usize),
    cursor: Option<ForYouCursor>,
) -> Result<ListResponse<Post>> {
    let (neighborhood, hidden) = try_join!(
        follows::load_neighborhood(&state.relationships.neighborhoods, db, viewer),
        HiddenMembers::load_cached(&state.relationships.visibility, db, viewer),
    )?;
    let (mut cursor, block) = if let Some(cursor) = cursor {
        (cursor, None)
    } else {
        let block = load_block((state, db), viewer, &neighborhood, &hidden).await?;
        (ForYouCursor::first(&block, state.id()), Some(block))
    };
    let query = ViewerQuery { state, db, viewer };
    let mut posts = PostSet::default();
    let slice = (limit, &mut offset);
    let mut page = load_from_block(query, &hidden, &mut cursor, slice, &mut posts).await?;
    let mut has_more = page.len() == limit;
    if let NextPage::Recent(before) = cursor.next
        && !has_more
    {
        let limit = limit - page.len();
        let slice = Page { limit, offset, before };
        let block = cursor.block.iter().map(|post| post.id).collect();
        let (recent, next) =
            for_you_rank::load_recent(db, &hidden, &block, cursor.end, slice).await?;
        let ids = recent.iter().map(|ranked| ranked.id.0).collect::<Vec<_>>();
        posts.load_more(state, db, viewer, &ids).await?;
        page.extend(recent.iter().map(CursorPost::from));
        has_more = next.is_some();
        cursor.continue_below(next.unwrap_or(before));
    }
    // The cached fans cover only the authors of the block, so they do not suffice for a page with others.
    let block = block.filter(|_| matches!(cursor.next, NextPage::Block(_)));
    let fans = block.as_deref().map(|block| &block.fans);
    let body = render_body(query, (&neighborhood, &hidden), &posts, &page, fans).await?;
    let next = has_more.then_some(cursor);
    Ok(ListResponse::from_json(body, "/api/posts/for-you?", limit, next))
}

/// Serialises the posts of a page with their reasons.
async fn render_body(
    ViewerQuery { state, db, viewer }: ViewerQuery<'_>,
    (neighborhood, hidden): (&Neighborhood, &HiddenMembers),
    posts: &PostSet,
    page: &[CursorPost],
    fans: Option<&HashSet<i64>>,
) -> Result<Vec<u8>> {
    let view = Viewer { id: viewer, hidden, posts };
    let posts = page.iter().filter_map(|listed| {
        let shown = view.find(listed.id.0, Tombstones::Omitted)?;
        Some((shown, listed.is_popular))
    });
    let posts = posts.collect::<Vec<_>>();
    let authors = || posts.iter().map(|(shown, _)| shown.post.author);
    let fans = async {
        Ok(match fans {
            Some(fans) => Cow::Borrowed(fans),
            None => Cow::Owned(for_you_rank::find_fans(db, viewer, neighborhood, authors()).await?),
        })
    };
    let mutual_names = load_mutual_names(state, db, (neighborhood, hidden), authors());
    let (fans, mutual_names) = try_join!(fans, mutual_names)?;
    let reasons = build_reasons(viewer, neighborhood, &mutual_names, &fans, &posts).into_iter();
    let reasons =
        reasons.map(|reason| ListFields { reason: Some(reason), ..ListFields::default() });
    let mut body = Vec::with_capacity(2 + page.len() * 900);
    let posts = posts.iter().map(|(shown, _)| *shown);
    view.write_all(&mut body, posts.zip(reasons));
    Ok(body)
}

/// Loads the part of a page that comes from the personalised block, without posts that became invisible.
/// Advances the cursor and subtracts skipped posts from the offset.
async fn load_from_block(
    ViewerQuery { state, db, viewer }: ViewerQuery<'_>,
    hidden: &HiddenMembers,
    cursor: &mut ForYouCursor,
    (limit, offset): (usize, &mut usize),
    posts: &mut PostSet,
) -> Result<Vec<CursorPost>> {
    let mut page = Vec::new();
    let NextPage::Block(index) = cursor.next else {
        return Ok(page);
    };
    let skipped = (*offset).min(cursor.block.len().saturating_sub(index));
    *offset -= skipped;
    let mut index = index + skipped;
    while page.len() < limit && index < cursor.block.len() {
        let end = cursor.block.len().min(index + limit - page.len());
        let chunk = &cursor.block[index..end];
        let ids = chunk.iter().map(|listed| listed.id.0).collect::<Vec<_>>();
        posts.load_more(state, db, viewer, &ids).await?;
        let is_visible = |listed: &&CursorPost| {
            let post = posts.posts.get(&listed.id.0);
            post.is_some_and(|post| !post.is_deleted && !hidden.hides_from_lists(post.author))
        };
        page.extend(chunk.iter().filter(is_visible));
        index = end;
    }
    cursor.next = NextPage::Block(index);
    if index >= cursor.block.len() && cursor.end > 0 {
        cursor.next = NextPage::Recent(cursor.end);
    }
    Ok(page)
}

/// Loads the display names of the visible members through which the viewer is connected to the authors.
async fn load_mutual_names(
    state: &PostsState,
    db: &Reader<'_>,
    (neighborhood, hidden): (&Neighborhood, &HiddenMembers),
    authors: impl Iterator<Item = i64>,
) -> kith_db::Result<HashMap<i64, String>> {
    let mutuals = authors.filter_map(|author| neighborhood.second_degree(author));
    let mutuals = mutuals.map(|second_degree| second_degree.by);
    let mutuals = mutuals.filter(|mutual| !hidden.hides_from_lists(*mutual));
    members::load_display_names(&state.members, db, &mutuals.collect::<Vec<_>>()).await
}

/// Returns the reason for each of `posts`, given as (post, whether it is popular).
fn build_reasons(
    viewer: Id,
    neighborhood: &Neighborhood,
    mutual_names: &HashMap<i64, String>,
    fans: &HashSet<i64>,
    posts: &[(VisiblePost<'_>, bool)],
) -> Vec<Reason> {
    let reason = |(shown, is_popular): &(VisiblePost<'_>, bool)| {
        let author = shown.post.author;
        let name = shown.post.author_name.as_deref().unwrap_or_default();
        let second_degree = neighborhood.second_degree(author);
        if author == viewer.0 {
            Reason::new("own", "Your own post")
        } else if neighborhood.follows(author) {
            Reason::new("following", format!("You follow {name}")).with_name(name)
        } else if let Some(friend) = second_degree.and_then(|link| mutual_names.get(&link.by)) {
            let message = format!("Followed by {friend}, who you follow");
            Reason::new("followed_by", message).with_name(friend)
        } else if fans.contains(&author) {
            Reason::new("follows_you", format!("{name} follows you")).with_name(name)
        } else if *is_popular {
            Reason::new("popular", "Popular on this network")
        } else {
            Reason::new("new", "New on this network")
        }
    };
    posts.iter().map(reason).collect()
}
