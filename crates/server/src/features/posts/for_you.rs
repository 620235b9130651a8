//! The For You feed: the whole network's posts, each with its reason. The best 200 come first, and
//! behind them the others, newest first, so the feed ends where the network does.
//!
//! `posts.rank` is kept by the writes (see `ranking`), so the order that is the same for
//! everybody is an index. The best 200 are ordered for their reader: who is close to them is worth
//! some hours more, and nobody is shown three times in a row while they hold somebody else.

use crate::features::members;
use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::dto::Post;
use crate::features::posts::for_you_cursor::{Next, Pick, Place};
use crate::features::posts::for_you_rank::{self, arranged};
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

/// Where in this feed a page begins.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlaceQuery {
    /// Where the last page ended: from the `Link` header.
    #[param(
        min_length = 1,
        max_length = 2174,
        pattern = "^[0-9]{1,19}-[0-9]{1,19}-[A-Za-z0-9_-]*$",
        example = "247513998712340480-20-"
    )]
    pub cursor: Option<String>,
}

/// The network's posts, the best 200 first, each with its reason. A post's score is its time, 6 hours
/// later for each doubling of the people who like, repost or answer it, 6 hours later when the
/// reader follows its author, and 3 when the author follows the reader or is followed by
/// somebody the reader follows. At most two in a row are by one author while the best 200 hold somebody
/// else's. The other posts follow, newest first. By cursor each post that there was at the first page is
/// shown once, whatever is posted, liked or followed meanwhile.
#[utoipa::path(get, path = "/api/posts/for-you", operation_id = "listForYouFeed", tag = "feeds", params(SliceQuery, PlaceQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn for_you(
    State(app): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Query(slice): Query<SliceQuery>,
    Query(query): Query<PlaceQuery>,
) -> Result<Listing<Post>> {
    let bounds = slice.bounds(20)?;
    let place = query.cursor.as_deref().map(Place::parse).transpose()?;
    let db = app.db.reader();
    let read = Box::pin(read(&app, &db, auth.member, bounds, place));
    read.await
}

async fn read(
    app: &PostsState,
    db: &Reader<'_>,
    reader: Id,
    (limit, mut offset): (usize, usize),
    place: Option<Place>,
) -> Result<Listing<Post>> {
    let (circle, unseen) = try_join!(
        follows::load_neighborhood(&app.relationships.neighborhoods, db, reader),
        HiddenMembers::load_cached(&app.relationships.visibility, db, reader),
    )?;
    let (mut place, arranged) = if let Some(place) = place {
        (place, None)
    } else {
        let arranged = arranged((app, db), reader, &circle, &unseen).await?;
        (Place::first(&arranged, app.id()), Some(arranged))
    };
    let viewer = reader;
    let query = ViewerQuery { app, db, viewer };
    let mut posts = PostSet::default();
    let span = (limit, &mut offset);
    let mut page = best_of(query, &unseen, &mut place, span, &mut posts).await?;
    let mut goes_on = page.len() == limit;
    if let Next::Rest(before) = place.next
        && !goes_on
    {
        let limit = limit - page.len();
        let below = Page {
            limit,
            offset,
            before,
        };
        let best = place.best.iter().map(|pick| pick.id).collect();
        let (rest, next) = for_you_rank::rest(db, &unseen, &best, place.end, below).await?;
        let ids = rest.iter().map(|ranked| ranked.id.0).collect::<Vec<_>>();
        posts.load_more(app, db, reader, &ids).await?;
        page.extend(rest.iter().map(Pick::from));
        goes_on = next.is_some();
        place.go_on_below(next.unwrap_or(before));
    }
    // Those of the best posts' authors, unless others are on the page, too.
    let known = arranged.filter(|_| matches!(place.next, Next::Best(_)));
    let fans = known.as_deref().map(|arranged| &arranged.fans);
    let body = body(query, (&circle, &unseen), &posts, &page, fans).await?;
    let next = goes_on.then_some(place);
    Ok(Listing::written(body, "/api/posts/for-you?", limit, next))
}

