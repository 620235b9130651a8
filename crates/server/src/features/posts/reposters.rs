//! Reposters of the posts in a Friends feed, which shows each post once, at its newest repost.
//!
//! Only reposts up to the first row of the first page count, so that all pages of one scroll agree while
//! others repost.

use crate::features::members;
use crate::features::posts::PostsState;
use crate::features::posts::cached::{CachedReposts, FeedAuthors, RepostRow};
use crate::features::posts::dto::Reposters;
use crate::platform::cache::{CacheTag, VersionSlot};
use foldhash::HashMap;
use kith_db::{Reader, Result, Row, SqlIn, params, sql_in};
use std::sync::Arc;

/// Reposts of a post above which they are queried by the feed's members and not cached.
const MAX_CACHED_REPOSTS: i64 = 500;
/// Maximum reposters listed per post.
const MAX_LISTED_REPOSTERS: usize = 2;

static REPOSTS: SqlIn =
    sql_in!("select post_id, member_id, repost_id from reposts where post_id in ($ids)");
static REPOSTS_BY: SqlIn = sql_in!(
    "select post_id, member_id, repost_id from reposts where post_id = $1 and member_id in ($ids)"
);
static COUNTS: SqlIn =
    sql_in!("select id, repost_count from posts where id in ($ids) and repost_count > 0");

/// Reposts of the posts on a page by the authors of the feed.
#[derive(Debug)]
pub(super) struct FeedReposts {
    /// First row of the first page; reposts with a larger id came later and do not count.
    top: Option<i64>,
    /// By post: (repost, member), newest first.
    by_post: HashMap<i64, Vec<(i64, i64)>>,
}

impl FeedReposts {
    /// Creates an empty set; `top` is `None` on the first page.
    pub(super) fn new(top: Option<i64>) -> Self {
        Self { top, by_post: HashMap::default() }
    }

    /// Sets the first row of the first page, unless it is set.
    pub(super) fn set_top(&mut self, first: i64) {
        self.top.get_or_insert(first);
    }

    /// Returns whether a row is the newest that shows its post.
    pub(super) fn is_newest(&self, row: i64, repost_of: Option<i64>) -> bool {
        let reposts = self.by_post.get(&repost_of.unwrap_or(row));
        let newest = reposts.and_then(|reposts| reposts.first());
        newest.is_none_or(|(repost, _)| *repost <= row)
    }

    /// Adds the reposts by `members` of `posts`, given as (post, repost count).
    pub(super) async fn add(
        &mut self,
        state: &PostsState,
        db: &Reader<'_>,
        members: &FeedAuthors,
        posts: impl Iterator<Item = (i64, i64)>,
    ) -> Result<()> {
        let mut missing = Vec::new();
        for (post, count) in posts {
            if self.by_post.contains_key(&post) {
                continue;
            }
            self.by_post.insert(post, Vec::new());
            if count > MAX_CACHED_REPOSTS {
                let rows = db.all_in(&REPOSTS_BY, params![post], members.ids(), read).await?;
                self.insert(post, &rows, |_| true);
            } else if let Some(cached) = state.reposts.get(&post) {
                self.insert(post, &cached.rows, |member| members.contains(member));
            } else {
                missing.push(post);
            }
        }
        let versions = missing.iter().map(|post| state.versions.current_version(&[slot(*post)]));
        let versions = versions.collect::<Vec<_>>();
        let mut rows = db.all_in(&REPOSTS, &[], &missing, read).await?;
        for (post, version) in missing.into_iter().zip(versions) {
            let own = rows.extract_if(.., |(original, ..)| *original == post);
            let own = own.collect::<Vec<_>>();
            self.insert(post, &own, |member| members.contains(member));
            let slots = [slot(post)];
            state.reposts.put(post, version, &Arc::new(CachedReposts { rows: own, slots }));
        }
        Ok(())
    }

    /// Loads the repost counts of posts, then adds their reposts by `members`.
    pub(super) async fn load_and_add(
        &mut self,
        state: &PostsState,
        db: &Reader<'_>,
        members: &FeedAuthors,
        posts: &[i64],
    ) -> Result<()> {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let counts = db.all_in(&COUNTS, &[], posts, read).await?;
        self.add(state, db, members, counts.into_iter()).await
    }

    fn insert(&mut self, post: i64, rows: &[RepostRow], is_member: impl Fn(i64) -> bool) {
        let rows = rows.iter().map(|(_, member, repost)| (*repost, *member));
        let top = self.top.unwrap_or(i64::MAX);
        let counts = |(repost, member): &(i64, i64)| *repost <= top && is_member(*member);
        let mut rows = rows.filter(counts).collect::<Vec<_>>();
        rows.sort_unstable_by(|one, other| other.cmp(one));
        self.by_post.insert(post, rows);
    }

    /// Loads the reposters of posts with at least two of them.
    pub(super) async fn load_reposters(
        &self,
        state: &PostsState,
        db: &Reader<'_>,
        posts: impl Iterator<Item = i64>,
    ) -> Result<HashMap<i64, Reposters>> {
        let reposted = posts.filter_map(|post| {
            let reposts = self.by_post.get(&post)?;
            (reposts.len() > 1).then_some((post, reposts))
        });
        let reposted = reposted.collect::<Vec<_>>();
        let listed = |reposts: &[(i64, i64)]| {
            let newest = reposts.iter().take(MAX_LISTED_REPOSTERS);
            newest.map(|(_, member)| *member).collect::<Vec<_>>()
        };
        let members = reposted.iter().flat_map(|(_, reposts)| listed(reposts));
        let members = members.collect::<Vec<_>>();
        let members = members::load_refs_cached(&state.members, db, &members).await?;
        let reposters = reposted.iter().map(|(post, reposts)| {
            let listed = listed(reposts).into_iter();
            let members = listed.filter_map(|member| members.get(&member).cloned());
            let reposters = Reposters { members: members.collect(), count: reposts.len() };
            (*post, reposters)
        });
        Ok(reposters.collect())
    }
}

const fn slot(post: i64) -> VersionSlot {
    VersionSlot::new(CacheTag::Post, post)
}

fn read(row: &Row<'_>) -> Result<RepostRow> {
    Ok((row.int(0)?, row.int(1)?, row.int(2)?))
}
