//! A post, what it answers, and what was answered to it, two levels deep.

use crate::app::App;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::Path;
use crate::ids::Id;
use crate::listing;
use crate::posts::ahead::Hints;
use crate::posts::known::{self, Gathered};
use crate::posts::shape::Thread;
use crate::posts::unknown;
use crate::posts::written::{Deleted, Shown, View};
use crate::reason::Reason;
use crate::safety::Unseen;
use axum::extract::State;
use axum::response::Response;
use futures_util::try_join;
use kith_db::{Reader, Row, Sql, SqlIn, params, sql, sql_in};
use std::collections::{HashMap, HashSet};

/// Direct replies that a thread shows at most; as many again may answer them.
const MOST: usize = 200;

/// Posts above a reply that are shown.
const NEAREST: usize = 20;

const PARENT: Sql = sql!("select reply_to_id from posts where id = $1");
const REPLIES: Sql =
    sql!("select id, author_id from replies where post_id = $1 order by id limit 200");
/// Of each reply the oldest 50, so that a flood below one does not hide the answers to others.
static NESTED: SqlIn = sql_in!(
    "select post_id, id, author_id from
       (select post_id, id, author_id, row_number() over (partition by post_id order by id) as place
        from replies where post_id in ($ids)) as placed
     where place <= 50 order by id"
);

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
    let db = app.db.reader().await?;
    let read = Box::pin(read(&app, &db, caller.member, id));
    caller.reads(&app, &db, read).await
}

async fn read(app: &App, db: &Reader<'_>, reader: Id, id: Id) -> Result<Response> {
    let likely = async {
        // Unless it is a repost, these are its answers.
        Ok(if db.is_far() {
            Some(Replies::read(db, id.0).await?)
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
    let replies = async {
        match likely.filter(|_| post == id.0) {
            Some(replies) => Ok(replies),
            None => Replies::read(db, post).await,
        }
    };
    let (ancestors, replies) = try_join!(ancestors(db, parent), replies)?;
    let hints = Hints::members(replies.authors());
    let replies = replies.in_order(author);
    let all = [&ancestors[..], &[post], &replies].concat();
    known::more(app, db, reader, &mut gathered, &all, &hints).await?;
    let view = view(reader, &unseen, &gathered);
    let shown = |ids: &[i64]| {
        let shown = ids.iter().filter_map(|id| view.find(*id, Deleted::Shown));
        shown.collect::<Vec<_>>()
    };
    let mut body = Vec::with_capacity(all.len() * 900);
    body.extend_from_slice(br#"{"ancestors":"#);
    view.write_all(&mut body, unasked(shown(&ancestors)));
    body.extend_from_slice(br#","post":"#);
    let post = view.find(post, Deleted::Shown).ok_or_else(unknown)?;
    view.write(&mut body, &post, None);
    body.extend_from_slice(br#","replies":"#);
    view.write_all(&mut body, unasked(without_empty_gaps(shown(&replies))));
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

/// What leads to a reply, the oldest first.
async fn ancestors(db: &Reader<'_>, parent: Option<i64>) -> kith_db::Result<Vec<i64>> {
    let mut ids = Vec::new();
    let mut next = parent;
    while let Some(id) = next.filter(|_| ids.len() < NEAREST) {
        ids.push(id);
        next = db
            .opt(&PARENT, params![id], |row| row.opt_int(0))
            .await?
            .flatten();
    }
    ids.reverse();
    Ok(ids)
}

/// What was answered to a post, oldest first.
struct Replies {
    /// With their authors.
    direct: Vec<(i64, i64)>,
    /// What was answered to those: which, the answer, and its author.
    nested: Vec<(i64, i64, i64)>,
}

impl Replies {
    async fn read(db: &Reader<'_>, post: i64) -> kith_db::Result<Self> {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let direct = db.all(&REPLIES, params![post], read).await?;
        let parents = direct.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?, row.int(2)?));
        let nested = db.all_in(&NESTED, &[], &parents, read).await?;
        Ok(Self { direct, nested })
    }

    fn authors(&self) -> impl Iterator<Item = i64> {
        let direct = self.direct.iter().map(|(_, author)| *author);
        direct.chain(self.nested.iter().map(|(_, _, author)| *author))
    }

    /// The ids as they are shown: those of the post's author first, each with its answers.
    fn in_order(mut self, author: i64) -> Vec<i64> {
        // A stable sort: each part stays oldest first.
        self.direct.sort_by_key(|(_, by)| *by != author);
        let mut nested: HashMap<i64, Vec<i64>> = HashMap::new();
        for (parent, id, _) in self.nested {
            nested.entry(parent).or_default().push(id);
        }
        // Answers to answers take what room the direct ones leave.
        let mut room = 2 * MOST - self.direct.len();
        let mut ids = Vec::new();
        for (parent, _) in self.direct {
            ids.push(parent);
            let mut answers = nested.remove(&parent).unwrap_or_default();
            answers.truncate(room);
            room -= answers.len();
            ids.extend(answers);
        }
        ids
    }
}
