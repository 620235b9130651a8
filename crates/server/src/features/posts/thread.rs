//! `GET /api/posts/{id}/thread`: a post with its ancestors and two levels of replies.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::cached::ThreadIds;
use crate::features::posts::dto::{ListFields, Thread};
use crate::features::posts::post_not_found;
use crate::features::posts::view::{Tombstones, Viewer, VisiblePost, write_json};
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
pub async fn get_thread(
    State(state): State<Arc<PostsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<Response> {
    let db = state.db.reader();
    Box::pin(load_thread(&state, &db, auth.member, id)).await
}

async fn load_thread(state: &PostsState, db: &Reader<'_>, viewer: Id, id: Id) -> Result<Response> {
    let ids = [id.0];
    let (mut hidden, mut posts) = try_join!(
        HiddenMembers::load_cached(&state.relationships.visibility, db, viewer),
        PostSet::load(state, db, viewer, &ids),
    )?;
    let author = posts.posts.get(&id.0).map(|post| post.author);
    if let Some(author) = author.filter(|author| hidden.is_suspended(*author)) {
        hidden = hidden.sparing_for_staff(db, viewer, Id(author)).await?;
        posts = PostSet::sparing(hidden.spared());
        posts.load_more(state, db, viewer, &ids).await?;
    }
    let (post, author, parent) = {
        let view = Viewer { id: viewer, hidden: &hidden, posts: &posts };
        let shown = view.find(id.0, Tombstones::Shown).ok_or_else(post_not_found)?;
        if !is_open(&shown) {
            return Err(post_not_found());
        }
        // A repost has no thread of its own: return the original's.
        let post = shown.original.unwrap_or(shown.post);
        (post.id, post.author, post.reply_to.map(|(id, _)| id))
    };
    let thread = ThreadIds::load(state, db, (post, author, parent)).await?;
    let root = thread.root.as_slice();
    let all = [root, &thread.ancestors, &[post], &thread.replies].concat();
    posts.load_more(state, db, viewer, &all).await?;
    let view = Viewer { id: viewer, hidden: &hidden, posts: &posts };
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
    view.write_all(&mut body, without_list_fields(shown(&thread.ancestors)));
    body.extend_from_slice(br#","post":"#);
    let post = view.find(post, Tombstones::Shown).ok_or_else(post_not_found)?;
    view.write(&mut body, &post, &ListFields::default());
    body.extend_from_slice(br#","replies":"#);
    let reply_bytes = MAX_BYTES.saturating_sub(body.len()).max(MIN_REPLY_BYTES);
    let replies = fit_to_size(drop_empty_tombstones(shown(&thread.replies)), reply_bytes);
    view.write_all(&mut body, without_list_fields(replies));
    body.push(b'}');
    Ok(pagination::json_response(body))
}

/// Returns whether the viewer can open the thread of a post.
const fn is_open(shown: &VisiblePost<'_>) -> bool {
    !shown.is_hidden && (!shown.post.is_deleted || shown.post.reply_count > 0)
}

/// Pairs each post with empty list-specific fields.
fn without_list_fields(
    posts: Vec<VisiblePost<'_>>,
) -> impl Iterator<Item = (VisiblePost<'_>, ListFields)> {
    posts.into_iter().map(|shown| (shown, ListFields::default()))
}

/// Approximate maximum bytes of a response. Clients can load dropped replies in threads of their own.
const MAX_BYTES: usize = 1 << 20;
/// Bytes reserved for replies.
const MIN_REPLY_BYTES: usize = MAX_BYTES / 2;
/// Bytes of replies by one author while others have replies left.
const MAX_AUTHOR_BYTES: usize = MAX_BYTES / 10;

/// Drops replies until the others fit into `max_bytes`, keeping the order. The first round limits the bytes per
/// author, so that none can displace the others. A nested reply stays only with its parent.
fn fit_to_size(mut replies: Vec<VisiblePost<'_>>, mut max_bytes: usize) -> Vec<VisiblePost<'_>> {
    if replies.iter().map(VisiblePost::bytes).sum::<usize>() <= max_bytes {
        return replies;
    }
    let all = replies.iter().map(|reply| reply.post.id);
    let mut dropped = all.collect::<HashSet<_>>();
    let mut bytes_by_author = HashMap::<i64, usize>::new();
    for max_author_bytes in [MAX_AUTHOR_BYTES, MAX_BYTES] {
        for reply in &replies {
            let parent = reply.post.reply_to.map(|(id, _)| id);
            let has_parent = parent.is_none_or(|parent| !dropped.contains(&parent));
            let bytes = reply.bytes();
            let author_bytes = bytes_by_author.entry(reply.post.author).or_default();
            let fits = bytes <= max_bytes && *author_bytes + bytes <= max_author_bytes;
            if has_parent && fits && dropped.remove(&reply.post.id) {
                *author_bytes += bytes;
                max_bytes -= bytes;
            }
        }
    }
    replies.retain(|reply| !dropped.contains(&reply.post.id));
    replies
}

/// Drops tombstones of hidden posts that have no visible replies.
fn drop_empty_tombstones(mut replies: Vec<VisiblePost<'_>>) -> Vec<VisiblePost<'_>> {
    let visible = replies.iter().filter(|reply| !reply.is_hidden);
    let parents = visible.filter_map(|reply| reply.post.reply_to);
    let parents = parents.map(|(id, _)| id).collect::<HashSet<_>>();
    replies.retain(|reply| !reply.is_hidden || parents.contains(&reply.post.id));
    replies
}
