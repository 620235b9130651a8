//! The order of For You: a block of the index that is the same for everybody, arranged
//! for its reader.

use crate::app::App;
use crate::clock::{HOUR, Millis};
use crate::error::Result;
use crate::extract::{DEEPEST, too_deep};
use crate::follows::{self, Circle};
use crate::ids::Id;
use crate::memory::{Remembered, Slot, Topic};
use crate::posts::front::Front;
use crate::posts::place::Place;
use crate::posts::ranking;
use crate::safety::Unseen;
use kith_db::{Reader, Sql, params, sql};
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Weak};

/// Posts that are ordered together.
pub(super) const BLOCK: usize = 200;
/// Rows of the index that one step passes over.
const STRIDE: usize = 20 * BLOCK;
/// What it is worth that I follow the author.
const FOLLOWED: Millis = 6 * HOUR;
/// What it is worth that the author follows me, or is followed by somebody I follow.
const NEAR: Millis = 3 * HOUR;
/// Posts in a row by one author.
const RUN: usize = 2;
/// People that make a post popular.
const POPULAR: i64 = 3;

const RANKED: Sql = sql!(
    "select rank, id, author_id from posts where rank is not null and (rank, id) < ($1, $2)
     order by rank desc, id desc limit $3 offset $4"
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

/// The place after so many more posts that this reader sees. Refused when it is far down and posts are
/// there.
pub(super) async fn further(
    db: &Reader<'_>,
    unseen: &Unseen,
    mut place: Place,
    offset: usize,
) -> Result<Place> {
    if unseen.is_empty() {
        if offset > DEEPEST && !block(db, &place.skip(DEEPEST)).await?.is_empty() {
            return Err(too_deep());
        }
        return Ok(place.skip(offset));
    }
    place.position += offset;
    let mut passed = 0;
    loop {
        let rows = range(db, &place, STRIDE, 0).await?;
        passed += rows.len();
        let mut rest = rows.as_slice();
        loop {
            let (hidden, behind) = rest.split_at(hidden_before(rest, unseen));
            if let Some(last) = hidden.last() {
                place = place.behind(last, 0);
            }
            let Some((block, behind)) = behind.split_at_checked(BLOCK) else {
                break;
            };
            let seen = block.iter().filter(|ranked| !unseen.hides(ranked.author));
            let seen = seen.count();
            if place.position < seen {
                return Ok(place);
            }
            place = place.behind(&block[BLOCK - 1], seen);
            rest = behind;
        }
        if rows.len() < STRIDE {
            return Ok(place);
        }
        if passed > DEEPEST {
            return Err(too_deep());
        }
        // A deep page takes many steps, none of which waits for anything.
        tokio::task::yield_now().await;
    }
}

pub(super) async fn block(db: &Reader<'_>, place: &Place) -> kith_db::Result<Vec<Ranked>> {
    let mut place = *place;
    // Far down, in strides: between them others get their turn.
    while place.skip > STRIDE {
        let Some(last) = range(db, &place, 1, STRIDE - 1).await?.pop() else {
            return Ok(Vec::new());
        };
        let skip = place.skip - STRIDE;
        place = Place {
            skip,
            ..Place::after(&last)
        };
        tokio::task::yield_now().await;
    }
    range(db, &place, BLOCK, place.skip).await
}

async fn range(
    db: &Reader<'_>,
    place: &Place,
    count: usize,
    skip: usize,
) -> kith_db::Result<Vec<Ranked>> {
    let bound = params![place.rank, place.id, count, skip];
    db.all(&RANKED, bound, |row| {
        let (rank, id) = (row.int(0)?, Id(row.int(1)?));
        Ok(Ranked {
            rank,
            id,
            author: row.int(2)?,
            is_popular: rank >= ranking::rank(id, POPULAR),
        })
    })
    .await
}

/// The authors of what is most popular now, best first, with doubles.
pub async fn popular_authors(db: &Reader<'_>) -> kith_db::Result<Vec<i64>> {
    let block = block(db, &Place::top()).await?;
    let popular = block.iter().filter(|ranked| ranked.is_popular);
    Ok(popular.map(|ranked| ranked.author).collect())
}

/// A block in its reader's order.
#[derive(Debug)]
pub struct Arranged {
    /// Without those whom the reader does not see.
    pub(super) posts: Vec<Ranked>,
    /// Those of the block's authors who follow the reader and whom the reader does not follow.
    pub(super) fans: HashSet<i64>,
    /// The first post of the block before it was arranged, if the reader sees any of it, and the last one
    /// that they see; or else the last one, which no cursor may name.
    pub(super) ends: Option<(Option<Ranked>, Ranked)>,
    /// Whether the network may go on behind it.
    pub(super) is_full: bool,
    /// Who was near the reader then; weak, so that circles stay bounded by their own shelf.
    circle: Weak<Circle>,
    slots: [Slot; 4],
}

impl Remembered for Arranged {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let posts = self.posts.capacity() * size_of::<Ranked>();
        // A circle that is gone leaves its place behind until nobody refers to it.
        size_of::<Self>() + posts + self.fans.capacity() * 10 + size_of::<Circle>()
    }
}

