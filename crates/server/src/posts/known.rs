//! Posts as everybody sees them, ready to be sent, and what a page of them needs.
//!
//! Most of a post is the same for all readers. It is written once, by the same code as a post
//! that is answered alone, and remembered with the places where one reader's view differs
//! (`written`). A like, a new name or picture, an edit of any kind begins it anew.

use crate::app::App;
use crate::ids::Id;
use crate::memory::{Remembered, Slot, Stamp, Topic};
use crate::posts::ahead::{Ahead, Hints};
use crate::posts::deeds::{self, Deed};
use crate::posts::fresh::Fresh;
use crate::posts::hydrate::{self, Stored, Whole};
use foldhash::HashMap;
use kith_db::{Error, Reader, Result};
use std::ops::Range;
use std::sync::Arc;

/// A post as everybody sees it.
#[derive(Debug)]
pub struct Known {
    pub(super) id: i64,
    pub(super) author: i64,
    /// What its author is called; none of one who cannot be shown.
    pub(super) author_name: Option<String>,
    /// The post it answers, and that one's author.
    pub(super) reply_to: Option<(i64, i64)>,
    pub(super) repost_of: Option<i64>,
    pub(super) is_deleted: bool,
    pub(super) reply_count: i64,
    pub(super) poll: Option<(Vec<String>, Vec<i64>)>,
    /// The post without votes, original, and deeds of a reader.
    pub(super) json: String,
    pub(super) cuts: Cuts,
    slots: Vec<Slot>,
}

/// Where in a post's JSON a reader's view may differ.
#[derive(Debug)]
pub(super) struct Cuts {
    /// The members that hold a poll's votes.
    pub(super) votes: Range<usize>,
    /// What is said of the post it answers.
    pub(super) reply_to: Range<usize>,
    /// What is said of the post it reposts.
    pub(super) repost_of: Range<usize>,
    /// From the reader's deeds to the end.
    pub(super) tail: usize,
}

/// No votes, as they are written.
const NO_VOTES: &str = r#""pollVotes":{},"pollTallies":{},"pollMyVote":null"#;

