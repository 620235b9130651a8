//! `GET /api/posts/{id}/thread`: a post with its ancestors and two levels of replies.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::cached::ThreadIds;
use crate::features::posts::dto::Thread;
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

/// Returns a post with its ancestors and replies; for a repost, those of the original. Sorts direct replies
/// oldest first, those by the author of the post before others, each followed by the replies to it.
///
/// A deleted post with replies is a tombstone; without replies, it is not found. A post hidden from the
/// viewer by a block or a suspension is not found, and is a tombstone among the ancestors or replies of a
/// visible post.
#[utoipa::path(get, path = "/api/posts/{id}/thread", operation_id = "getThread", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Thread)))]
pub async fn thread(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    let db = state.db.reader();
    let read = Box::pin(read(&state, &db, auth.member, id));
    read.await
}

async fn read(state: &PostsState, db: &Reader<'_>, viewer: Id, id: Id) -> Result<Response> {
    let ids = [id.0];
    let (mut unseen, mut posts) = try_join!(
        HiddenMembers::load_cached(&state.relationships.visibility, db, viewer),
        PostSet::load(state, db, viewer, &ids),
    )?;
    let author = posts.posts.get(&id.0).map(|post| post.author);
    if let Some(author) = author.filter(|author| unseen.is_suspended(*author)) {
        unseen = unseen.sparing_for_staff(db, viewer, Id(author)).await?;
        posts = PostSet::sparing(unseen.spared());
        posts.load_more(state, db, viewer, &ids).await?;
    }
    let (post, author, parent) = {
        let view = view(viewer, &unseen, &posts);
        let shown = view.find(id.0, Tombstones::Shown).ok_or_else(unknown)?;
        if !is_open(&shown) {
            return Err(unknown());
        }
        // A repost has no thread of its own: show the original's.
        let post = shown.original.unwrap_or(shown.post);
        (post.id, post.author, post.reply_to.map(|(id, _)| id))
    };
    let thread = ThreadIds::load(state, db, (post, author, parent)).await?;
    let root = thread.root.as_slice();
    let all = [root, &thread.ancestors, &[post], &thread.replies].concat();
    posts.load_more(state, db, viewer, &all).await?;
    let view = view(viewer, &unseen, &posts);
    let shown = |ids: &[i64]| {
        let shown = ids.iter().filter_map(|id| view.find(*id, Tombstones::Shown));
        shown.collect::<Vec<_>>()
    };
    let mut body = Vec::with_capacity(all.len() * 900);
    let root = thread.root.filter(|root| {
        let shown = view.find(*root, Tombstones::Shown);
        shown.is_some_and(|shown| is_open(&shown))
    });
    body.extend_from_slice(br#"{"rootId":"#);
    write_json(&mut body, &root.map(Id));
    body.extend_from_slice(br#","ancestors":"#);
    view.write_all(&mut body, without_additions(shown(&thread.ancestors)));
    body.extend_from_slice(br#","post":"#);
    let post = view.find(post, Tombstones::Shown).ok_or_else(unknown)?;
    view.write(&mut body, &post, Added::default());
    body.extend_from_slice(br#","replies":"#);
    let room = MAX_BYTES.saturating_sub(body.len()).max(MIN_REPLY_BYTES);
    let replies = fit_to_size(without_empty_gaps(shown(&thread.replies)), room);
    view.write_all(&mut body, without_additions(replies));
    body.push(b'}');
    Ok(pagination::json_response(body))
}

/// Returns whether the viewer can open the thread of a post.
const fn is_open(shown: &VisiblePost<'_>) -> bool {
    !shown.is_hidden && (!shown.post.is_deleted || shown.post.reply_count > 0)
}

const fn view<'a>(id: Id, unseen: &'a HiddenMembers, posts: &'a PostSet) -> Viewer<'a> {
    Viewer { id, unseen, posts }
}

/// Pairs posts with no list-specific fields.
fn without_additions(
    posts: Vec<VisiblePost<'_>>,
) -> impl Iterator<Item = (VisiblePost<'_>, Added)> {
    posts.into_iter().map(|shown| (shown, Added::default()))
}

/// Approximate maximum bytes of a response. Replies left out can be read in their own threads.
const MAX_BYTES: usize = 1 << 20;
/// Bytes reserved for replies.
const MIN_REPLY_BYTES: usize = MAX_BYTES / 2;
/// Bytes of replies by one author while others have replies left.
const MAX_AUTHOR_BYTES: usize = MAX_BYTES / 10;

/// Drops replies until the rest fits into `room` bytes, keeping the order. Each author gets a limited part
/// first, so that none can displace the others. A nested reply needs its parent.
fn fit_to_size(mut replies: Vec<VisiblePost<'_>>, mut room: usize) -> Vec<VisiblePost<'_>> {
    if replies.iter().map(VisiblePost::bytes).sum::<usize>() <= room {
        return replies;
    }
    let all = replies.iter().map(|reply| reply.post.id);
    let mut left_out = all.collect::<HashSet<_>>();
    let mut by = HashMap::<i64, usize>::new();
    for most in [MAX_AUTHOR_BYTES, MAX_BYTES] {
        for reply in &replies {
            let above = reply.post.reply_to.map(|(id, _)| id);
            let has_parent = above.is_none_or(|above| !left_out.contains(&above));
            let (bytes, of) = (reply.bytes(), by.entry(reply.post.author).or_default());
            if has_parent && bytes <= room && *of + bytes <= most && left_out.remove(&reply.post.id)
            {
                *of += bytes;
                room -= bytes;
            }
        }
    }
    replies.retain(|reply| !left_out.contains(&reply.post.id));
    replies
}

/// Drops tombstones without visible replies.
fn without_empty_gaps(mut replies: Vec<VisiblePost<'_>>) -> Vec<VisiblePost<'_>> {
    let seen = replies.iter().filter(|reply| !reply.is_hidden);
    let answered = seen.filter_map(|reply| reply.post.reply_to);
    let answered = answered.map(|(id, _)| id).collect::<HashSet<_>>();
    replies.retain(|reply| !reply.is_hidden || answered.contains(&reply.post.id));
    replies
}
