//! Queries for the For You feed: the personalised block of the highest ranked posts, and the posts after it.

use crate::features::posts::PostsState;
use crate::features::posts::cached::{PersonalizedBlock, RankedPost};
use crate::features::posts::score;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows::{self, Neighborhood};
use crate::http::error::Result;
use crate::http::extract::Page;
use crate::http::pagination;
use crate::platform::cache::{CacheTag, VersionSlot};
use crate::platform::clock::{HOUR, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, params, sql};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

/// Posts of the personalised block.
pub(super) const BLOCK: usize = 200;
/// Rank bonus for an author that the viewer follows.
const FOLLOWED_BONUS: Millis = 6 * HOUR;
/// Rank bonus for an author who follows the viewer, or is followed by a member the viewer follows.
const NEAR_BONUS: Millis = 3 * HOUR;
/// Maximum consecutive posts by one author.
const MAX_RUN: usize = 2;
/// Participants that make a post popular.
const POPULAR_PARTICIPANTS: i64 = 3;

const RANKED: Sql = sql!(
    "select rank, id, author_id from posts where rank is not null order by rank desc, id desc limit $1"
);
/// Root posts below two ids: the end of the feed and the cursor. Does not filter by `rank`, whose index is not
/// ordered by id.
const ROOTS: Sql = sql!(
    "select rank, id, author_id from posts where id < $1 and id < $2
       and reply_to_id is null and repost_of_id is null and deleted_at is null
     order by id desc limit $3"
);

/// Loads the highest ranked posts, best first.
async fn load_ranked(db: &Reader<'_>) -> kith_db::Result<Vec<RankedPost>> {
    db.all(&RANKED, params![BLOCK], read_ranked).await
}

fn read_ranked(row: &Row<'_>) -> kith_db::Result<RankedPost> {
    let (rank, id) = (row.int(0)?, Id(row.int(1)?));
    Ok(RankedPost {
        id,
        rank,
        author: row.int(2)?,
        is_popular: rank >= score::compute_rank(id, POPULAR_PARTICIPANTS),
    })
}

/// Loads a page of root posts with ids below `end` that are not in the block, newest first, and the next cursor.
pub(super) async fn load_recent(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    block: &HashSet<Id>,
    end: i64,
    page: Page,
) -> Result<(Vec<RankedPost>, Option<i64>)> {
    let read = |row: &Row<'_>| read_ranked(row).map(|ranked| (ranked.id.0, ranked));
    let keep = |ranked: &RankedPost| {
        !hidden.hides_from_lists(ranked.author) && !block.contains(&ranked.id)
    };
    pagination::load_filtered(db, &ROOTS, end.into(), page, read, keep).await
}

/// Loads the authors of the most popular posts, best first, with duplicates.
pub async fn load_popular_authors(db: &Reader<'_>) -> kith_db::Result<Vec<i64>> {
    let ranked = load_ranked(db).await?;
    let popular = ranked.iter().filter(|ranked| ranked.is_popular);
    Ok(popular.map(|ranked| ranked.author).collect())
}

