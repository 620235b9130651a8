//! From the ids of a page to the page, and from one id to one post.

use crate::app::App;
use crate::error::Result;
use crate::extract::Page;
use crate::ids::Id;
use crate::listing::{self, Listing};
use crate::posts::ahead::Hints;
use crate::posts::author::Ids;
use crate::posts::fresh::Fresh;
use crate::posts::known::Gathered;
use crate::posts::shape::Post;
use crate::posts::written::{Deleted, View};
use crate::posts::{known, unknown};
use crate::safety::Unseen;
use axum::response::Response;
use futures_util::join;
use kith_db::Reader;

/// Who asks for a list, and where it is asked.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) app: &'a App,
    pub(super) db: &'a Reader<'a>,
    pub(super) reader: Id,
}

/// The first `count` of a list's rows, a post and what it depends on each, of those that do not depend on
/// what is gone or what `hides` says of its author. The posts from `skip` on are gathered with them; where
/// waits are dear, so are `members`, whom they may name.
pub(super) async fn alive(
    Asked { app, db, reader }: Asked<'_>,
    rows: &[(i64, Option<i64>)],
    (skip, count): (usize, usize),
    gathered: &mut Gathered,
    members: &[i64],
    hides: impl Fn(i64) -> bool,
) -> kith_db::Result<Vec<i64>> {
    let mut ids = Vec::with_capacity(count);
    for (step, rows) in rows.chunks(count).enumerate() {
        // What is shown, unless something is left out; then only that is read which decides.
        let shown = if step == 0 { skip } else { rows.len() };
        let shown = rows.iter().skip(shown).map(|(post, _)| *post);
        let on = rows.iter().filter_map(|(_, on)| *on);
        let wanted = shown.chain(on).collect::<Vec<_>>();
        let hints = Hints::members(members.iter().copied());
        known::more(app, db, reader, gathered, &wanted, &hints).await?;
        let is_alive = |row: &&(i64, Option<i64>)| {
            row.1.is_none_or(|on| {
                let on = gathered.posts.get(&on);
                on.is_some_and(|post| !post.is_deleted && !hides(post.author))
            })
        };
        let room = count - ids.len();
        let kept = rows.iter().filter(is_alive).map(|(post, _)| *post);
        ids.extend(kept.take(room));
        if ids.len() == count {
            break;
        }
    }
    Ok(ids)
}

/// The posts of one page; `path` is the list's address up to its next parameter.
pub async fn listing(
    app: &App,
    db: &Reader<'_>,
    reader: (Id, &Unseen),
    ids: Ids,
    page: Page,
    path: &str,
) -> Result<Listing<Post>> {
    listing_of(app, db, reader, Gathered::default(), ids, page, path).await
}

/// The same, when some of the posts were gathered before.
pub async fn listing_of(
    app: &App,
    db: &Reader<'_>,
    (reader, unseen): (Id, &Unseen),
    mut gathered: Gathered,
    ids: Ids,
    page: Page,
    path: &str,
) -> Result<Listing<Post>> {
    let hints = Hints::default();
    known::more(app, db, reader, &mut gathered, &ids.posts, &hints).await?;
    let view = View {
        reader,
        unseen,
        gathered: &gathered,
    };
    Ok(Listing::written(
        view.list(&ids.posts),
        path,
        page.limit,
        ids.next,
    ))
}

/// What a write left behind.
#[derive(Debug)]
pub(super) struct Left {
    pub(super) post: Id,
    /// Who wrote it, or what it reposts.
    pub(super) author: Id,
    /// What the write knew of it.
    pub(super) fresh: Option<Fresh>,
}

impl Left {
    /// What was there before, or is to be read once more.
    pub(super) const fn again(post: Id, author: Id) -> Self {
        Self {
            post,
            author,
            fresh: None,
        }
    }
}

/// The post that a write left, as the member who made it sees it.
pub(super) async fn left_by(
    write: impl Future<Output = Result<Left>>,
    app: &App,
    member: Id,
) -> Result<Response> {
    // Where that is a wait, whom they do not see is asked while the write is made, to be remembered: what
    // changes before the write is done must still count.
    let ahead = async {
        let db = app.db.reader();
        if db.is_far() {
            // Who cannot be told now is asked again.
            let _ = Unseen::remembered(app, &db, member).await;
        }
    };
    let (left, ()) = join!(write, ahead);
    let left = left?;
    let (db, post) = (app.db.reader(), left.post.0);
    let unseen = Unseen::remembered(app, &db, member).await?;
    let gathered = if let Some(fresh) = left.fresh {
        known::just_written(app, &db, fresh).await?
    } else {
        let hints = Hints::members([left.author.0]);
        known::gather(app, &db, member, &[post], &hints).await?
    };
    let view = View {
        reader: member,
        unseen: &unseen,
        gathered: &gathered,
    };
    let shown = view.find(post, Deleted::Hidden).ok_or_else(unknown)?;
    let mut body = Vec::with_capacity(1_500);
    view.write(&mut body, &shown, None);
    Ok(listing::json(body))
}
