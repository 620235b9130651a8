//! What readers did to the posts they see: likes, reposts, votes.

use crate::features::posts::PostsState;
use crate::platform::cache::{Remembered, Slot, Topic};
use crate::platform::ids::Id;
use foldhash::HashMap;
use kith_db::{Reader, Result, SqlIn, Tx, params, sql_in};
use parking_lot::Mutex;
use std::sync::Arc;

/// Posts that are remembered of one reader: some pages, or the longest thread.
const MOST: usize = 448;
/// What that many take in a table, which has room for 512 of 33 bytes then.
const BYTES: usize = 512 * 33;

static LIKED: SqlIn =
    sql_in!("select post_id from likes where member_id = $1 and post_id in ($ids)");
static REPOSTED: SqlIn =
    sql_in!("select post_id from reposts where member_id = $1 and post_id in ($ids)");
static VOTES: SqlIn =
    sql_in!("select post_id, choice from poll_votes where member_id = $1 and post_id in ($ids)");

/// Those of some posts that a member likes and reposted, and how they voted in those of `polls`.
pub(super) async fn read(
    db: &Reader<'_>,
    member: Id,
    posts: &[i64],
    polls: &[i64],
) -> Result<(Vec<i64>, Vec<i64>, Vec<(i64, i64)>)> {
    let me = params![member.0];
    futures_util::try_join!(
        db.all_in(&LIKED, me, posts, |row| row.int(0)),
        db.all_in(&REPOSTED, me, posts, |row| row.int(0)),
        db.all_in(&VOTES, me, polls, |row| Ok((row.int(0)?, row.int(1)?))),
    )
}

/// Whether a member reposted a post, inside a transaction.
pub(super) async fn is_reposted(tx: &Tx, member: Id, post: Id) -> Result<bool> {
    let me = params![member.0];
    let found = tx.all_in(&REPOSTED, me, &[post.0], |_| Ok(())).await?;
    Ok(!found.is_empty())
}

/// What one reader did to one post.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Deed {
    pub(super) is_liked: bool,
    pub(super) is_reposted: bool,
    /// The option voted for.
    pub(super) choice: Option<i64>,
}

/// What one reader did to the posts they saw lately. Any deed of theirs begins it anew.
#[derive(Debug)]
pub struct Deeds {
    known: Mutex<HashMap<i64, Deed>>,
    slots: [Slot; 1],
}

impl Remembered for Deeds {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // As full as it may become, though it begins empty.
        size_of::<Self>() + BYTES
    }
}

/// What a reader did to posts, of which some are polls.
pub(super) async fn of(
    app: &PostsState,
    db: &Reader<'_>,
    reader: Id,
    posts: &[i64],
    polls: &[i64],
) -> Result<HashMap<i64, Deed>> {
    let slots = [Slot::of(Topic::Deeds, reader.0)];
    let deeds = if let Some(deeds) = app.deeds.get(&reader.0) {
        deeds
    } else {
        let stamp = app.memory.stamp(&slots);
        let known = Mutex::default();
        let deeds = Arc::new(Deeds { known, slots });
        app.deeds.put(reader.0, stamp, &deeds);
        deeds
    };
    let mut found =
        HashMap::with_capacity_and_hasher(posts.len(), foldhash::fast::RandomState::default());
    let mut missing = Vec::new();
    {
        let known = deeds.known.lock();
        for post in posts {
            match known.get(post) {
                Some(deed) => drop(found.insert(*post, *deed)),
                None => missing.push(*post),
            }
        }
    }
    if missing.is_empty() {
        return Ok(found);
    }
    let polls = polls.iter().copied().filter(|poll| missing.contains(poll));
    let polls = polls.collect::<Vec<_>>();
    // Asked after it was seen that nothing has changed since these deeds were begun. If something
    // does now, nobody looks at them again.
    let (liked, reposted, votes) = read(db, reader, &missing, &polls).await?;
    let mut fresh = missing
        .iter()
        .map(|post| (*post, Deed::default()))
        .collect::<HashMap<_, _>>();
    for post in liked {
        fresh.entry(post).or_default().is_liked = true;
    }
    for post in reposted {
        fresh.entry(post).or_default().is_reposted = true;
    }
    for (post, choice) in votes {
        fresh.entry(post).or_default().choice = Some(choice);
    }
    let mut known = deeds.known.lock();
    if known.len() + fresh.len() > MOST {
        known.clear();
    }
    known.extend(&fresh);
    drop(known);
    found.extend(fresh);
    Ok(found)
}