/// The block at a place in its reader's order; the first of all from memory while nothing changed.
pub(super) async fn arranged(
    (app, db): (&App, &Reader<'_>),
    reader: Id,
    circle: &Arc<Circle>,
    unseen: &Unseen,
    place: &Place,
    front: Option<Front>,
) -> kith_db::Result<Arc<Arranged>> {
    if !place.is_top() || !app.memory.is_on() {
        let arranged = arrange(db, reader, circle, unseen, place, front).await?;
        return Ok(Arc::new(arranged));
    }
    let arranged = app.arranged.get(&reader.0);
    let is_same = |arranged: &Arc<Arranged>| arranged.circle.as_ptr() == Arc::as_ptr(circle);
    if let Some(arranged) = arranged.filter(is_same) {
        return Ok(arranged);
    }
    let asked = front.as_ref().map(|front| front.stamp);
    let stamp = asked.unwrap_or_else(|| app.memory.stamp(&slots(reader)));
    // Whom the reader does not see may have been looked up before the stamp was taken.
    let unseen = Unseen::remembered(app, db, reader).await?;
    let arranged = Arc::new(arrange(db, reader, circle, &unseen, place, front).await?);
    app.arranged.put(reader.0, stamp, &arranged);
    Ok(arranged)
}

pub(super) const fn slots(reader: Id) -> [Slot; 4] {
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
    circle: &Arc<Circle>,
    unseen: &Unseen,
    place: &Place,
    front: Option<Front>,
) -> kith_db::Result<Arranged> {
    let (mut block, mut fans) = Front::or_block(front, db, place).await?;
    let is_full = block.len() == BLOCK;
    let last = block.last().copied();
    let hidden = hidden_before(&block, unseen);
    // A block begins at a post that the reader sees, since cursors name it by that: it is as long as
    // whoever goes on from there finds it.
    if let Some(last) = last.filter(|_| is_full && (1..BLOCK).contains(&hidden)) {
        block.extend(range(db, &Place::after(&last), hidden, 0).await?);
        fans = None;
    }
    let is_full = is_full && (hidden == BLOCK || block.len() == BLOCK + hidden);
    block.retain(|ranked| !unseen.hides(ranked.author));
    let first = block.first().copied();
    let ends = block.last().copied().or(last).map(|last| (first, last));
    let strangers = block.iter().map(|ranked| ranked.author);
    let strangers = strangers.filter(|author| !circle.follows(*author));
    let mut strangers = strangers.collect::<Vec<_>>();
    strangers.sort_unstable();
    strangers.dedup();
    let mut fans = match fans {
        Some(fans) => fans,
        None => follows::followers_among(db, reader, &strangers).await?,
    };
    fans.retain(|fan| strangers.binary_search(fan).is_ok());
    for ranked in &mut block {
        ranked.rank += if circle.follows(ranked.author) {
            FOLLOWED
        } else if circle.near(ranked.author).is_some() || fans.contains(&ranked.author) {
            NEAR
        } else {
            0
        };
    }
    block.sort_unstable_by_key(|ranked| std::cmp::Reverse((ranked.rank, ranked.id)));
    Ok(Arranged {
        posts: mix(block),
        fans,
        ends,
        is_full,
        circle: Arc::downgrade(circle),
        slots: slots(reader),
    })
}

/// How many rows come before the first one that the reader sees.
fn hidden_before(rows: &[Ranked], unseen: &Unseen) -> usize {
    let hidden = rows.iter().take_while(|row| unseen.hides(row.author));
    hidden.count()
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
        let unwatched = crate::memory::unwatched(text, Topic::Ranked, "posts");
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
