//! What is remembered of a reader's Friends feed: whose posts it shows, and the newest of them.
//!
//! It is read from the database once and then follows what it is told of new and deleted posts
//! (`Memory::listed`), so a post costs nothing per follower when it is written, and a page costs
//! the reader only what came since their last one. Whom they follow or do not see begins it anew.

use crate::app::App;
use crate::extract::Page;
use crate::follows;
use crate::ids::Id;
use crate::memory::{Listed, Position, Remembered, Slot, Topic};
use crate::posts::skeleton::Entry;
use crate::posts::{known, skeleton};
use crate::safety::Unseen;
use foldhash::HashSet;
use kith_db::{Reader, Result};
use parking_lot::Mutex;
use std::sync::Arc;

/// Posts that are read to begin with: a few pages.
const FILL: usize = 64;
/// Posts that are kept before the oldest go.
const MOST: usize = 128;
/// Fewer posts are read anew.
const LEAST: usize = 48;

/// One reader's Friends feed.
#[derive(Debug)]
pub struct Friends {
    /// Whom the reader does not see.
    pub(super) unseen: Unseen,
    /// Whose posts are shown: the reader and whom they follow, but for those they do not see.
    pub(super) authors: HashSet<i64>,
    newest: Mutex<Option<Newest>>,
    slots: [Slot; 3],
}

/// The newest posts of a feed, also reposts of what may be gone.
#[derive(Debug)]
struct Newest {
    /// Newest first.
    rows: Vec<Entry>,
    /// Every post of the feed from this id on is here; 0 when every post is.
    floor: i64,
    /// What was told up to here is in it.
    position: Position,
}

impl Remembered for Friends {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.authors.capacity() * 10 + MOST * size_of::<Entry>()
    }
}

impl Friends {
    /// Whether a post is shown: a reply when it answers the reader, somebody they follow, or its
    /// own author, who is among the authors, and so is the reader.
    pub(super) fn shows(&self, entry: &Entry) -> bool {
        let author = entry.reply_to;
        author.is_none_or(|author| self.authors.contains(&author))
    }

    /// The newest posts below an id, as far as they are remembered, and whether there are no others.
    fn below(&self, app: &App, before: i64) -> Option<(Vec<Entry>, bool)> {
        let mut guard = self.newest.lock();
        let newest = guard.as_mut()?;
        let wanted = |author: i64| self.authors.contains(&author);
        let Some((heard, position)) = app.memory.listed(newest.position, wanted) else {
            *guard = None;
            return None;
        };
        for post in heard {
            newest.follow(&post, |entry| self.shows(entry));
        }
        newest.position = position;
        if newest.floor > 0 && newest.rows.len() < LEAST {
            *guard = None;
            return None;
        }
        let first = newest.rows.partition_point(|row| row.id >= before);
        Some((newest.rows[first..].to_vec(), newest.floor == 0))
    }
}

impl Newest {
    fn follow(&mut self, post: &Listed, shows: impl Fn(&Entry) -> bool) {
        let entry = Entry {
            id: post.id,
            author: post.author,
            reply_to: post.reply_to,
            repost_of: post.repost_of,
        };
        let place = self.rows.partition_point(|row| row.id > entry.id);
        let is_there = self.rows.get(place).is_some_and(|row| row.id == entry.id);
        if post.is_gone {
            if is_there {
                self.rows.remove(place);
            }
        } else if !is_there && entry.id >= self.floor && shows(&entry) {
            self.rows.insert(place, entry);
            if self.rows.len() > MOST {
                self.rows.truncate(FILL);
                self.floor = self.rows.last().map_or(0, |row| row.id);
            }
        }
    }
}

/// A reader's feed, without its posts until they are asked for.
pub(super) async fn friends(app: &App, db: &Reader<'_>, reader: Id) -> Result<Arc<Friends>> {
    if let Some(friends) = app.friends.get(&reader.0) {
        return Ok(friends);
    }
    let slots = [
        Slot::of(Topic::Follows, reader.0),
        Slot::of(Topic::Ties, reader.0),
        Slot::of(Topic::Suspended, 0),
    ];
    let stamp = app.memory.stamp(&slots);
    let (followees, unseen) = futures_util::try_join!(
        follows::followees(db, reader),
        Unseen::remembered(app, db, reader)
    )?;
    let authors = followees.into_iter();
    let authors = authors.filter(|author| !unseen.hides(*author));
    let mut authors = authors.collect::<HashSet<_>>();
    authors.insert(reader.0);
    let friends = Arc::new(Friends {
        unseen,
        authors,
        newest: Mutex::new(None),
        slots,
    });
    app.friends.put(reader.0, stamp, &friends);
    Ok(friends)
}

/// The ids of the feed's posts below a page's place, down to its end. None when the page reaches
/// further back than is remembered.
pub(super) async fn page(
    app: &App,
    db: &Reader<'_>,
    friends: &Friends,
    page: Page,
) -> Result<Option<Vec<i64>>> {
    let count = page.offset.saturating_add(page.limit);
    if !app.memory.is_on() || count > FILL {
        return Ok(None);
    }
    let mut remembered = friends.below(app, page.before);
    if remembered.is_none() {
        fill(app, db, friends).await?;
        remembered = friends.below(app, page.before);
    }
    let Some((rows, is_whole)) = remembered else {
        return Ok(None);
    };
    let mut ids = Vec::with_capacity(count);
    for rows in rows.chunks(count) {
        let originals = rows.iter().filter_map(|row| row.repost_of);
        let originals = originals.collect::<Vec<_>>();
        let originals = known::posts(app, db, &originals).await?;
        let is_alive = |row: &&Entry| {
            row.repost_of.is_none_or(|post| {
                let original = originals.get(&post);
                original.is_some_and(|post| !post.is_deleted && !friends.unseen.hides(post.author))
            })
        };
        let room = count - ids.len();
        ids.extend(rows.iter().filter(is_alive).map(|row| row.id).take(room));
        if ids.len() == count {
            break;
        }
    }
    Ok((is_whole || ids.len() == count).then_some(ids))
}

async fn fill(app: &App, db: &Reader<'_>, friends: &Friends) -> Result<()> {
    let position = app.memory.position();
    let shows = |entry: &Entry| friends.shows(entry);
    let clock = &app.clock;
    let mut rows =
        skeleton::newest(db, clock, &friends.authors, None, i64::MAX, FILL, shows).await?;
    // It was gathered from many more.
    rows.shrink_to(MOST);
    let floor = rows.last().filter(|_| rows.len() >= FILL);
    *friends.newest.lock() = Some(Newest {
        floor: floor.map_or(0, |row| row.id),
        rows,
        position,
    });
    Ok(())
}
