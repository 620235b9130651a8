//! The members of a Friends feed who reposted a post. The feed shows a post once, at its newest repost.
//!
//! Whether a row is the newest one is decided by the reposts up to the one that reading began with,
//! so every page of a reading agrees, whatever is reposted meanwhile.

use crate::features::members;
use crate::features::posts::PostsState;
use crate::features::posts::dto::Reposters;
use crate::platform::cache::{Remembered, Slot, Topic};
use foldhash::HashSet;
use kith_db::{Reader, Result, Row, SqlIn, params, sql_in};
use std::collections::HashMap;
use std::sync::Arc;

/// The reposts of a post with more are asked for by the members of the feed, and not kept in memory.
const MANY: i64 = 500;
/// Reposters that a post names.
const NAMED: usize = 2;

static REPOSTS: SqlIn =
    sql_in!("select post_id, member_id, repost_id from reposts where post_id in ($ids)");
static REPOSTS_BY: SqlIn = sql_in!(
    "select post_id, member_id, repost_id from reposts where post_id = $1 and member_id in ($ids)"
);
static COUNTS: SqlIn =
    sql_in!("select id, repost_count from posts where id in ($ids) and repost_count > 0");

/// A row: post, member, repost.
type Repost = (i64, i64, i64);

/// All reposts of a post.
#[derive(Debug)]
pub struct Reposts {
    rows: Vec<Repost>,
    /// A repost changes the post's count.
    slots: [Slot; 1],
}

impl Remembered for Reposts {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.rows.capacity() * size_of::<Repost>()
    }
}

/// The reposts of some posts by the members of a feed.
#[derive(Debug)]
pub(super) struct Reposted {
    /// The newest row when reading began; reposts with a larger id came after it.
    top: Option<i64>,
    /// By post: repost and member, newest first.
    by: HashMap<i64, Vec<(i64, i64)>>,
}

impl Reposted {
    /// None when reading begins now.
    pub(super) fn new(top: Option<i64>) -> Self {
        let by = HashMap::new();
        Self { top, by }
    }

    /// Begins reading at the first row of all, unless it began before.
    pub(super) fn begin_at(&mut self, first: i64) {
        self.top.get_or_insert(first);
    }

    /// Whether a row of the feed is the newest that shows its post.
    pub(super) fn is_newest(&self, row: i64, repost_of: Option<i64>) -> bool {
        let reposts = self.by.get(&repost_of.unwrap_or(row));
        let newest = reposts.and_then(|reposts| reposts.first());
        newest.is_none_or(|(repost, _)| *repost <= row)
    }

    /// Adds the reposts by `members` of posts, each of which comes with how often it was reposted.
    pub(super) async fn add(
        &mut self,
        app: &PostsState,
        db: &Reader<'_>,
        members: &HashSet<i64>,
        posts: impl Iterator<Item = (i64, i64)>,
    ) -> Result<()> {
        let mut missing = Vec::new();
        for (post, count) in posts {
            if self.by.contains_key(&post) {
                continue;
            }
            self.by.insert(post, Vec::new());
            if count > MANY {
                let members = members.iter().copied().collect::<Vec<_>>();
                let rows = db
                    .all_in(&REPOSTS_BY, params![post], &members, read)
                    .await?;
                self.put(post, &rows, |_| true);
            } else if let Some(known) = app.reposts.get(&post) {
                self.put(post, &known.rows, |member| members.contains(&member));
            } else {
                missing.push(post);
            }
        }
        let stamps = missing.iter().map(|post| app.memory.stamp(&[slot(*post)]));
        let stamps = stamps.collect::<Vec<_>>();
        let mut rows = db.all_in(&REPOSTS, &[], &missing, read).await?;
        for (post, stamp) in missing.into_iter().zip(stamps) {
            let own = rows.extract_if(.., |(of, ..)| *of == post);
            let own = own.collect::<Vec<_>>();
            self.put(post, &own, |member| members.contains(&member));
            let slots = [slot(post)];
            app.reposts
                .put(post, stamp, &Arc::new(Reposts { rows: own, slots }));
        }
        Ok(())
    }

    /// Adds the reposts of posts of which it is not known how often they were reposted.
    pub(super) async fn add_uncounted(
        &mut self,
        app: &PostsState,
        db: &Reader<'_>,
        members: &HashSet<i64>,
        posts: &[i64],
    ) -> Result<()> {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let counts = db.all_in(&COUNTS, &[], posts, read).await?;
        self.add(app, db, members, counts.into_iter()).await
    }

    fn put(&mut self, post: i64, rows: &[Repost], is_member: impl Fn(i64) -> bool) {
        let rows = rows.iter().map(|(_, member, repost)| (*repost, *member));
        let top = self.top.unwrap_or(i64::MAX);
        let is_shown = |(repost, member): &(i64, i64)| *repost <= top && is_member(*member);
        let mut rows = rows.filter(is_shown).collect::<Vec<_>>();
        rows.sort_unstable_by(|one, other| other.cmp(one));
        self.by.insert(post, rows);
    }

    /// Of each of some posts that several members of the feed reposted, the members.
    pub(super) async fn named(
        &self,
        app: &PostsState,
        db: &Reader<'_>,
        posts: impl Iterator<Item = i64>,
    ) -> Result<HashMap<i64, Reposters>> {
        let several = posts.filter_map(|post| {
            let reposts = self.by.get(&post)?;
            (reposts.len() > 1).then_some((post, reposts))
        });
        let several = several.collect::<Vec<_>>();
        let named = |reposts: &[(i64, i64)]| {
            let newest = reposts.iter().take(NAMED);
            newest.map(|(_, member)| *member).collect::<Vec<_>>()
        };
        let members = several.iter().flat_map(|(_, reposts)| named(reposts));
        let members = members.collect::<Vec<_>>();
        let members = members::load_refs_cached(&app.members, db, &members).await?;
        let reposters = several.iter().map(|(post, reposts)| {
            let named = named(reposts).into_iter();
            let members = named.filter_map(|member| members.get(&member).cloned());
            let reposters = Reposters {
                members: members.collect(),
                count: reposts.len(),
            };
            (*post, reposters)
        });
        Ok(reposters.collect())
    }
}

const fn slot(post: i64) -> Slot {
    Slot::of(Topic::Post, post)
}

fn read(row: &Row<'_>) -> Result<Repost> {
    Ok((row.int(0)?, row.int(1)?, row.int(2)?))
}
