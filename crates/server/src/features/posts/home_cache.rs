//! What is remembered of a reader's Friends feed: whose posts it shows, and two parts of it: the
//! newest posts, and those around the place further back that was read last.
//!
//! A part is read from the database once and then follows what it is told of new and deleted posts
//! (`Memory::listed`), so a post costs nothing per follower when it is written, and a page costs
//! the reader only what came since their last one. Whom they follow or do not see begins it anew.

use crate::features::posts::PostsState;
use crate::features::posts::cache::PostSet;
use crate::features::posts::home_query::{self, Entry};
use crate::features::posts::reposters::Reposted;
use crate::features::posts::respond::ViewerQuery;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows;
use crate::http::extract::Page;
use crate::platform::cache::{Listed, Position, Remembered, Slot, Topic};
use crate::platform::ids::Id;
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
/// Posts that are read at once further back: to look each author's posts up costs the most, and
/// most who ask for an older page ask for the next one too.
const OLDER: usize = 256;

/// One reader's Friends feed.
#[derive(Debug)]
pub struct Friends {
    /// Whose posts are shown: the reader and whom they follow, but for those they do not see.
    pub(super) authors: HashSet<i64>,
    newest: Mutex<Option<Part>>,
    older: Mutex<Option<Part>>,
    slots: [Slot; 3],
}

/// A post of a feed, with what it reposts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kept {
    id: i64,
    /// 0 for a post of one's own.
    repost_of: i64,
}

/// The posts of a feed between two ids, also reposts of what may be gone.
#[derive(Debug)]
struct Part {
    /// Newest first.
    rows: Vec<Kept>,
    /// Every post of the feed from this id on is here; 0 when every post is.
    floor: i64,
    /// Up to here, without it.
    ceiling: i64,
    /// Posts that are kept before the oldest go, and how many stay then.
    most: usize,
    stay: usize,
    /// What was told up to here is in it.
    position: Position,
}

impl Remembered for Friends {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        // As full as both parts may become, though they begin empty.
        let rows = (MOST + OLDER + OLDER / 4) * size_of::<Kept>();
        size_of::<Self>() + self.authors.capacity() * 10 + rows
    }
}

impl Friends {
    /// Whether a post is shown: a reply when it answers the reader, somebody they follow, or its
    /// own author, who is among the authors, and so is the reader.
    pub(super) fn shows(&self, entry: &Entry) -> bool {
        let author = entry.reply_to;
        author.is_none_or(|author| self.authors.contains(&author))
    }

    /// The posts of a part below an id, as far as they are remembered, and whether there are no others.
    fn below(&self, app: &PostsState, part: &Mutex<Option<Part>>, before: i64) -> Option<Below> {
        let mut guard = part.lock();
        let part = guard.as_mut().filter(|part| before <= part.ceiling)?;
        let wanted = |author: i64| self.authors.contains(&author);
        let Some((heard, position)) = app.memory.listed(part.position, wanted) else {
            *guard = None;
            return None;
        };
        for post in heard {
            part.follow(&post, |entry| self.shows(entry));
        }
        part.position = position;
        if part.floor > 0 && part.rows.len() < LEAST {
            *guard = None;
            return None;
        }
        let first = part.rows.partition_point(|row| row.id >= before);
        Some((part.rows[first..].to_vec(), part.floor == 0))
    }
}

/// Posts below a place, and whether there are no others.
type Below = (Vec<Kept>, bool);

impl Part {
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
        } else if !is_there && (self.floor..self.ceiling).contains(&entry.id) && shows(&entry) {
            self.rows.insert(place, Kept::from(&entry));
            if self.rows.len() > self.most {
                self.rows.truncate(self.stay);
                self.floor = self.rows.last().map_or(0, |row| row.id);
            }
        }
    }
}

impl Kept {
    fn original(self) -> Option<i64> {
        Some(self.repost_of).filter(|post| *post != 0)
    }

    /// The post that the row shows.
    fn post(self) -> i64 {
        self.original().unwrap_or(self.id)
    }
}

impl From<&Entry> for Kept {
    fn from(entry: &Entry) -> Self {
        Self {
            id: entry.id,
            repost_of: entry.repost_of.unwrap_or(0),
        }
    }
}

/// A reader's feed, without its posts until they are asked for, and whom the reader does not see.
pub(super) async fn friends(
    app: &PostsState,
    db: &Reader<'_>,
    reader: Id,
) -> Result<(Arc<Friends>, HiddenMembers)> {
    // Whom they do not see is not kept in the feed: the list of the suspended is one for all.
    if let Some(friends) = app.friends.get(&reader.0) {
        return Ok((
            friends,
            HiddenMembers::load_cached(&app.relationships.visibility, db, reader).await?,
        ));
    }
    let slots = [
        Slot::of(Topic::Follows, reader.0),
        Slot::of(Topic::Ties, reader.0),
        Slot::of(Topic::Suspended, 0),
    ];
    let stamp = app.memory.stamp(&slots);
    let (followees, unseen) = futures_util::try_join!(
        follows::load_followees(db, reader),
        HiddenMembers::load_cached(&app.relationships.visibility, db, reader)
    )?;
    let authors = followees.into_iter();
    let authors = authors.filter(|author| !unseen.hides_from_lists(*author));
    let mut authors = authors.collect::<HashSet<_>>();
    authors.insert(reader.0);
    let friends = Arc::new(Friends {
        authors,
        newest: Mutex::new(None),
        older: Mutex::new(None),
        slots,
    });
    app.friends.put(reader.0, stamp, &friends);
    Ok((friends, unseen))
}

