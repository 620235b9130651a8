//! `GET /api/posts/for-you`: all posts of the network, each with its reason. The 200 highest ranked come
//! first, then the others, newest first.
//!
//! Writes maintain `posts.rank` (see `score`), so the global order is an index. The first 200 are personalised:
//! authors close to the viewer rank higher, and no author appears three times in a row if avoidable.

use crate::features::members;
use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::dto::Post;
use crate::features::posts::for_you_cursor::{ForYouCursor, Next, Pick};
use crate::features::posts::for_you_rank::{self, load_block};
use crate::features::posts::respond::ViewerQuery;
use crate::features::posts::view::{Added, Tombstones, Viewer, VisiblePost};
use crate::features::recommendation_reason::Reason;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows::{self, Neighborhood};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{Page, Query, SliceQuery};
use crate::http::pagination::Listing;
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
#[utoipa::path(get, path = "/api/posts/for-you", operation_id = "listForYouFeed", tag = "feeds", params(SliceQuery, ForYouQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn for_you(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Query(slice): Query<SliceQuery>,
    Query(query): Query<ForYouQuery>,
) -> Result<Listing<Post>> {
    let bounds = slice.bounds(20)?;
    let cursor = query.cursor.as_deref().map(ForYouCursor::parse).transpose()?;
    let db = state.db.reader();
    let read = Box::pin(read(&state, &db, auth.member, bounds, cursor));
    read.await
}

async fn read(
    state: &PostsState,
    db: &Reader<'_>,
    viewer: Id,
    (limit, mut offset): (usize, usize),
    cursor: Option<ForYouCursor>,
) -> Result<Listing<Post>> {
    let (circle, unseen) = try_join!(
        follows::load_neighborhood(&state.relationships.neighborhoods, db, viewer),
        HiddenMembers::load_cached(&state.relationships.visibility, db, viewer),
    )?;
    let (mut cursor, block) = if let Some(cursor) = cursor {
        (cursor, None)
    } else {
        let block = load_block((state, db), viewer, &circle, &unseen).await?;
        (ForYouCursor::first(&block, state.id()), Some(block))
    };
    let query = ViewerQuery { state, db, viewer };
    let mut posts = PostSet::default();
    let span = (limit, &mut offset);
    let mut page = load_best(query, &unseen, &mut cursor, span, &mut posts).await?;
    let mut goes_on = page.len() == limit;
    if let Next::Rest(before) = cursor.next
        && !goes_on
    {
        let limit = limit - page.len();
        let below = Page { limit, offset, before };
        let best = cursor.best.iter().map(|pick| pick.id).collect();
        let (rest, next) = for_you_rank::load_recent(db, &unseen, &best, cursor.end, below).await?;
        let ids = rest.iter().map(|ranked| ranked.id.0).collect::<Vec<_>>();
        posts.load_more(state, db, viewer, &ids).await?;
        page.extend(rest.iter().map(Pick::from));
        goes_on = next.is_some();
        cursor.go_on_below(next.unwrap_or(before));
    }
    // The cached fans cover only the authors of the block, so they do not suffice for a page with others.
    let known = block.filter(|_| matches!(cursor.next, Next::Best(_)));
    let fans = known.as_deref().map(|block| &block.fans);
    let body = render_body(query, (&circle, &unseen), &posts, &page, fans).await?;
    let next = goes_on.then_some(cursor);
    Ok(Listing::from_json(body, "/api/posts/for-you?", limit, next))
}

