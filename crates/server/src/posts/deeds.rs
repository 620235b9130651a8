//! What readers did to the posts they see: likes, reposts, votes.

use crate::app::App;
use crate::ids::Id;
use crate::memory::{Remembered, Slot, Topic};
use crate::posts::hydrate;
use foldhash::HashMap;
use kith_db::{Reader, Result};
use parking_lot::Mutex;
use std::sync::Arc;

/// Posts that are remembered of one reader: some pages. 12 KB.
const MOST: usize = 400;

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
        size_of::<Self>() + MOST * 30
    }
}

/// What a reader did to posts, of which some are polls.
pub(super) async fn of(
    app: &App,
    db: &Reader<'_>,
    reader: Id,
    posts: &[i64],
    polls: &[i64],
) -> Result<HashMap<i64, Deed>> {
    let slots = [Slot::of(Topic::Deeds, reader.0)];
    let deeds = match app.deeds.get(&reader.0) {
        Some(deeds) => deeds,
        None => {
            let stamp = app.memory.stamp(&slots);
            let known = Mutex::default();
            let deeds = Arc::new(Deeds { known, slots });
            app.deeds.put(reader.0, stamp, &deeds);
            deeds
        }
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
    let (liked, reposted, votes) = hydrate::deeds(db, reader, &missing, &polls).await?;
    let mut read = missing
        .iter()
        .map(|post| (*post, Deed::default()))
        .collect::<HashMap<_, _>>();
    for post in liked {
        read.entry(post).or_default().is_liked = true;
    }
    for post in reposted {
        read.entry(post).or_default().is_reposted = true;
    }
    for (post, choice) in votes {
        read.entry(post).or_default().choice = Some(choice);
    }
    let mut known = deeds.known.lock();
    if known.len() + read.len() > MOST {
        known.clear();
    }
    known.extend(&read);
    drop(known);
    found.extend(read);
    Ok(found)
}
