//! Which posts stand around a post in its thread: ids only, remembered while nobody answers.

use crate::features::posts::PostsState;
use crate::features::relationships::HiddenMembers;
use crate::platform::cache::{Remembered, Slot, Stamp, Topic};
use futures_util::future::try_join_all;
use futures_util::try_join;
use kith_db::{Reader, Result, Row, Sql, params, sql};
use std::collections::HashMap;
use std::sync::Arc;

/// Direct replies that a thread shows at most; as many again may answer them.
const MOST: usize = 200;
/// Of those, the ones by one author at most while there are others: who floods a thread closes it to nobody.
const MOST_OF_ONE: usize = 20;
/// Direct replies that are read to find others.
const FARTHEST: usize = 5_000;
/// Rows that a step of that reads.
const STEP: usize = 1_000;

/// Posts above a reply that are shown.
const NEAREST: usize = 20;

const PARENT: Sql = sql!("select reply_to_id, root_id from posts where id = $1");
const REPLIES: Sql =
    sql!("select id, author_id from replies where post_id = $1 and id > $2 order by id limit $3");
/// Of each reply the oldest 50, so that a flood below one does not hide the answers to others, nor is
/// read: asked of one after the other, since over a list each engine would read all of them.
const NESTED: Sql =
    sql!("select id, author_id from replies where post_id = $1 order by id limit 50");

/// What leads to a post, and what was answered to it.
#[derive(Debug)]
pub struct Conversation {
    /// The nearest posts above, the oldest first.
    pub(super) ancestors: Vec<i64>,
    /// The post that the conversation began with, when it is further above.
    pub(super) root: Option<i64>,
    /// Direct replies, oldest first, the author's own first, each followed by what was answered
    /// to it.
    pub(super) replies: Vec<i64>,
    slots: Vec<Slot>,
}

impl Remembered for Conversation {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let ids = self.ancestors.capacity() + self.replies.capacity();
        size_of::<Self>() + ids * size_of::<i64>() + self.slots.capacity() * size_of::<Slot>()
    }
}

impl Conversation {
    /// The conversation around a post by an author that replies to `parent`.
    pub(super) async fn around(
        app: &PostsState,
        db: &Reader<'_>,
        (post, author, parent): (i64, i64, Option<i64>),
    ) -> Result<Arc<Self>> {
        if let Some(around) = app.conversations.get(&post) {
            return Ok(around);
        }
        let ((ancestors, root, above), (replies, below)) =
            try_join!(ancestors(app, db, parent), replies(app, db, post, author))?;
        let mut slots = [above.slots, below.slots].concat();
        slots.shrink_to_fit();
        let around = Arc::new(Self {
            ancestors,
            root,
            replies,
            slots,
        });
        app.conversations
            .put(post, above.stamp.and(below.stamp), &around);
        Ok(around)
    }
}

/// What something that is read depends on, each noted before the database is asked about it.
#[derive(Debug, Clone)]
struct Noted {
    slots: Vec<Slot>,
    stamp: Stamp,
}

impl Noted {
    fn nothing(app: &PostsState) -> Self {
        Self {
            slots: Vec::new(),
            stamp: app.memory.stamp(&[]),
        }
    }

    fn note(&mut self, app: &PostsState, topic: Topic, post: i64) {
        let slot = Slot::of(topic, post);
        self.stamp = self.stamp.and(app.memory.stamp(&[slot]));
        self.slots.push(slot);
    }
}

/// What leads to a reply, the oldest first, and what the conversation began with, when that is further above.
async fn ancestors(
    app: &PostsState,
    db: &Reader<'_>,
    parent: Option<i64>,
) -> Result<(Vec<i64>, Option<i64>, Noted)> {
    let mut noted = Noted::nothing(app);
    let mut ids = Vec::new();
    let (mut next, mut root) = (parent, None);
    while let Some(id) = next.filter(|_| ids.len() < NEAREST) {
        ids.push(id);
        noted.note(app, Topic::Post, id);
        let read = |row: &Row<'_>| Ok((row.opt_int(0)?, row.opt_int(1)?));
        let found = db.opt(&PARENT, params![id], read).await?;
        (next, root) = found.unwrap_or_default();
    }
    ids.reverse();
    ids.shrink_to_fit();
    Ok((ids, root.filter(|_| next.is_some()), noted))
}