impl Cuts {
    /// A quotation mark inside a text is escaped, so these marks stand only where members begin.
    pub(super) fn of(json: &str) -> Option<Self> {
        let votes = json.find(&format!(",{NO_VOTES},"))? + 1;
        let after = |mark: &str| Some(json.find(mark)? + mark.len());
        let reply_to = after(r#","replyTo":"#)?..json.find(r#","repostOfId":"#)?;
        let repost_of = after(r#","repostOf":"#)?;
        Some(Self {
            votes: votes..votes + NO_VOTES.len(),
            reply_to,
            repost_of: repost_of..repost_of + "null".len(),
            tail: json.rfind(r#""isLiked":"#)?,
        })
    }
}

impl Known {
    fn new(stored: &Stored, whole: Whole, slots: Vec<Slot>) -> Result<Self> {
        let Whole {
            post,
            has_author,
            votes,
        } = whole;
        let shape = || Error::Decode("a post has an unknown shape".into());
        let mut json = serde_json::to_string(&post).map_err(|_| shape())?;
        json.shrink_to_fit();
        Ok(Self {
            id: stored.id,
            author: stored.author,
            cuts: Cuts::of(&json).ok_or_else(shape)?,
            json,
            reply_to: stored.reply_to,
            repost_of: stored.repost_of,
            is_deleted: post.is_deleted,
            reply_count: post.reply_count,
            poll: (!votes.is_empty()).then_some((post.poll_options, votes)),
            author_name: has_author.then_some(post.author.display_name),
            slots,
        })
    }
}

impl Remembered for Known {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let name = self.author_name.as_ref().map_or(0, String::capacity);
        let poll = self.poll.as_ref().map_or(0, |(options, _)| {
            options.iter().map(|option| option.capacity() + 40).sum()
        });
        size_of::<Self>() + self.json.capacity() + name + poll + self.slots.len() * 2
    }
}

/// Posts with what they repost, and what the reader did to them.
#[derive(Debug, Default)]
pub struct Gathered {
    pub(super) posts: HashMap<i64, Arc<Known>>,
    pub(super) deeds: HashMap<i64, Deed>,
}

/// Posts, those that they repost, and what a reader did to all of them.
pub(super) async fn gather(
    app: &App,
    db: &Reader<'_>,
    reader: Id,
    ids: &[i64],
    hints: &Hints,
) -> Result<Gathered> {
    let mut gathered = Gathered::default();
    more(app, db, reader, &mut gathered, ids, hints).await?;
    Ok(gathered)
}

/// The same of one post that was just written. It is not remembered: its row was read before the commit that
/// tells everybody to forget what is remembered, and it may have changed again since.
pub(super) async fn just_written(app: &App, db: &Reader<'_>, fresh: Fresh) -> Result<Gathered> {
    let Fresh {
        stored,
        members,
        asked,
        deed,
    } = fresh;
    let ahead = Ahead::of_fresh(stored.id, &asked, members);
    let mut gathered = Gathered::default();
    gathered.deeds.insert(stored.id, deed);
    let stored = [stored];
    for (stored, whole) in stored
        .iter()
        .zip(hydrate::whole(app, db, &stored, &ahead).await?)
    {
        let known = Known::new(stored, whole, Vec::new())?;
        gathered.posts.insert(stored.id, Arc::new(known));
    }
    Ok(gathered)
}

/// Adds more of them.
pub(super) async fn more(
    app: &App,
    db: &Reader<'_>,
    reader: Id,
    gathered: &mut Gathered,
    ids: &[i64],
    hints: &Hints,
) -> Result<()> {
    if ids.iter().all(|id| gathered.posts.contains_key(id)) {
        // With what they repost, and what the reader did.
        return Ok(());
    }
    if db.is_far() {
        return at_once(app, db, reader, gathered, ids, hints).await;
    }
    let Gathered { posts, deeds } = gathered;
    let mut rows = look_up(app, db, ids, posts).await?;
    let originals = originals_of(posts, &rows);
    rows.extend(look_up(app, db, &originals, posts).await?);
    let all = posts.keys().copied();
    let all = all.chain(rows.iter().map(|(post, _)| post.id));
    let all = without_deeds(all.collect(), deeds);
    let polls = posts.values().filter(|post| post.poll.is_some());
    let polls = polls.map(|post| post.id).chain(
        rows.iter()
            .filter(|(post, _)| post.options.is_some())
            .map(|(post, _)| post.id),
    );
    let polls = polls.collect::<Vec<_>>();
    let ahead = Ahead::default();
    let (built, done) = futures_util::try_join!(
        build(app, db, rows, &ahead),
        deeds::of(app, db, reader, &all, &polls)
    )?;
    posts.extend(built.into_iter().map(|post| (post.id, post)));
    deeds.extend(done);
    Ok(())
}

/// The same with as few waits as there are answers that others depend on, for a few questions more: the
/// posts with all that the hints name, then what only they told.
async fn at_once(
    app: &App,
    db: &Reader<'_>,
    reader: Id,
    gathered: &mut Gathered,
    ids: &[i64],
    hints: &Hints,
) -> Result<()> {
    let Gathered { posts, deeds } = gathered;
    let missing = recall(app, ids, posts);
    let fresh = without_deeds(ids.to_vec(), deeds);
    let (rows, ahead, done) = futures_util::try_join!(
        read(app, db, &missing),
        Ahead::read(app, db, &missing, &hints.members),
        deeds::of(app, db, reader, &fresh, &fresh),
    )?;
    deeds.extend(done);
    let mut originals = originals_of(posts, &rows);
    originals.retain(|id| !rows.iter().any(|(post, _)| post.id == *id));
    let missing = recall(app, &originals, posts);
    let fresh = without_deeds(originals, deeds);
    let (built, rows, done) = futures_util::try_join!(
        build(app, db, rows, &ahead),
        read(app, db, &missing),
        deeds::of(app, db, reader, &fresh, &fresh),
    )?;
    deeds.extend(done);
    posts.extend(built.into_iter().map(|post| (post.id, post)));
    let built = build(app, db, rows, &Ahead::default()).await?;
    posts.extend(built.into_iter().map(|post| (post.id, post)));
    Ok(())
}

fn originals_of(posts: &HashMap<i64, Arc<Known>>, rows: &[(Stored, Stamp)]) -> Vec<i64> {
    let originals = posts.values().filter_map(|post| post.repost_of);
    let originals = originals.chain(rows.iter().filter_map(|(post, _)| post.repost_of));
    originals.collect()
}

/// Those of some posts of which it is not known what the reader did, each once.
fn without_deeds(mut posts: Vec<i64>, deeds: &HashMap<i64, Deed>) -> Vec<i64> {
    posts.retain(|post| !deeds.contains_key(post));
    posts.sort_unstable();
    posts.dedup();
    posts
}

/// Adds what is remembered to `known`, and answers the rows of the rest with their stamps.
async fn look_up(
    app: &App,
    db: &Reader<'_>,
    ids: &[i64],
    known: &mut HashMap<i64, Arc<Known>>,
) -> Result<Vec<(Stored, Stamp)>> {
    let missing = recall(app, ids, known);
    read(app, db, &missing).await
}

/// Adds what is remembered to `known`, and answers the rest.
fn recall(app: &App, ids: &[i64], known: &mut HashMap<i64, Arc<Known>>) -> Vec<i64> {
    let mut missing = Vec::new();
    for id in ids {
        if known.contains_key(id) {
            continue;
        }
        match app.known.get(id) {
            Some(post) => drop(known.insert(*id, post)),
            None => missing.push(*id),
        }
    }
    missing
}

/// The rows of posts with their stamps.
async fn read(app: &App, db: &Reader<'_>, ids: &[i64]) -> Result<Vec<(Stored, Stamp)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let stamps = ids.iter().map(|id| (*id, post_stamp(app, *id)));
    let stamps = stamps.collect::<HashMap<_, _>>();
    let rows = hydrate::rows(db, ids).await?.into_iter();
    Ok(rows
        .filter_map(|post| {
            let stamp = *stamps.get(&post.id)?;
            Some((post, stamp))
        })
        .collect())
}

fn post_stamp(app: &App, id: i64) -> Stamp {
    app.memory.stamp(&[Slot::of(Topic::Post, id)])
}

async fn build(
    app: &App,
    db: &Reader<'_>,
    mut rows: Vec<(Stored, Stamp)>,
    ahead: &Ahead,
) -> Result<Vec<Arc<Known>>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    // A list may name a post twice.
    rows.sort_unstable_by_key(|(post, _)| post.id);
    rows.dedup_by_key(|(post, _)| post.id);
    let (stored, stamps): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    // Whose names are in a post is known only now that its row was read; they are read after this,
    // or were asked for with a stamp of their own.
    let stamps = stored.iter().zip(stamps).map(|(post, stamp)| {
        let around = around(post);
        let parts = around.iter().map(|slot| ahead.stamp(app, *slot));
        let stamp = parts.fold(stamp, Stamp::and);
        let own = std::iter::once(Slot::of(Topic::Post, post.id));
        (stamp, own.chain(around).collect::<Vec<_>>())
    });
    let stamps = stamps.collect::<Vec<_>>();
    let whole = hydrate::whole(app, db, &stored, ahead).await?;
    let mut built = Vec::with_capacity(stored.len());
    for ((stored, whole), (stamp, slots)) in stored.iter().zip(whole).zip(stamps) {
        let post = Arc::new(Known::new(stored, whole, slots)?);
        app.known.put(post.id, stamp, &post);
        built.push(post);
    }
    Ok(built)
}

/// What a post's JSON depends on beside its own rows.
fn around(post: &Stored) -> Vec<Slot> {
    let mut slots = vec![Slot::of(Topic::Member, post.author)];
    if let Some((_, author)) = post.reply_to {
        slots.push(Slot::of(Topic::Member, author));
    }
    if post.mentions.is_some() {
        slots.push(Slot::of(Topic::Suspended, 0));
    }
    slots
}
