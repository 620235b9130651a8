//! Lists of ids by many authors, newest first, straight from the database.
//!
//! Nothing is stored per reader. Two ways lead to the same list: to look each
//! author's posts up in ever larger windows of time, or to walk everybody's posts and
//! keep those of the authors wanted. The first costs by authors, the second by
//! how rare the wanted posts are; many authors are rarely rare.

use crate::features::posts::PostsState;
use crate::features::posts::reposters::Reposted;
use crate::features::posts::visibility;
use crate::features::relationships::HiddenMembers;
use crate::http::pagination::{FARTHEST, beyond};
use crate::platform::clock::{Clock, HOUR, Millis};
use crate::platform::ids::Id;
use foldhash::HashSet;
use futures_util::future::try_join_all;
use kith_db::{Reader, Row, Sql, SqlIn, params, sql, sql_in};

/// A row of an author's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: i64,
    pub(super) author: i64,
    /// Whom a reply answers.
    pub(super) reply_to: Option<i64>,
    /// What a repost points at.
    pub(super) repost_of: Option<i64>,
}

/// Above this many authors, walking everybody's posts is tried first.
const MANY: usize = 1_000;
/// Posts that one step of the walk reads.
const STRIDE: i64 = 500;
/// Steps before the walk gives way to look-ups by author.
const STEPS: usize = 20;
/// Rows that one look-up answers at most.
const WINDOW_ROWS: usize = 200;
/// The first window; each next one reaches four times as far back.
const FIRST_WINDOW: Millis = 6 * HOUR;

static WINDOW: SqlIn = sql_in!(
    "select id, author_id, reply_to_author_id, repost_of_id from author_posts
     where id >= $1 and id < $2 and author_id in ($ids) order by id desc limit 200"
);
const WALK: Sql = sql!(
    "select id, author_id, reply_to_author_id, repost_of_id from posts
     where id < $1 and deleted_at is null order by id desc limit $2"
);

/// What leaves rows out of a list.
pub(super) struct Sieve<'a> {
    pub(super) app: &'a PostsState,
    pub(super) unseen: &'a HiddenMembers,
    pub(super) reposted: &'a mut Reposted,
}

fn read(row: &Row<'_>) -> kith_db::Result<Entry> {
    Ok(Entry {
        id: row.int(0)?,
        author: row.int(1)?,
        reply_to: row.opt_int(2)?,
        repost_of: row.opt_int(3)?,
    })
}

/// The newest `count` posts by `authors` with an id below `before` that `keep` keeps, and the id below which
/// there may be more although these are fewer, when so many others were passed. With a sieve, rows that
/// show nothing, or a post that a newer row shows, are left out.
pub(super) async fn newest(
    db: &Reader<'_>,
    clock: &Clock,
    authors: &HashSet<i64>,
    mut sieve: Option<Sieve<'_>>,
    mut before: i64,
    count: usize,
    keep: impl Fn(&Entry) -> bool,
) -> kith_db::Result<(Vec<Entry>, Option<i64>)> {
    // `count` is as large as anybody asks for.
    let mut found = Vec::<Entry>::new();
    let mut passed = 0;
    let begin = before;
    if authors.len() > MANY {
        for _ in 0..STEPS {
            let rows = db.all(&WALK, params![before, STRIDE], read).await?;
            let Some(last) = rows.last() else {
                return Ok((found, None));
            };
            before = last.id;
            let mut rows = rows;
            rows.retain(|row| authors.contains(&row.author) && keep(row));
            found.extend(sift(db, authors, sieve.as_mut(), rows).await?);
            if found.len() >= count {
                found.truncate(count);
                return Ok((found, None));
            }
        }
    }
    let members = authors;
    let authors = authors.iter().copied().collect::<Vec<_>>();
    let mut reach = FIRST_WINDOW;
    while found.len() < count && before > 0 {
        // Ids may run ahead of a clock that was set back; no window is lost to that.
        let from = Id(before).time().min(clock.now());
        let floor = Id::first_at(from - reach);
        let (mut rows, complete) = window(db, &authors, floor, before).await?;
        passed += rows.len();
        rows.retain(&keep);
        found.extend(sift(db, members, sieve.as_mut(), rows).await?);
        found.truncate(count);
        before = complete;
        reach = if complete > floor {
            (reach / 4).max(HOUR)
        } else {
            reach.saturating_mul(4)
        };
        if found.len() < count && passed >= FARTHEST + count && before > 0 {
            let shown = found.last().map_or(begin, |row| row.id);
            return Ok((found, Some(beyond(before, shown))));
        }
        // A deep page takes many rounds, none of which waits for anything.
        tokio::task::yield_now().await;
    }
    Ok((found, None))
}

/// These rows without those that a sieve leaves out.
async fn sift(
    db: &Reader<'_>,
    authors: &HashSet<i64>,
    sieve: Option<&mut Sieve<'_>>,
    mut rows: Vec<Entry>,
) -> kith_db::Result<Vec<Entry>> {
    let Some(Sieve {
        app,
        unseen,
        reposted,
    }) = sieve
    else {
        return Ok(rows);
    };
    let originals = rows.iter().filter_map(|row| row.repost_of);
    let originals = originals.collect::<Vec<_>>();
    let gone = visibility::gone(db, &originals, |author| unseen.hides_from_lists(author)).await?;
    rows.retain(|row| row.repost_of.is_none_or(|post| !gone.contains(&post)));
    if let Some(first) = rows.first() {
        reposted.begin_at(first.id);
    }
    let posts = rows.iter().map(|row| row.repost_of.unwrap_or(row.id));
    let posts = posts.collect::<Vec<_>>();
    reposted.add_uncounted(app, db, authors, &posts).await?;
    rows.retain(|row| reposted.is_newest(row.id, row.repost_of));
    Ok(rows)
}

/// Everything by `authors` from `floor` up to `before`, newest first, and the
/// id down to which that is complete: a look-up that hit its limit raises it.
async fn window(
    db: &Reader<'_>,
    authors: &[i64],
    floor: i64,
    before: i64,
) -> kith_db::Result<(Vec<Entry>, i64)> {
    let mut rows = Vec::new();
    let mut complete = floor;
    let parts = authors.chunks(50).map(|chunk| async move {
        let bound = params![floor, before];
        db.all_in(&WINDOW, bound, chunk, read).await
    });
    for part in try_join_all(parts).await? {
        if part.len() == WINDOW_ROWS {
            complete = complete.max(part.last().map_or(floor, |row| row.id));
        }
        rows.extend(part);
    }
    rows.retain(|row| row.id >= complete);
    rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.id));
    Ok((rows, complete))
}
