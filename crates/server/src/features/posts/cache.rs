//! Posts as every viewer sees them, cached as JSON, and the posts that one response needs.
//!
//! Most of a post is the same for all viewers. It is serialised once and cached; a like, a new name or
//! picture, or an edit of any kind invalidates it. `view` adds what depends on the viewer.

use crate::features::media::Image;
use crate::features::members::{self, MemberRef, SuspendedUsernames};
use crate::features::posts::PostsState;
use crate::features::posts::cached::{CachedPost, Interactions};
use crate::features::posts::dto::{ReplyTo, SharedPost};
use crate::features::posts::store::{self, PostRow, parse_list};
use crate::features::posts::viewer_state;
use crate::platform::cache::{CacheTag, CacheVersion, VersionSlot};
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use foldhash::HashMap;
use kith_db::{Reader, Result};
use kith_text::{Mention, find_links};
use std::collections;
use std::sync::Arc;

impl CachedPost {
    fn new(
        row: &PostRow,
        members: &collections::HashMap<i64, MemberRef>,
        votes: &collections::HashMap<(i64, i64), i64>,
        suspended: &SuspendedUsernames,
        slots: Vec<VersionSlot>,
    ) -> Self {
        let author = members.get(&row.author).cloned();
        let author_name = author.as_ref().map(|author| author.display_name.clone());
        let author = author.unwrap_or_else(MemberRef::hidden);
        let post = shared_post(row, author, suspended);
        let mut json = serde_json::to_vec(&post)
            .unwrap_or_else(|_| unreachable!("a post of plain values is JSON"));
        json.pop();
        json.shrink_to_fit();
        let choices = (0_i64..).zip(&post.poll_options);
        let choices = choices.map(|(choice, _)| votes.get(&(row.id, choice)));
        let votes = choices.map(|votes| votes.copied().unwrap_or(0));
        let votes = votes.collect::<Vec<_>>();
        let reply_to_json = row.reply_to.and_then(|(id, author)| {
            let (id, author) = (Id(id), members.get(&author)?.clone());
            serde_json::value::to_raw_value(&ReplyTo { id, author }).ok()
        });
        Self {
            id: row.id,
            author: row.author,
            author_name,
            reply_to: row.reply_to,
            reply_to_json,
            repost_of: row.repost_of,
            is_deleted: row.is_deleted,
            reply_count: post.reply_count,
            repost_count: post.repost_count,
            like_count: post.like_count,
            poll: (!votes.is_empty()).then_some((post.poll_options, votes)),
            json,
            slots,
        }
    }

    /// Builds the tombstone of the post, for a viewer who may not see it.
    pub(super) fn tombstone(&self) -> SharedPost {
        let row = PostRow {
            id: self.id,
            reply_to: self.reply_to,
            repost_of: self.repost_of,
            counts: [0, 0, self.reply_count],
            is_deleted: true,
            ..PostRow::default()
        };
        shared_post(&row, MemberRef::hidden(), &SuspendedUsernames::default())
    }
}

/// Builds a post from its row, without mentions of suspended members.
fn shared_post(row: &PostRow, author: MemberRef, suspended: &SuspendedUsernames) -> SharedPost {
    let images: Vec<Image> = parse_list(row.images.as_deref());
    let mut mentions: Vec<Mention> = parse_list(row.mentions.as_deref());
    mentions.retain(|mention| !suspended.contains(&mention.username));
    let [like_count, repost_count, reply_count] = row.counts;
    SharedPost {
        id: Id(row.id),
        content: row.content.clone(),
        author,
        created_at: rfc3339(Id(row.id).time()),
        image_urls: images.iter().map(|image| image.url.clone()).collect(),
        images,
        poll_options: parse_list(row.options.as_deref()),
        poll_expires_at: row.expires_at.map(rfc3339),
        reply_to_id: row.reply_to.map(|(id, _)| Id(id)),
        repost_of_id: row.repost_of.map(Id),
        mentions,
        hashtags: parse_list(row.hashtags.as_deref()),
        links: find_links(&row.content),
        reply_count,
        repost_count,
        like_count,
        is_deleted: row.is_deleted,
    }
}