/// Serialises the posts of a page with their reasons.
async fn render_body(
    ViewerQuery { state, db, viewer }: ViewerQuery<'_>,
    (circle, unseen): (&Neighborhood, &HiddenMembers),
    posts: &PostSet,
    page: &[Pick],
    fans: Option<&HashSet<i64>>,
) -> Result<Vec<u8>> {
    let view = Viewer { id: viewer, unseen, posts };
    let posts = page.iter().filter_map(|pick| {
        let shown = view.find(pick.id.0, Tombstones::Omitted)?;
        Some((shown, pick.is_popular))
    });
    let posts = posts.collect::<Vec<_>>();
    let authors = || posts.iter().map(|(shown, _)| shown.post.author);
    let fans = async {
        Ok(match fans {
            Some(fans) => Cow::Borrowed(fans),
            None => Cow::Owned(for_you_rank::find_fans(db, viewer, circle, authors()).await?),
        })
    };
    let near = load_mutual_names(state, db, (circle, unseen), authors());
    let (fans, near) = try_join!(fans, near)?;
    let reasons = explain(viewer, circle, &near, &fans, &posts).into_iter();
    let reasons = reasons.map(|reason| Added { reason: Some(reason), ..Added::default() });
    let mut body = Vec::new();
    let posts = posts.iter().map(|(shown, _)| *shown);
    view.write_all(&mut body, posts.zip(reasons));
    Ok(body)
}

/// Loads the part of a page that comes from the personalised block, without posts that became invisible.
/// Advances the cursor and subtracts skipped posts from the offset.
async fn load_best(
    ViewerQuery { state, db, viewer }: ViewerQuery<'_>,
    unseen: &HiddenMembers,
    cursor: &mut ForYouCursor,
    (limit, offset): (usize, &mut usize),
    posts: &mut PostSet,
) -> Result<Vec<Pick>> {
    let mut page = Vec::new();
    let Next::Best(at) = cursor.next else {
        return Ok(page);
    };
    let skipped = (*offset).min(cursor.best.len().saturating_sub(at));
    *offset -= skipped;
    let mut at = at + skipped;
    while page.len() < limit && at < cursor.best.len() {
        let part = at..cursor.best.len().min(at + limit - page.len());
        let ids = cursor.best[part.clone()].iter().map(|pick| pick.id.0);
        let ids = ids.collect::<Vec<_>>();
        posts.load_more(state, db, viewer, &ids).await?;
        let is_there = |pick: &&Pick| {
            let post = posts.posts.get(&pick.id.0);
            post.is_some_and(|post| !post.is_deleted && !unseen.hides_from_lists(post.author))
        };
        page.extend(cursor.best[part.clone()].iter().filter(is_there));
        at = part.end;
    }
    cursor.next = Next::Best(at);
    if at >= cursor.best.len() && cursor.end > 0 {
        cursor.next = Next::Rest(cursor.end);
    }
    Ok(page)
}

/// Loads the display names of the visible members through which the viewer is connected to the authors.
async fn load_mutual_names(
    state: &PostsState,
    db: &Reader<'_>,
    (circle, unseen): (&Neighborhood, &HiddenMembers),
    authors: impl Iterator<Item = i64>,
) -> kith_db::Result<HashMap<i64, String>> {
    let between = authors.filter_map(|author| circle.second_degree(author));
    let between = between.map(|near| near.by);
    let between = between.filter(|friend| !unseen.hides_from_lists(*friend));
    members::load_display_names(&state.members, db, &between.collect::<Vec<_>>()).await
}

/// Returns the reason for each post, given with whether it is popular.
fn explain(
    viewer: Id,
    circle: &Neighborhood,
    between: &HashMap<i64, String>,
    fans: &HashSet<i64>,
    posts: &[(VisiblePost<'_>, bool)],
) -> Vec<Reason> {
    let why = |(shown, is_popular): &(VisiblePost<'_>, bool)| {
        let author = shown.post.author;
        let name = shown.post.author_name.as_deref().unwrap_or_default();
        let near = circle.second_degree(author);
        if author == viewer.0 {
            Reason::new("own", "Your own post")
        } else if circle.follows(author) {
            Reason::new("following", format!("You follow {name}"))
        } else if let Some(friend) = near.and_then(|near| between.get(&near.by)) {
            let message = format!("Followed by {friend}, who you follow");
            Reason::new("followed_by", message)
        } else if fans.contains(&author) {
            Reason::new("follows_you", format!("{name} follows you"))
        } else if *is_popular {
            Reason::new("popular", "Popular on Kith")
        } else {
            Reason::new("new", "New on Kith")
        }
    };
    posts.iter().map(why).collect()
}