/// Loads the personalised block of a viewer, from the cache where possible.
pub(super) async fn load_block(
    (state, db): (&PostsState, &Reader<'_>),
    viewer: Id,
    neighborhood: &Arc<Neighborhood>,
    hidden: &HiddenMembers,
) -> kith_db::Result<Arc<PersonalizedBlock>> {
    if !state.versions.is_current() {
        let block = personalize(db, viewer, neighborhood, hidden).await?;
        return Ok(Arc::new(block));
    }
    let block = state.for_you_blocks.get(&viewer.0);
    let is_fresh =
        |block: &Arc<PersonalizedBlock>| block.neighborhood.as_ptr() == Arc::as_ptr(neighborhood);
    if let Some(block) = block.filter(is_fresh) {
        return Ok(block);
    }
    let version = state.versions.current_version(&cache_slots(viewer));
    // Load hidden members again: the passed set may be older than `version`.
    let hidden = HiddenMembers::load_cached(&state.relationships.visibility, db, viewer).await?;
    let block = Arc::new(personalize(db, viewer, neighborhood, &hidden).await?);
    state.for_you_blocks.put(viewer.0, version, &block);
    Ok(block)
}

const fn cache_slots(viewer: Id) -> [VersionSlot; 4] {
    [
        VersionSlot::new(CacheTag::Ranking, 0),
        VersionSlot::new(CacheTag::Followers, viewer.0),
        VersionSlot::new(CacheTag::BlocksAndMutes, viewer.0),
        VersionSlot::new(CacheTag::Suspended, 0),
    ]
}

async fn personalize(
    db: &Reader<'_>,
    viewer: Id,
    neighborhood: &Arc<Neighborhood>,
    hidden: &HiddenMembers,
) -> kith_db::Result<PersonalizedBlock> {
    let mut block = load_ranked(db).await?;
    let is_full = block.len() == BLOCK;
    block.retain(|ranked| !hidden.hides_from_lists(ranked.author));
    let authors = block.iter().map(|ranked| ranked.author);
    let fans = find_fans(db, viewer, neighborhood, authors).await?;
    for ranked in &mut block {
        ranked.rank += if neighborhood.follows(ranked.author) {
            FOLLOWED_BONUS
        } else if neighborhood.second_degree(ranked.author).is_some()
            || fans.contains(&ranked.author)
        {
            NEAR_BONUS
        } else {
            0
        };
    }
    block.sort_unstable_by_key(|ranked| std::cmp::Reverse((ranked.rank, ranked.id)));
    Ok(PersonalizedBlock {
        posts: diversify(block),
        fans,
        is_full,
        neighborhood: Arc::downgrade(neighborhood),
        slots: cache_slots(viewer),
    })
}

/// Returns the authors who follow the viewer without being followed back.
pub(super) async fn find_fans(
    db: &Reader<'_>,
    viewer: Id,
    neighborhood: &Neighborhood,
    authors: impl Iterator<Item = i64>,
) -> kith_db::Result<HashSet<i64>> {
    let strangers = authors.filter(|author| !neighborhood.follows(*author));
    let strangers = strangers.collect::<HashSet<_>>();
    let strangers = strangers.into_iter().collect::<Vec<_>>();
    follows::filter_followers(db, viewer, &strangers).await
}

/// Keeps the order, but moves the next post of another author forward where one author would appear more
/// than [`MAX_RUN`] times in a row.
fn diversify(sorted: Vec<RankedPost>) -> Vec<RankedPost> {
    let mut remaining = VecDeque::from(sorted);
    let mut diversified: Vec<RankedPost> = Vec::with_capacity(remaining.len());
    while let Some(first) = remaining.front() {
        let is_run = diversified.len() >= MAX_RUN
            && diversified[diversified.len() - MAX_RUN..]
                .iter()
                .all(|shown| shown.author == first.author);
        let next = if is_run {
            remaining.iter().position(|other| other.author != first.author).unwrap_or(0)
        } else {
            0
        };
        diversified.extend(remaining.remove(next));
    }
    diversified
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_of(authors: &[i64]) -> Vec<RankedPost> {
        let ids = (0..).map(Id);
        let ranked = authors.iter().zip(ids);
        ranked.map(|(&author, id)| RankedPost { rank: 0, id, author, is_popular: false }).collect()
    }

    /// Every cached column is watched, so that its changes invalidate the cache.
    /// proves: memory-equal
    #[test]
    fn every_cached_column_is_watched() {
        let text = RANKED.postgres;
        let unwatched = crate::features::watched_columns::unwatched_columns(
            crate::features::posts::WATCHES,
            text,
            CacheTag::Ranking,
            "posts",
        );
        assert_eq!(unwatched, [""; 0], "{text}");
    }

    /// proves: foryou-two-in-a-row
    #[test]
    fn no_author_appears_three_times_in_a_row_while_another_is_left() {
        let diversified = |authors: &[i64]| {
            let diversified = diversify(block_of(authors));
            diversified.iter().map(|ranked| ranked.author).collect::<Vec<_>>()
        };
        assert_eq!(diversified(&[1, 1, 1, 1, 2, 3]), [1, 1, 2, 1, 1, 3]);
        assert_eq!(diversified(&[1, 2, 2, 2, 2]), [1, 2, 2, 2, 2]);
        assert_eq!(diversified(&[1, 1, 2, 1, 1, 1]), [1, 1, 2, 1, 1, 1]);
        assert_eq!(diversified(&[]), Vec::<i64>::new());
    }
}