/// Loaded posts with their reposted originals and the viewer's interactions.
#[derive(Debug, Default)]
pub struct PostSet {
    pub(super) posts: HashMap<i64, Arc<CachedPost>>,
    pub(super) interactions: HashMap<i64, Interactions>,
    /// A suspended member whose posts the set includes. The posts of such a set are not cached.
    spared: Option<Id>,
}

impl PostSet {
    /// Creates an empty set that includes posts of the suspended member `spared`.
    pub(crate) fn sparing(spared: Option<Id>) -> Self {
        Self { spared, ..Self::default() }
    }

    /// Loads posts with their reposted originals and the viewer's interactions.
    pub(super) async fn load(
        state: &PostsState,
        db: &Reader<'_>,
        viewer: Id,
        ids: &[i64],
    ) -> Result<Self> {
        let mut posts = Self::default();
        posts.load_more(state, db, viewer, ids).await?;
        Ok(posts)
    }

    /// Builds a set from the post that a transaction created or changed. It is not cached: its row was read
    /// before the commit that invalidates the cache, and may have changed again since.
    pub(super) async fn from_written(
        state: &PostsState,
        db: &Reader<'_>,
        written: WrittenPost,
    ) -> Result<Self> {
        let WrittenPost { row, members, interactions } = written;
        let suspended = load_suspended_usernames(state, db, [&row]).await?;
        let votes = collections::HashMap::new();
        let post = CachedPost::new(&row, &members, &votes, &suspended, Vec::new());
        let mut posts = Self::default();
        posts.interactions.insert(row.id, interactions);
        posts.posts.insert(row.id, Arc::new(post));
        Ok(posts)
    }

    /// Adds posts with their reposted originals and the viewer's interactions.
    pub(super) async fn load_more(
        &mut self,
        state: &PostsState,
        db: &Reader<'_>,
        viewer: Id,
        ids: &[i64],
    ) -> Result<()> {
        if ids.iter().all(|id| self.posts.contains_key(id)) {
            return Ok(());
        }
        let mut rows = self.find_or_load(state, db, ids).await?;
        let originals = self.posts.values().filter_map(|post| post.repost_of);
        let originals = originals.chain(rows.iter().filter_map(|(row, _)| row.repost_of));
        let originals = originals.collect::<Vec<_>>();
        rows.extend(self.find_or_load(state, db, &originals).await?);
        // A page may contain both a post and a repost of it.
        rows.sort_unstable_by_key(|(row, _)| row.id);
        rows.dedup_by_key(|(row, _)| row.id);
        let unloaded = self.posts.keys().copied();
        let unloaded = unloaded.chain(rows.iter().map(|(row, _)| row.id));
        let unloaded = unloaded.filter(|id| !self.interactions.contains_key(id));
        let unloaded = unloaded.collect::<Vec<_>>();
        let polls = self.posts.values().filter(|post| post.poll.is_some());
        let polls = polls.map(|post| post.id);
        let polls = polls.chain(filter_polls(rows.iter().map(|(row, _)| row)));
        let polls = polls.collect::<Vec<_>>();
        let (built, interactions) = futures_util::try_join!(
            build_and_cache(state, db, rows, self.spared),
            viewer_state::load_interactions(state, db, viewer, &unloaded, &polls)
        )?;
        self.posts.extend(built.into_iter().map(|post| (post.id, post)));
        self.interactions.extend(interactions);
        Ok(())
    }

    /// Loads posts without what depends on a viewer.
    pub(super) async fn load_shared(
        state: &PostsState,
        db: &Reader<'_>,
        ids: &[i64],
    ) -> Result<HashMap<i64, Arc<CachedPost>>> {
        let mut posts = Self::default();
        let rows = posts.find_or_load(state, db, ids).await?;
        let built = build_and_cache(state, db, rows, None).await?;
        posts.posts.extend(built.into_iter().map(|post| (post.id, post)));
        Ok(posts.posts)
    }