/// The direct replies that are shown, with their authors, oldest first; and who is suspended.
async fn direct(
    app: &PostsState,
    db: &Reader<'_>,
    post: i64,
) -> Result<(Vec<(i64, i64)>, HiddenMembers)> {
    let read = |after: i64, step: usize| async move {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        db.all(&REPLIES, params![post, after, step], read).await
    };
    let mut step = MOST;
    let (mut rows, unseen) = try_join!(
        read(0, step),
        HiddenMembers::load_cached_suspended(&app.relationships.visibility, db)
    )?;
    let (mut found, mut passed) = (Fair::default(), 0);
    loop {
        let last = rows.last().filter(|_| rows.len() >= step);
        let after = last.map(|(id, _)| *id);
        passed += rows.len();
        found.take(rows, &unseen);
        let Some(after) = after.filter(|_| found.shown.len() < MOST && passed < FARTHEST) else {
            return Ok((found.rows(), unseen));
        };
        step = STEP;
        // A long list takes some steps, none of which waits for anything.
        tokio::task::yield_now().await;
        rows = read(after, step).await?;
    }
}

/// Replies of which one author has few, unless there are too few others; last those that nobody sees.
#[derive(Debug, Default)]
struct Fair {
    shown: Vec<(i64, i64)>,
    left_out: Vec<(i64, i64)>,
    /// By authors who are suspended: gaps, where somebody answered them.
    gaps: Vec<(i64, i64)>,
    by: HashMap<i64, usize>,
}

impl Fair {
    fn take(&mut self, rows: Vec<(i64, i64)>, unseen: &HiddenMembers) {
        for row in rows {
            if unseen.hides_from_lists(row.1) {
                if self.gaps.len() < MOST {
                    self.gaps.push(row);
                }
                continue;
            }
            let by = self.by.entry(row.1).or_default();
            *by += 1;
            if *by <= MOST_OF_ONE {
                self.shown.push(row);
            } else if self.left_out.len() < MOST {
                self.left_out.push(row);
            }
        }
    }

    fn rows(mut self) -> Vec<(i64, i64)> {
        self.shown.truncate(MOST);
        for others in [self.left_out, self.gaps] {
            let room = MOST - self.shown.len();
            self.shown.extend(others.into_iter().take(room));
        }
        self.shown.sort_unstable();
        self.shown
    }
}

/// The replies to a post as they are shown, and what they depend on: those by the post's author first, each
/// followed by the replies to it.
async fn replies(
    app: &PostsState,
    db: &Reader<'_>,
    post: i64,
    author: i64,
) -> Result<(Vec<i64>, Noted)> {
    let mut noted = Noted::nothing(app);
    noted.note(app, Topic::Answered, post);
    noted.note(app, Topic::Suspended, 0);
    let (mut direct, unseen) = direct(app, db, post).await?;
    // A stable sort: each part stays oldest first.
    direct.sort_by_key(|(_, by)| *by != author);
    for (parent, _) in &direct {
        noted.note(app, Topic::Answered, *parent);
    }
    // In one round trip on PostgreSQL.
    let nested = direct.iter().map(|(parent, _)| async move {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        db.all(&NESTED, params![*parent], read).await
    });
    let mut nested = try_join_all(nested).await?;
    for replies in &mut nested {
        // Nothing is below these, so not even a gap is left of them.
        replies.retain(|(_, author)| !unseen.hides_from_lists(*author));
    }
    // Nested replies take the room that the direct ones leave, as many of each.
    let counts = nested.iter().map(Vec::len).collect::<Vec<_>>();
    let most = share(&counts, 2 * MOST - direct.len());
    let mut ids = Vec::new();
    for ((parent, _), replies) in direct.into_iter().zip(nested) {
        ids.push(parent);
        ids.extend(replies.into_iter().take(most).map(|(id, _)| id));
    }
    ids.shrink_to_fit();
    Ok((ids, noted))
}

/// How many each of some lists may show at most, so that together they show no more than there is room for.
fn share(counts: &[usize], room: usize) -> usize {
    let longest = counts.iter().copied().max().unwrap_or(0);
    let shown = |most: usize| counts.iter().map(|&count| count.min(most)).sum::<usize>();
    (0..=longest)
        .rev()
        .find(|&most| shown(most) <= room)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::cache::unwatched;

    #[test]
    fn room_is_shared_among_those_who_need_it() {
        for (counts, room, most) in [
            (&[][..], 10, 0),
            (&[3, 2], 10, 3),
            (&[50, 50, 50, 50, 1], 200, 49),
            (&[50, 1, 1], 12, 10),
            (&[1; 20], 10, 0),
        ] {
            assert_eq!(share(counts, room), most, "{counts:?}");
        }
    }

    /// What memory keeps of these rows changes only with somebody being told.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_remembered_is_watched() {
        for (text, topic, table) in [
            (PARENT.postgres, Topic::Post, "posts"),
            (REPLIES.postgres, Topic::Answered, "replies"),
            (NESTED.postgres, Topic::Answered, "replies"),
        ] {
            assert_eq!(
                unwatched(crate::features::posts::WATCHES, text, topic, table),
                [""; 0],
                "{text}"
            );
        }
    }
}
