//! Lists of ids by many authors, newest first, straight from the database.
//!
//! Nothing is stored per reader. Two ways lead to the same list: to look each
//! author's posts up in ever larger windows of time, or to walk everybody's posts and
//! keep those of the authors wanted. The first costs by authors, the second by
//! how rare the wanted posts are; many authors are rarely rare.

use crate::clock::{Clock, HOUR, Millis};
use crate::ids::Id;
use crate::listing::{FARTHEST, beyond};
use crate::posts::alive;
use crate::safety::Unseen;
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
/// Windows that are asked at once where waits are dear, of so many authors at most: those of more
/// authors are full sooner.
const AT_ONCE: usize = 4;
const FEW: usize = 200;
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

fn read(row: &Row<'_>) -> kith_db::Result<Entry> {
    Ok(Entry {
        id: row.int(0)?,
        author: row.int(1)?,
        reply_to: row.opt_int(2)?,
        repost_of: row.opt_int(3)?,
    })
}

/// The newest `count` posts by `authors` with an id below `before` that `keep` keeps, and the id below which
/// there may be more although these are fewer, when so many others were passed. Given whom the reader does
/// not see, reposts of what is gone or theirs are left out.
pub(super) async fn newest(
    db: &Reader<'_>,
    clock: &Clock,
    authors: &HashSet<i64>,
    unseen: Option<&Unseen>,
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
            found.extend(alive(db, unseen, rows).await?);
            if found.len() >= count {
                found.truncate(count);
                return Ok((found, None));
            }
        }
    }
    let authors = authors.iter().copied().collect::<Vec<_>>();
    let at_once = if db.is_far() && authors.len() <= FEW {
        AT_ONCE
    } else {
        1
    };
    let mut reach = FIRST_WINDOW;
    while found.len() < count && before > 0 {
        let mut windows = Vec::with_capacity(at_once);
        let (mut top, mut far) = (before, reach);
        while windows.len() < at_once && top > 0 {
            // Ids may run ahead of a clock that was set back; no window is lost to that.
            let from = Id(top).time().min(clock.now());
            let floor = Id::first_at(from - far);
            windows.push((floor, top));
            (top, far) = (floor, far.saturating_mul(4));
        }
        let asked = windows.iter();
        let asked = asked.map(|(floor, top)| window(db, &authors, *floor, *top));
        let answers = try_join_all(asked).await?;
        for ((asked, _), (mut rows, floor)) in windows.into_iter().zip(answers) {
            passed += rows.len();
            rows.retain(&keep);
            found.extend(alive(db, unseen, rows).await?);
            found.truncate(count);
            before = floor;
            if floor > asked {
                // What was asked further back is not next to it.
                reach = (reach / 4).max(HOUR);
                break;
            }
            reach = reach.saturating_mul(4);
            if found.len() == count {
                break;
            }
        }
        if found.len() < count && passed >= FARTHEST + count && before > 0 {
            let shown = found.last().map_or(begin, |row| row.id);
            return Ok((found, Some(beyond(before, shown))));
        }
        // A deep page takes many rounds, none of which waits for anything.
        tokio::task::yield_now().await;
    }
    Ok((found, None))
}

/// The posts of these rows, without reposts of what is gone or not for this reader.
async fn alive(
    db: &Reader<'_>,
    unseen: Option<&Unseen>,
    mut rows: Vec<Entry>,
) -> kith_db::Result<Vec<Entry>> {
    let Some(unseen) = unseen else {
        return Ok(rows);
    };
    let originals = rows.iter().filter_map(|row| row.repost_of);
    let originals = originals.collect::<Vec<_>>();
    let gone = alive::gone(db, &originals, |author| unseen.hides(author)).await?;
    rows.retain(|row| row.repost_of.is_none_or(|post| !gone.contains(&post)));
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