    /// Adds cached posts, and returns the rows of the others, each with its cache version from before the query.
    async fn find_or_load(
        &mut self,
        state: &PostsState,
        db: &Reader<'_>,
        ids: &[i64],
    ) -> Result<Vec<(PostRow, CacheVersion)>> {
        let mut missing = Vec::new();
        self.posts.reserve(ids.len());
        for id in ids {
            if self.posts.contains_key(id) {
                continue;
            }
            match state.posts.get(id).filter(|_| self.spared.is_none()) {
                Some(post) => drop(self.posts.insert(*id, post)),
                None => missing.push(*id),
            }
        }
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let versions = missing.iter();
        let versions = versions.map(|id| {
            (*id, state.versions.current_version(&[VersionSlot::new(CacheTag::Post, *id)]))
        });
        let versions = versions.collect::<HashMap<_, _>>();
        let rows = store::load_rows(db, &missing).await?.into_iter();
        let rows = rows.filter_map(|row| {
            let version = *versions.get(&row.id)?;
            Some((row, version))
        });
        Ok(rows.collect())
    }
}

/// A post that a transaction created or changed, read in that transaction while its database pages are
/// cached. It is not a repost and has no votes.
#[derive(Debug)]
pub(super) struct WrittenPost {
    pub(super) row: PostRow,
    /// The author, and the author of the post it replies to.
    pub(super) members: collections::HashMap<i64, MemberRef>,
    /// The viewer's interactions with the post.
    pub(super) interactions: Interactions,
}

/// Builds posts from their rows and caches them, unless the set includes a suspended member.
async fn build_and_cache(
    state: &PostsState,
    db: &Reader<'_>,
    rows: Vec<(PostRow, CacheVersion)>,
    spared: Option<Id>,
) -> Result<Vec<Arc<CachedPost>>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    // The rows determine the members to depend on. Take their cache versions before loading the members.
    let slots = rows.iter().map(|(row, version)| {
        let dependencies = dependency_slots(row);
        let version = version.and(state.versions.current_version(&dependencies));
        let post = std::iter::once(VersionSlot::new(CacheTag::Post, row.id));
        (version, post.chain(dependencies).collect::<Vec<_>>())
    });
    let slots = slots.collect::<Vec<_>>();
    let rows = || rows.iter().map(|(row, _)| row);
    let members = rows().flat_map(|row| [Some(row.author), row.reply_to.map(|(_, author)| author)]);
    let mut members = members.flatten().collect::<Vec<_>>();
    members.sort_unstable();
    members.dedup();
    let polls = filter_polls(rows()).collect::<Vec<_>>();
    let (votes, members, suspended) = futures_util::try_join!(
        store::load_votes(db, &polls),
        members::load_refs_sparing(db, spared, &members),
        load_suspended_usernames(state, db, rows()),
    )?;
    let built = rows().zip(slots).map(|(row, (version, slots))| {
        let post = CachedPost::new(row, &members, &votes, &suspended, slots);
        let post = Arc::new(post);
        if spared.is_none() {
            state.posts.put(post.id, version, &post);
        }
        post
    });
    Ok(built.collect())
}

/// Returns the ids of the posts with a poll.
fn filter_polls<'a>(rows: impl Iterator<Item = &'a PostRow>) -> impl Iterator<Item = i64> {
    rows.filter(|row| row.options.is_some()).map(|row| row.id)
}

/// Loads the usernames of suspended members if any of the posts has mentions.
async fn load_suspended_usernames<'a>(
    state: &PostsState,
    db: &Reader<'_>,
    rows: impl IntoIterator<Item = &'a PostRow>,
) -> Result<Arc<SuspendedUsernames>> {
    if rows.into_iter().any(|row| row.mentions.is_some()) {
        SuspendedUsernames::load_cached(&state.members, db).await
    } else {
        Ok(Arc::default())
    }
}

/// Cache slots that a post's JSON depends on besides its own rows.
fn dependency_slots(post: &PostRow) -> Vec<VersionSlot> {
    let mut slots = vec![VersionSlot::new(CacheTag::Member, post.author)];
    if let Some((_, author)) = post.reply_to {
        slots.push(VersionSlot::new(CacheTag::Member, author));
    }
    if post.mentions.is_some() {
        slots.push(VersionSlot::new(CacheTag::Suspended, 0));
    }
    slots
}
