//! A post, what it answers, and what was answered to it, two levels deep.

use crate::app::App;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Path;
use crate::ids::Id;
use crate::listing;
use crate::posts::ahead::Hints;
use crate::posts::conversation::{Conversation, Replies};
use crate::posts::known::{self, Gathered};
use crate::posts::shape::Thread;
use crate::posts::unknown;
use crate::posts::written::{Deleted, Shown, View};
use crate::reason::Reason;
use crate::safety::Unseen;
use axum::extract::State;
use axum::response::Response;
use futures_util::try_join;
use kith_db::Reader;
use std::collections::{HashMap, HashSet};

/// A post with what it answers and its replies. Of a repost, the original's. Direct replies come
/// oldest first, the author's own first, each followed by what was answered to it. A deleted post is
/// a tombstone here while there are answers to it, and unknown once there are none. What I do not
/// see because of a block or a suspension is unknown, and above or below what I see a gap.
#[utoipa::path(get, path = "/api/posts/{id}/thread", operation_id = "getThread", tag = "posts", params(("id" = Id, Path)),
    responses((status = 200, body = Thread)))]
pub async fn thread(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Id>,
) -> Result<Response> {
    let db = app.db.reader();
    let read = Box::pin(read(&app, &db, caller.member, id));
    caller.reads(&app, &db, read).await
}

async fn read(app: &App, db: &Reader<'_>, reader: Id, id: Id) -> Result<Response> {
    let remembered = Conversation::remembered(app, id.0);
    let likely = async {
        // Unless it is a repost, these are its answers.
        Ok(if remembered.is_none() && db.is_far() {
            Some(Replies::read(app, db, id.0).await?)
        } else {
            None
        })
    };
    let (hints, ids) = (Hints::default(), [id.0]);
    let (unseen, mut gathered, likely) = try_join!(
        Unseen::remembered(app, db, reader),
        known::gather(app, db, reader, &ids, &hints),
        likely,
    )?;
    let (post, author, parent) = {
        let view = view(reader, &unseen, &gathered);
        let shown = view.find(id.0, Deleted::Shown).ok_or_else(unknown)?;
        if shown.is_hidden || shown.post.is_deleted && shown.post.reply_count == 0 {
            return Err(unknown());
        }
        // A repost has no conversation of its own: it leads to the original's.
        let post = shown.original.unwrap_or(shown.post);
        (post.id, post.author, post.reply_to.map(|(id, _)| id))
    };
    let (around, authors) = if let Some(around) = remembered.filter(|_| post == id.0) {
        (around, Vec::new())
    } else {
        let likely = likely.filter(|_| post == id.0);
        Conversation::around(app, db, (post, author, parent), likely).await?
    };
    let hints = Hints::members(authors);
    let all = [&around.ancestors[..], &[post], &around.replies].concat();
    known::more(app, db, reader, &mut gathered, &all, &hints).await?;
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
    let room = LARGEST.saturating_sub(body.len()).max(LEFT);
    let replies = fitting(without_empty_gaps(shown(&around.replies)), room);
    view.write_all(&mut body, unasked(replies));
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

/// Bytes of a thread, about: what is beyond has a thread of its own.
const LARGEST: usize = 1 << 20;
/// Of those, the ones that are left to replies in any case.
const LEFT: usize = LARGEST / 2;
/// And the ones of one author, while there are others.
const OF_ONE: usize = LARGEST / 10;

/// As many of the replies as are not too large together, in their order: of each author so many first, so
/// that nobody's leave no room for those behind them. What answers a reply needs it to be there.
fn fitting(mut replies: Vec<Shown<'_>>, mut room: usize) -> Vec<Shown<'_>> {
    if replies.iter().map(Shown::bytes).sum::<usize>() <= room {
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
fn without_empty_gaps(mut replies: Vec<Shown<'_>>) -> Vec<Shown<'_>> {
    let seen = replies.iter().filter(|reply| !reply.is_hidden);
    let answered = seen.filter_map(|reply| reply.post.reply_to);
    let answered = answered.map(|(id, _)| id).collect::<HashSet<_>>();
    replies.retain(|reply| !reply.is_hidden || answered.contains(&reply.post.id));
    replies
}
