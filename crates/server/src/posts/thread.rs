//! A post, what it answers, and what was answered to it, two levels deep.

use crate::app::App;
use crate::error::Result;
use crate::extract::Path;
use crate::ids::Id;
use crate::listing;
use crate::posts::conversation::Conversation;
use crate::posts::known::{self, Gathered};
use crate::posts::shape::Thread;
use crate::posts::unknown;
use crate::posts::written::{Deleted, Shown, View};
use crate::reason::Reason;
use crate::safety::Unseen;
use crate::session::Session;
use axum::extract::State;
use axum::response::Response;
use std::collections::HashSet;

/// A post with what it answers and its replies. Of a repost, the original's. Direct replies come
/// oldest first, the author's own first, each followed by what was answered to it. A deleted post is
/// a tombstone here while there are answers to it, and unknown once there are none. What I do not
/// see because of a block or a suspension is unknown, and above or below what I see a gap.
#[utoipa::path(get, path = "/api/posts/{id}/thread", operation_id = "getThread", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Thread)))]
pub async fn thread(
    State(app): State<App>,
    session: Session,
    Path(id): Path<Id>,
) -> Result<Response> {
    let db = app.db.reader().await?;
    let reader = session.member;
    let unseen = Unseen::remembered(&app, &db, reader).await?;
    let (post, author, parent) = {
        let gathered = known::gather(&app, &db, reader, &[id.0]).await?;
        let view = view(reader, &unseen, &gathered);
        let shown = view.find(id.0, Deleted::Shown).ok_or_else(unknown)?;
        if shown.is_hidden || shown.post.is_deleted && shown.post.reply_count == 0 {
            return Err(unknown());
        }
        // A repost has no conversation of its own: it leads to the original's.
        let post = shown.original.unwrap_or(shown.post);
        (post.id, post.author, post.reply_to.map(|(id, _)| id))
    };
    let around = Conversation::around(&app, &db, post, author, parent).await?;
    let all = [&around.ancestors[..], &[post], &around.replies].concat();
    let gathered = known::gather(&app, &db, reader, &all).await?;
    let view = view(reader, &unseen, &gathered);
    let shown = |ids: &[i64]| {
        let shown = ids.iter().filter_map(|id| view.find(*id, Deleted::Shown));
        shown.collect::<Vec<_>>()
    };
    let mut body = Vec::with_capacity(all.len() * 900);
    body.extend_from_slice(br#"{"ancestors":"#);
    view.write_all(&mut body, unasked(shown(&around.ancestors)));
    body.extend_from_slice(br#","post":"#);
    let post = view.find(post, Deleted::Shown).ok_or_else(unknown)?;
    view.write(&mut body, &post, None);
    body.extend_from_slice(br#","replies":"#);
    view.write_all(
        &mut body,
        unasked(without_empty_gaps(shown(&around.replies))),
    );
    body.push(b'}');
    Ok(listing::json(body))
}

const fn view<'a>(reader: Id, unseen: &'a Unseen, gathered: &'a Gathered) -> View<'a> {
    View {
        reader,
        unseen,
        gathered,
    }
}

/// Posts that need no reason.
fn unasked(posts: Vec<Shown<'_>>) -> impl Iterator<Item = (Shown<'_>, Option<Reason>)> {
    posts.into_iter().map(|shown| (shown, None))
}

/// Leaves gaps out below which nothing is shown.
fn without_empty_gaps(mut replies: Vec<Shown<'_>>) -> Vec<Shown<'_>> {
    let seen = replies.iter().filter(|reply| !reply.is_hidden);
    let answered = seen.filter_map(|reply| reply.post.reply_to);
    let answered = answered.map(|(id, _)| id).collect::<HashSet<_>>();
    replies.retain(|reply| !reply.is_hidden || answered.contains(&reply.post.id));
    replies
}
