//! The posts of For You: the best ones of the index that is the same for everybody, arranged
//! for their reader, and the posts that follow them.

use crate::features::posts::PostsState;
use crate::features::posts::score;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows::{self, Neighborhood};
use crate::http::error::Result;
use crate::http::extract::Page;
use crate::http::pagination;
use crate::platform::cache::{Remembered, Slot, Topic};
use crate::platform::clock::{HOUR, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, params, sql};
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Weak};

/// Posts that are ordered together.
pub(super) const BLOCK: usize = 200;
/// What it is worth that I follow the author.
const FOLLOWED: Millis = 6 * HOUR;
/// What it is worth that the author follows me, or is followed by somebody I follow.
const NEAR: Millis = 3 * HOUR;
/// Posts in a row by one author.
const RUN: usize = 2;
/// People that make a post popular.
const POPULAR: i64 = 3;

const RANKED: Sql = sql!(
    "select rank, id, author_id from posts where rank is not null order by rank desc, id desc limit $1"
);
/// Posts that start a conversation, made before a moment. Not told by `rank`: its index has no order by id.
const ROOTS: Sql = sql!(
    "select rank, id, author_id from posts where id < $1 and id < $2
       and reply_to_id is null and repost_of_id is null and deleted_at is null
     order by id desc limit $3"
);

/// A post in the order that is the same for everybody.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) rank: Millis,
    pub(super) id: Id,
    pub(super) author: i64,
    /// Whether three people or more took part.
    pub(super) is_popular: bool,
}

/// The posts that are best for everybody, best first.
async fn best(db: &Reader<'_>) -> kith_db::Result<Vec<Ranked>> {
    db.all(&RANKED, params![BLOCK], ranked).await
}

fn ranked(row: &Row<'_>) -> kith_db::Result<Ranked> {
    let (rank, id) = (row.int(0)?, Id(row.int(1)?));
    Ok(Ranked {
        id,
        rank,
        author: row.int(2)?,
        is_popular: rank >= score::rank(id, POPULAR),
    })
}

/// Posts older than `before` without the best ones, newest first, and where the next page begins.
pub(super) async fn rest(
    db: &Reader<'_>,
    unseen: &HiddenMembers,
    best: &HashSet<Id>,
    before: i64,
    page: Page,
) -> Result<(Vec<Ranked>, Option<i64>)> {
    let read = |row: &Row<'_>| ranked(row).map(|ranked| (ranked.id.0, ranked));
    let keep =
        |ranked: &Ranked| !unseen.hides_from_lists(ranked.author) && !best.contains(&ranked.id);
    pagination::sifted(db, &ROOTS, before.into(), page, read, keep).await
}

/// The authors of what is most popular now, best first, with doubles.
pub async fn popular_authors(db: &Reader<'_>) -> kith_db::Result<Vec<i64>> {
    let best = best(db).await?;
    let popular = best.iter().filter(|ranked| ranked.is_popular);
    Ok(popular.map(|ranked| ranked.author).collect())
}

/// The best posts in their reader's order.
#[derive(Debug)]
pub struct Arranged {
    /// Without those whom the reader does not see.
    pub(super) posts: Vec<Ranked>,
    /// Those of the block's authors who follow the reader and whom the reader does not follow.
    pub(super) fans: HashSet<i64>,
    /// Whether the network has more posts.
    pub(super) is_full: bool,
    /// Who was near the reader then; weak, so that circles stay bounded by their own shelf.
    circle: Weak<Neighborhood>,
    slots: [Slot; 4],
}

impl Remembered for Arranged {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let posts = self.posts.capacity() * size_of::<Ranked>();
        // A circle that is gone leaves its place behind until nobody refers to it.
        size_of::<Self>() + posts + self.fans.capacity() * 10 + size_of::<Neighborhood>()
    }
}

