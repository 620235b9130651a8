//! The For You feed: the whole network's posts, best first, each with its reason.
//!
//! `posts.rank` is kept by the writes (see `ranking`), so the order that is the same for
//! everybody is an index. A read takes the block of 200 posts its page is in, and orders
//! that for its reader: who is close to them is worth some hours more, and nobody is
//! shown three times in a row while the block holds somebody else. Every page of every
//! post there is comes from some block, so the feed ends where the network does.

use crate::app::App;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{Query, SliceQuery};
use crate::follows::{self, Circle};
use crate::ids::Id;
use crate::listing::{FARTHEST, Listing};
use crate::posts::ahead::Hints;
use crate::posts::blocks::{BLOCK, arranged, further};
use crate::posts::front::Front;
use crate::posts::known;
use crate::posts::place::Place;
use crate::posts::shape::Post;
use crate::posts::written::{Deleted, Shown, View};
use crate::reason::Reason;
use crate::safety::Unseen;
use crate::users;
use axum::extract::State;
use futures_util::try_join;
use kith_db::Reader;
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use utoipa::IntoParams;

/// Where in this feed a page begins.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlaceQuery {
    /// Where the last page ended: from the `Link` header.
    #[param(
        min_length = 5,
        max_length = 43,
        pattern = "^[0-9]{1,19}-[0-9]{1,19}-1?[0-9]{1,2}$",
        example = "1795253400000-247513998712340480-20"
    )]
    pub cursor: Option<String>,
}

/// The network's posts, best first, each with its reason. A post's score is its time, 6 hours
/// later for each doubling of the people who like, repost or answer it, 6 hours later when the
/// reader follows its author, and 3 when the author follows the reader or is followed by
/// somebody the reader follows. At most two in a row are by one author while the 200 posts that
/// are ordered together hold somebody else's.
#[utoipa::path(get, path = "/api/posts/for-you", operation_id = "listForYouFeed", tag = "feeds", params(SliceQuery, PlaceQuery),
    responses((status = 200, body = [Post], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn for_you(
    State(app): State<App>,
    caller: Caller,
    Query(slice): Query<SliceQuery>,
    Query(query): Query<PlaceQuery>,
) -> Result<Listing<Post>> {
    let bounds = slice.bounds(20)?;
    let place = Place::of(query.cursor.as_deref())?;
    let db = app.db.reader();
    let read = Box::pin(read(&app, &db, caller.member, bounds, place));
    caller.reads(&app, &db, read).await
}

async fn read(
    app: &App,
    db: &Reader<'_>,
    reader: Id,
    (limit, offset): (usize, usize),
    mut place: Place,
) -> Result<Listing<Post>> {
    let front = async {
        Ok(if offset == 0 && db.is_far() {
            Front::read(app, db, reader, &place).await?
        } else {
            None
        })
    };
    let (mut front, circle, unseen) = try_join!(
        front,
        follows::circle(app, db, reader),
        Unseen::remembered(app, db, reader),
    )?;
    if offset > 0 {
        place = further(db, &unseen, place, offset).await?;
    }
    let mut page = Vec::new();
    // Where those begin of which the reader has seen none.
    let mut shown = place;
    let mut fans = HashSet::new();
    let (mut passed, mut goes_on) = (0, false);
    while page.len() < limit && !goes_on {
        let block = arranged((app, db), reader, &circle, &unseen, &place, front.take()).await?;
        // So that posts which arrive meanwhile do not move the pages that follow.
        if let Some((Some(first), _)) = &block.ends {
            place.fix(first);
        }
        let rest = block.posts.get(place.position..).unwrap_or_default();
        let taken = rest.len().min(limit - page.len());
        page.extend_from_slice(&rest[..taken]);
        fans.extend(&block.fans);
        place.position += taken;
        match &block.ends {
            Some((first, last)) if block.is_full && taken == rest.len() => {
                place = Place::after(last);
                if first.is_some() {
                    shown = place;
                }
            }
            _ => break,
        }
        passed += BLOCK;
        goes_on = passed >= FARTHEST;
    }
    let next = if goes_on {
        Some(place.blurred(shown))
    } else {
        (page.len() == limit).then_some(place)
    };
    let ids = page.iter().map(|ranked| ranked.id.0).collect::<Vec<_>>();
    let authors = page.iter().map(|ranked| ranked.author);
    let hints = Hints::members(authors.clone());
    let (gathered, near) = try_join!(
        known::gather(app, db, reader, &ids, &hints),
        names_between(app, db, (&circle, &unseen), authors),
    )?;
    let view = View {
        reader,
        unseen: &unseen,
        gathered: &gathered,
    };
    let posts = ids.iter().filter_map(|id| view.find(*id, Deleted::Hidden));
    let posts = posts.collect::<Vec<_>>();
    let popular = page.iter().filter(|ranked| ranked.is_popular);
    let popular = popular.map(|ranked| ranked.id.0).collect::<Vec<_>>();
    let reasons = explain(reader, &circle, &near, &fans, &popular, &posts);
    let mut body = Vec::new();
    let reasons = reasons.into_iter().map(Some);
    view.write_all(&mut body, posts.into_iter().zip(reasons));
    Ok(Listing::written(body, "/api/posts/for-you?", limit, next))
}

/// What those are called through whom the authors of posts are near, but for whom the reader does not see.
async fn names_between(
    app: &App,
    db: &Reader<'_>,
    (circle, unseen): (&Circle, &Unseen),
    authors: impl Iterator<Item = i64>,
) -> kith_db::Result<HashMap<i64, String>> {
    let between = authors.filter_map(|author| circle.near(author));
    let between = between.map(|near| near.by);
    let between = between.filter(|friend| !unseen.hides(*friend));
    users::display_names(app, db, &between.collect::<Vec<_>>()).await
}

/// Why each post is shown.
fn explain(
    reader: Id,
    circle: &Circle,
    between: &HashMap<i64, String>,
    fans: &HashSet<i64>,
    popular: &[i64],
    posts: &[Shown<'_>],
) -> Vec<Reason> {
    let why = |shown: &Shown<'_>| {
        let author = shown.post.author;
        let name = shown.post.author_name.as_deref().unwrap_or_default();
        let near = circle.near(author);
        if author == reader.0 {
            Reason::new("own", "Your own post")
        } else if circle.follows(author) {
            Reason::new("following", format!("You follow {name}"))
        } else if let Some(friend) = near.and_then(|near| between.get(&near.by)) {
            let message = format!("Followed by {friend}, whom you follow");
            Reason::new("followed_by", message)
        } else if fans.contains(&author) {
            Reason::new("follows_you", format!("{name} follows you"))
        } else if popular.contains(&shown.post.id) {
            Reason::new("popular", "Popular on Kith")
        } else {
            Reason::new("new", "New on Kith")
        }
    };
    posts.iter().map(why).collect()
}