/// A page of a viewer's feed, as it is loaded.
pub(super) struct FeedPage<'a> {
    pub(super) query: ViewerQuery<'a>,
    pub(super) friends: &'a Friends,
    pub(super) unseen: &'a HiddenMembers,
    pub(super) posts: &'a mut PostSet,
    pub(super) reposted: &'a mut Reposted,
}

impl FeedPage<'_> {
    /// The ids of the feed's posts below a page's place, down to its end; loads the page's posts.
    /// None when the page reaches further back than is cached.
    pub(super) async fn ids(&mut self, page: Page) -> Result<Option<Vec<i64>>> {
        let (query, friends) = (self.query, self.friends);
        let app = query.app;
        let count = page.offset.saturating_add(page.limit);
        // What is not remembered is not worth more than its first page.
        let is_first = page.before == i64::MAX;
        if count > FILL || !(app.memory.is_on() || is_first) {
            return Ok(None);
        }
        let mut below = friends.below(app, &friends.newest, page.before);
        if below.is_none() {
            let part = fill(query, friends, i64::MAX, (FILL, MOST)).await?;
            *friends.newest.lock() = Some(part);
            below = friends.below(app, &friends.newest, page.before);
        }
        let mut found = self.page_of(below, page).await?;
        if found.is_none() {
            let below = friends.below(app, &friends.older, page.before);
            found = self.page_of(below, page).await?;
        }
        if found.is_none() {
            let (before, size) = (page.before, (OLDER, OLDER + OLDER / 4));
            let part = fill(query, friends, before, size).await?;
            *friends.older.lock() = Some(part);
            let below = friends.below(app, &friends.older, page.before);
            found = self.page_of(below, page).await?;
        }
        Ok(found)
    }

    /// A page of these rows without those that show nothing, or a post that a newer row shows; if they suffice.
    async fn page_of(&mut self, below: Option<Below>, page: Page) -> Result<Option<Vec<i64>>> {
        let Some((rows, is_whole)) = below else {
            return Ok(None);
        };
        if let Some(first) = rows.first() {
            self.reposted.begin_at(first.id);
        }
        let ViewerQuery { app, db, viewer } = self.query;
        let count = page.offset + page.limit;
        let mut ids = Vec::with_capacity(count);
        for rows in rows.chunks(count) {
            let wanted = rows.iter().flat_map(|row| [Some(row.id), row.original()]);
            let wanted = wanted.flatten().collect::<Vec<_>>();
            self.posts.load_more(app, db, viewer, &wanted).await?;
            let shown = |row: &&Kept| {
                let post = self.posts.posts.get(&row.post());
                post.filter(|post| !post.is_deleted && !self.unseen.hides_from_lists(post.author))
                    .map(|post| (**row, post.repost_count))
            };
            let rows = rows
                .iter()
                .filter_map(|row| shown(&row))
                .collect::<Vec<_>>();
            // A repost is one of them itself.
            let several = rows
                .iter()
                .filter(|(row, count)| *count > i64::from(row.repost_of != 0));
            let several = several.map(|(row, count)| (row.post(), *count));
            self.reposted
                .add(app, db, &self.friends.authors, several)
                .await?;
            let rows = rows.iter().map(|(row, _)| row);
            let newest = rows.filter(|row| self.reposted.is_newest(row.id, row.original()));
            ids.extend(newest.map(|row| row.id));
            if ids.len() >= count {
                ids.truncate(count);
                break;
            }
        }
        Ok((is_whole || ids.len() == count).then_some(ids))
    }
}

/// Reads the part of a feed that ends at an id: `stay` posts, of which more come while it is read.
async fn fill(
    query: ViewerQuery<'_>,
    friends: &Friends,
    ceiling: i64,
    (stay, most): (usize, usize),
) -> Result<Part> {
    let ViewerQuery { app, db, .. } = query;
    let position = app.memory.position();
    let shows = |entry: &Entry| friends.shows(entry);
    let rows = home_query::newest(db, &app.clock, &friends.authors, None, ceiling, stay, shows);
    let (rows, farther) = rows.await?;
    let last = rows.last().filter(|_| rows.len() >= stay);
    let floor = farther.or(last.map(|row| row.id));
    // It was gathered from many more.
    let mut kept = Vec::with_capacity(most + 1);
    kept.extend(rows.iter().map(Kept::from));
    Ok(Part {
        floor: floor.unwrap_or(0),
        rows: kept,
        ceiling,
        most,
        stay,
        position,
    })
}
