//! A post, what it answers, and what was answered to it, two levels deep.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::dto::Thread;
use crate::features::posts::thread_store::Conversation;
use crate::features::posts::unknown;
use crate::features::posts::view::{Added, Tombstones, Viewer, VisiblePost, write_json};
use crate::features::relationships::HiddenMembers;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::Path;
use crate::http::pagination;
use crate::platform::ids::Id;
use axum::extract::State;
use axum::response::Response;
use futures_util::try_join;
use kith_db::Reader;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A post with what it answers and its replies. Of a repost, the original's. Direct replies come
/// oldest first, the author's own first, each followed by what was answered to it. A deleted post is
/// a tombstone here while there are answers to it, and unknown once there are none. What I do not
/// see because of a block or a suspension is unknown, and above or below what I see a gap.
#[utoipa::path(get, path = "/api/posts/{id}/thread", operation_id = "getThread", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Thread)))]
pub async fn thread(
    State(app): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    let db = app.db.reader();
    let read = Box::pin(read(&app, &db, auth.member, id));
    read.await
}

async fn read(app: &PostsState, db: &Reader<'_>, viewer: Id, id: Id) -> Result<Response> {
    let ids = [id.0];
    let (mut unseen, mut posts) = try_join!(
        HiddenMembers::load_cached(&app.relationships.visibility, db, viewer),
        PostSet::load(app, db, viewer, &ids),
    )?;
    let asked = posts.posts.get(&id.0).map(|post| post.author);
    if let Some(author) = asked.filter(|author| unseen.is_suspended(*author)) {
        unseen = unseen.sparing_for_staff(db, viewer, Id(author)).await?;
        posts = PostSet::sparing(unseen.spared());
        posts.load_more(app, db, viewer, &ids).await?;
    }
    let (post, author, parent) = {
        let view = view(viewer, &unseen, &posts);
        let shown = view.find(id.0, Tombstones::Shown).ok_or_else(unknown)?;
        if !is_open(&shown) {
            return Err(unknown());
        }
        // A repost has no conversation of its own: it leads to the original's.
        let post = shown.original.unwrap_or(shown.post);
        (post.id, post.author, post.reply_to.map(|(id, _)| id))
    };
    let around = Conversation::around(app, db, (post, author, parent)).await?;
    let root = around.root.as_slice();
    let all = [root, &around.ancestors, &[post], &around.replies].concat();
    posts.load_more(app, db, viewer, &all).await?;
    let view = view(viewer, &unseen, &posts);
    let shown = |ids: &[i64]| {
        let shown = ids
            .iter()
            .filter_map(|id| view.find(*id, Tombstones::Shown));
        shown.collect::<Vec<_>>()
    };
    let mut body = Vec::with_capacity(all.len() * 900);
    let root = around.root.filter(|root| {
        let shown = view.find(*root, Tombstones::Shown);
        shown.is_some_and(|shown| is_open(&shown))
    });
    body.extend_from_slice(br#"{"rootId":"#);
    write_json(&mut body, &root.map(Id));
    body.extend_from_slice(br#","ancestors":"#);
    view.write_all(&mut body, unasked(shown(&around.ancestors)));
    body.extend_from_slice(br#","post":"#);
    let post = view.find(post, Tombstones::Shown).ok_or_else(unknown)?;
    view.write(&mut body, &post, Added::default());
    body.extend_from_slice(br#","replies":"#);
    let room = LARGEST.saturating_sub(body.len()).max(LEFT);
    let replies = fitting(without_empty_gaps(shown(&around.replies)), room);
    view.write_all(&mut body, unasked(replies));
    body.push(b'}');
    Ok(pagination::json(body))
}

/// Whether a post has a thread for its viewer.
const fn is_open(shown: &VisiblePost<'_>) -> bool {
    !shown.is_hidden && (!shown.post.is_deleted || shown.post.reply_count > 0)
}

const fn view<'a>(id: Id, unseen: &'a HiddenMembers, posts: &'a PostSet) -> Viewer<'a> {
    Viewer { id, unseen, posts }
}

/// Posts that need no reason.
fn unasked(posts: Vec<VisiblePost<'_>>) -> impl Iterator<Item = (VisiblePost<'_>, Added)> {
    posts.into_iter().map(|shown| (shown, Added::default()))
}

/// Bytes of a thread, about: what is beyond has a thread of its own.
const LARGEST: usize = 1 << 20;
/// Of those, the ones that are left to replies in any case.
const LEFT: usize = LARGEST / 2;
/// And the ones of one author, while there are others.
const OF_ONE: usize = LARGEST / 10;

/// As many of the replies as are not too large together, in their order: of each author so many first, so
/// that nobody's leave no room for those behind them. What answers a reply needs it to be there.
fn fitting(mut replies: Vec<VisiblePost<'_>>, mut room: usize) -> Vec<VisiblePost<'_>> {
    if replies.iter().map(VisiblePost::bytes).sum::<usize>() <= room {
        return replies;
    }
    let all = replies.iter().map(|reply| reply.post.id);
    let mut left_out = all.collect::<HashSet<_>>();
    let mut by = HashMap::<i64, usize>::new();
    for most in [OF_ONE, LARGEST] {
        for reply in &replies {
            let above = reply.post.reply_to.map(|(id, _)| id);
            let hangs = above.is_none_or(|above| !left_out.contains(&above));
            let (bytes, of) = (reply.bytes(), by.entry(reply.post.author).or_default());
            if hangs && bytes <= room && *of + bytes <= most && left_out.remove(&reply.post.id) {
                *of += bytes;
                room -= bytes;
            }
        }
    }
    replies.retain(|reply| !left_out.contains(&reply.post.id));
    replies
}

/// Leaves gaps out below which nothing is shown.
fn without_empty_gaps(mut replies: Vec<VisiblePost<'_>>) -> Vec<VisiblePost<'_>> {
    let seen = replies.iter().filter(|reply| !reply.is_hidden);
    let answered = seen.filter_map(|reply| reply.post.reply_to);
    let answered = answered.map(|(id, _)| id).collect::<HashSet<_>>();
    replies.retain(|reply| !reply.is_hidden || answered.contains(&reply.post.id));
    replies
}
