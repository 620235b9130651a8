//! Cache of each viewer's likes, reposts and votes.

use crate::features::posts::PostsState;
use crate::features::posts::cached::{CachedInteractions, Interactions, MAX_INTERACTION_POSTS};
use crate::platform::cache::{CacheTag, VersionSlot};
use crate::platform::ids::Id;
use foldhash::HashMap;
use kith_db::{Reader, Result, SqlIn, Tx, params, sql_in};
use parking_lot::Mutex;
use std::sync::Arc;

static LIKED: SqlIn =
    sql_in!("select post_id from likes where member_id = $1 and post_id in ($ids)");
static REPOSTED: SqlIn =
    sql_in!("select post_id from reposts where member_id = $1 and post_id in ($ids)");
static VOTES: SqlIn =
    sql_in!("select post_id, choice from poll_votes where member_id = $1 and post_id in ($ids)");

/// Queries which of `posts` a member likes and reposted, and their votes in `polls` as (post, choice).
async fn query_interactions(
    db: &Reader<'_>,
    member: Id,
    posts: &[i64],
    polls: &[i64],
) -> Result<(Vec<i64>, Vec<i64>, Vec<(i64, i64)>)> {
    let bound = params![member.0];
    futures_util::try_join!(
        db.all_in(&LIKED, bound, posts, |row| row.int(0)),
        db.all_in(&REPOSTED, bound, posts, |row| row.int(0)),
        db.all_in(&VOTES, bound, polls, |row| Ok((row.int(0)?, row.int(1)?))),
    )
}

/// Returns whether a member reposted a post, in a transaction.
pub(super) async fn is_reposted(tx: &Tx, member: Id, post: Id) -> Result<bool> {
    let bound = params![member.0];
    let found = tx.all_in(&REPOSTED, bound, &[post.0], |_| Ok(())).await?;
    Ok(!found.is_empty())
}

/// Loads a viewer's interactions with posts, from the cache where possible. `polls` are the posts with polls.
pub(super) async fn load_interactions(
    state: &PostsState,
    db: &Reader<'_>,
    viewer: Id,
    posts: &[i64],
    polls: &[i64],
) -> Result<HashMap<i64, Interactions>> {
    let slots = [VersionSlot::new(CacheTag::Interactions, viewer.0)];
    let cached = if let Some(cached) = state.interactions.get(&viewer.0) {
        cached
    } else {
        let version = state.versions.current_version(&slots);
        let by_post = Mutex::default();
        let cached = Arc::new(CachedInteractions { by_post, slots });
        state.interactions.put(viewer.0, version, &cached);
        cached
    };
    let mut found =
        HashMap::with_capacity_and_hasher(posts.len(), foldhash::fast::RandomState::default());
    let mut missing = Vec::new();
    {
        let by_post = cached.by_post.lock();
        for post in posts {
            match by_post.get(post) {
                Some(interactions) => drop(found.insert(*post, *interactions)),
                None => missing.push(*post),
            }
        }
    }
    if missing.is_empty() {
        return Ok(found);
    }
    let polls = polls.iter().copied().filter(|poll| missing.contains(poll));
    let polls = polls.collect::<Vec<_>>();
    // Query after the cache entry was found valid. A change from now on invalidates the entry, so that a
    // stale row added below is never used.
    let (liked, reposted, votes) = query_interactions(db, viewer, &missing, &polls).await?;
    let mut read =
        missing.iter().map(|post| (*post, Interactions::default())).collect::<HashMap<_, _>>();
    for post in liked {
        read.entry(post).or_default().is_liked = true;
    }
    for post in reposted {
        read.entry(post).or_default().is_reposted = true;
    }
    for (post, choice) in votes {
        read.entry(post).or_default().choice = Some(choice);
    }
    let mut by_post = cached.by_post.lock();
    if by_post.len() + read.len() > MAX_INTERACTION_POSTS {
        by_post.clear();
    }
    by_post.extend(&read);
    drop(by_post);
    found.extend(read);
    Ok(found)
}
