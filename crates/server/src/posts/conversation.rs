//! Which posts stand around a post in its thread: ids only, remembered while nobody answers.

use crate::app::App;
use crate::memory::{Remembered, Slot, Stamp, Topic};
use kith_db::{Reader, Result, Sql, SqlIn, params, sql, sql_in};
use std::collections::HashMap;
use std::sync::Arc;

/// Direct replies that a thread shows at most; as many again may answer them.
const MOST: usize = 200;

/// Posts above a reply that are shown.
const NEAREST: usize = 20;

const PARENT: Sql = sql!("select reply_to_id from posts where id = $1");
const REPLIES: Sql =
    sql!("select id, author_id from replies where post_id = $1 order by id limit 200");
/// Of each reply the oldest 50, so that a flood below one does not hide the answers to others.
static NESTED: SqlIn = sql_in!(
    "select post_id, id from
       (select post_id, id, row_number() over (partition by post_id order by id) as place
        from replies where post_id in ($ids)) as placed
     where place <= 50 order by id"
);

/// What leads to a post, and what was answered to it.
#[derive(Debug)]
pub struct Conversation {
    /// The nearest posts above, the oldest first.
    pub(super) ancestors: Vec<i64>,
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
    /// Around a post by an author that answers `parent`.
    pub(super) async fn around(
        app: &App,
        db: &Reader<'_>,
        post: i64,
        author: i64,
        parent: Option<i64>,
    ) -> Result<Arc<Self>> {
        if let Some(around) = app.conversations.get(&post) {
            return Ok(around);
        }
        let mut noted = Noted::new(app);
        let mut around = Self {
            ancestors: ancestors(db, parent, &mut noted).await?,
            replies: replies(db, post, author, &mut noted).await?,
            slots: noted.slots,
        };
        around.ancestors.shrink_to_fit();
        around.replies.shrink_to_fit();
        around.slots.shrink_to_fit();
        let around = Arc::new(around);
        app.conversations.put(post, noted.stamp, &around);
        Ok(around)
    }
}

/// What a conversation depends on, each noted before the database is asked about it.
struct Noted<'a> {
    app: &'a App,
    slots: Vec<Slot>,
    stamp: Stamp,
}

impl<'a> Noted<'a> {
    fn new(app: &'a App) -> Self {
        Self {
            app,
            slots: Vec::new(),
            stamp: app.memory.stamp(&[]),
        }
    }

    fn note(&mut self, topic: Topic, post: i64) {
        let slot = Slot::of(topic, post);
        self.stamp = self.stamp.and(self.app.memory.stamp(&[slot]));
        self.slots.push(slot);
    }
}

/// What leads to a reply, the oldest first.
async fn ancestors(
    db: &Reader<'_>,
    parent: Option<i64>,
    noted: &mut Noted<'_>,
) -> Result<Vec<i64>> {
    let mut ids = Vec::new();
    let mut next = parent;
    while let Some(id) = next.filter(|_| ids.len() < NEAREST) {
        ids.push(id);
        noted.note(Topic::Post, id);
        next = db
            .opt(&PARENT, params![id], |row| row.opt_int(0))
            .await?
            .flatten();
    }
    ids.reverse();
    Ok(ids)
}

async fn replies(
    db: &Reader<'_>,
    post: i64,
    author: i64,
    noted: &mut Noted<'_>,
) -> Result<Vec<i64>> {
    noted.note(Topic::Answered, post);
    let mut direct = db
        .all(&REPLIES, params![post], |row| {
            Ok((row.int(0)?, row.int(1)?))
        })
        .await?;
    // A stable sort: each part stays oldest first.
    direct.sort_by_key(|(_, by)| *by != author);
    let parents = direct.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    for parent in &parents {
        noted.note(Topic::Answered, *parent);
    }
    let mut nested: HashMap<i64, Vec<i64>> = HashMap::new();
    for (parent, id) in db
        .all_in(&NESTED, &[], &parents, |row| Ok((row.int(0)?, row.int(1)?)))
        .await?
    {
        nested.entry(parent).or_default().push(id);
    }
    // Answers to answers take what room the direct ones leave.
    let mut room = 2 * MOST - parents.len();
    let mut ids = Vec::new();
    for parent in parents {
        ids.push(parent);
        let mut answers = nested.remove(&parent).unwrap_or_default();
        answers.truncate(room);
        room -= answers.len();
        ids.extend(answers);
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::unwatched;

    /// What memory keeps of these rows changes only with somebody being told.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_remembered_is_watched() {
        let nested = NESTED.all_sizes().next().unwrap().postgres;
        // Names that the statement gives itself, and the words around them.
        let own = ["row_number", "over", "partition", "place", "placed"];
        for (text, topic, table) in [
            (PARENT.postgres, Topic::Post, "posts"),
            (REPLIES.postgres, Topic::Answered, "replies"),
            (nested, Topic::Answered, "replies"),
        ] {
            let mut left = unwatched(text, topic, table);
            left.retain(|word| !own.contains(&word.as_str()));
            assert_eq!(left, [""; 0], "{text}");
        }
    }
}