/// The posts of a page with their reasons, as JSON.
async fn body(
    ViewerQuery { app, db, viewer }: ViewerQuery<'_>,
    (circle, unseen): (&Neighborhood, &HiddenMembers),
    posts: &PostSet,
    page: &[Pick],
    fans: Option<&HashSet<i64>>,
) -> Result<Vec<u8>> {
    let view = Viewer {
        id: viewer,
        unseen,
        posts,
    };
    let posts = page.iter().filter_map(|pick| {
        let shown = view.find(pick.id.0, Tombstones::Omitted)?;
        Some((shown, pick.is_popular))
    });
    let posts = posts.collect::<Vec<_>>();
    let authors = || posts.iter().map(|(shown, _)| shown.post.author);
    let fans = async {
        Ok(match fans {
            Some(fans) => Cow::Borrowed(fans),
            None => Cow::Owned(for_you_rank::fans_among(db, viewer, circle, authors()).await?),
        })
    };
    let near = names_between(app, db, (circle, unseen), authors());
    let (fans, near) = try_join!(fans, near)?;
    let reasons = explain(viewer, circle, &near, &fans, &posts).into_iter();
    let reasons = reasons.map(|reason| Added {
        reason: Some(reason),
        ..Added::default()
    });
    let mut body = Vec::new();
    let posts = posts.iter().map(|(shown, _)| *shown);
    view.write_all(&mut body, posts.zip(reasons));
    Ok(body)
}

/// The page's share of the best posts that are still there for their reader, after so many of them; goes on in
/// `place` and leaves in the offset what they do not reach.
async fn best_of(
    ViewerQuery { app, db, viewer }: ViewerQuery<'_>,
    unseen: &HiddenMembers,
    place: &mut Place,
    (limit, offset): (usize, &mut usize),
    posts: &mut PostSet,
) -> Result<Vec<Pick>> {
    let mut page = Vec::new();
    let Next::Best(at) = place.next else {
        return Ok(page);
    };
    let skipped = (*offset).min(place.best.len().saturating_sub(at));
    *offset -= skipped;
    let mut at = at + skipped;
    while page.len() < limit && at < place.best.len() {
        let part = at..place.best.len().min(at + limit - page.len());
        let ids = place.best[part.clone()].iter().map(|pick| pick.id.0);
        let ids = ids.collect::<Vec<_>>();
        posts.load_more(app, db, viewer, &ids).await?;
        let is_there = |pick: &&Pick| {
            let post = posts.posts.get(&pick.id.0);
            post.is_some_and(|post| !post.is_deleted && !unseen.hides_from_lists(post.author))
        };
        page.extend(place.best[part.clone()].iter().filter(is_there));
        at = part.end;
    }
    place.next = Next::Best(at);
    if at >= place.best.len() && place.end > 0 {
        place.next = Next::Rest(place.end);
    }
    Ok(page)
}

/// What those are called through whom the authors of posts are near, but for whom the reader does not see.
async fn names_between(
    app: &PostsState,
    db: &Reader<'_>,
    (circle, unseen): (&Neighborhood, &HiddenMembers),
    authors: impl Iterator<Item = i64>,
) -> kith_db::Result<HashMap<i64, String>> {
    let between = authors.filter_map(|author| circle.second_degree(author));
    let between = between.map(|near| near.by);
    let between = between.filter(|friend| !unseen.hides_from_lists(*friend));
    members::load_display_names(&app.members, db, &between.collect::<Vec<_>>()).await
}

/// Why each post is shown; with it comes whether it is popular.
fn explain(
    reader: Id,
    circle: &Neighborhood,
    between: &HashMap<i64, String>,
    fans: &HashSet<i64>,
    posts: &[(VisiblePost<'_>, bool)],
) -> Vec<Reason> {
    let why = |(shown, is_popular): &(VisiblePost<'_>, bool)| {
        let author = shown.post.author;
        let name = shown.post.author_name.as_deref().unwrap_or_default();
        let near = circle.second_degree(author);
        if author == reader.0 {
            Reason::new("own", "Your own post")
        } else if circle.follows(author) {
            Reason::new("following", format!("You follow {name}"))
        } else if let Some(friend) = near.and_then(|near| between.get(&near.by)) {
            let message = format!("Followed by {friend}, whom you follow");
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