/// The best posts in their reader's order: from memory while nothing changed.
pub(super) async fn arranged(
    (app, db): (&PostsState, &Reader<'_>),
    reader: Id,
    circle: &Arc<Neighborhood>,
    unseen: &HiddenMembers,
) -> kith_db::Result<Arc<Arranged>> {
    if !app.memory.is_on() {
        let arranged = arrange(db, reader, circle, unseen).await?;
        return Ok(Arc::new(arranged));
    }
    let arranged = app.arranged.get(&reader.0);
    let is_same = |arranged: &Arc<Arranged>| arranged.circle.as_ptr() == Arc::as_ptr(circle);
    if let Some(arranged) = arranged.filter(is_same) {
        return Ok(arranged);
    }
    let stamp = app.memory.stamp(&slots(reader));
    // Whom the reader does not see may have been looked up before the stamp was taken.
    let unseen = HiddenMembers::load_cached(&app.relationships.visibility, db, reader).await?;
    let arranged = Arc::new(arrange(db, reader, circle, &unseen).await?);
    app.arranged.put(reader.0, stamp, &arranged);
    Ok(arranged)
}

const fn slots(reader: Id) -> [Slot; 4] {
    [
        Slot::of(Topic::Ranked, 0),
        Slot::of(Topic::Followers, reader.0),
        Slot::of(Topic::Ties, reader.0),
        Slot::of(Topic::Suspended, 0),
    ]
}

async fn arrange(
    db: &Reader<'_>,
    reader: Id,
    circle: &Arc<Neighborhood>,
    unseen: &HiddenMembers,
) -> kith_db::Result<Arranged> {
    let mut block = best(db).await?;
    let is_full = block.len() == BLOCK;
    block.retain(|ranked| !unseen.hides_from_lists(ranked.author));
    let authors = block.iter().map(|ranked| ranked.author);
    let fans = fans_among(db, reader, circle, authors).await?;
    for ranked in &mut block {
        ranked.rank += if circle.follows(ranked.author) {
            FOLLOWED
        } else if circle.second_degree(ranked.author).is_some() || fans.contains(&ranked.author) {
            NEAR
        } else {
            0
        };
    }
    block.sort_unstable_by_key(|ranked| std::cmp::Reverse((ranked.rank, ranked.id)));
    Ok(Arranged {
        posts: mix(block),
        fans,
        is_full,
        circle: Arc::downgrade(circle),
        slots: slots(reader),
    })
}

/// Those of some authors who follow the reader and whom the reader does not follow.
pub(super) async fn fans_among(
    db: &Reader<'_>,
    reader: Id,
    circle: &Neighborhood,
    authors: impl Iterator<Item = i64>,
) -> kith_db::Result<HashSet<i64>> {
    let strangers = authors.filter(|author| !circle.follows(*author));
    let strangers = strangers.collect::<HashSet<_>>();
    let strangers = strangers.into_iter().collect::<Vec<_>>();
    follows::filter_followers(db, reader, &strangers).await
}

/// Keeps the order, but lets the next other author go first where one would be shown a
/// third time in a row.
fn mix(sorted: Vec<Ranked>) -> Vec<Ranked> {
    let mut waiting = VecDeque::from(sorted);
    let mut mixed: Vec<Ranked> = Vec::with_capacity(waiting.len());
    while let Some(first) = waiting.front() {
        let tired = mixed.len() >= RUN
            && mixed[mixed.len() - RUN..]
                .iter()
                .all(|shown| shown.author == first.author);
        let next = if tired {
            waiting
                .iter()
                .position(|other| other.author != first.author)
                .unwrap_or(0)
        } else {
            0
        };
        mixed.extend(waiting.remove(next));
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_of(authors: &[i64]) -> Vec<Ranked> {
        let ids = (0..).map(Id);
        let ranked = authors.iter().zip(ids);
        ranked
            .map(|(&author, id)| Ranked {
                rank: 0,
                id,
                author,
                is_popular: false,
            })
            .collect()
    }

    /// What memory keeps of the order changes only with somebody being told.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_remembered_is_watched() {
        let text = RANKED.postgres;
        let unwatched = crate::platform::cache::unwatched(
            crate::features::posts::WATCHES,
            text,
            Topic::Ranked,
            "posts",
        );
        assert_eq!(unwatched, [""; 0], "{text}");
    }

    /// proves: foryou-two-in-a-row
    #[test]
    fn nobody_is_shown_three_times_in_a_row_while_there_is_somebody_else() {
        let mixed = |authors: &[i64]| {
            let mixed = mix(block_of(authors));
            mixed.iter().map(|ranked| ranked.author).collect::<Vec<_>>()
        };
        assert_eq!(mixed(&[1, 1, 1, 1, 2, 3]), [1, 1, 2, 1, 1, 3]);
        assert_eq!(mixed(&[1, 2, 2, 2, 2]), [1, 2, 2, 2, 2]);
        assert_eq!(mixed(&[1, 1, 2, 1, 1, 1]), [1, 1, 2, 1, 1, 1]);
        assert_eq!(mixed(&[]), Vec::<i64>::new());
    }
}
