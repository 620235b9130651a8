//! Posts as every viewer sees them, cached as JSON, and the posts that one response needs.
//!
//! Most of a post is the same for all viewers. It is serialised once and cached; a like, a new name or
//! picture, or an edit of any kind invalidates it. `view` adds what depends on the viewer.

use crate::features::media::Image;
use crate::features::members::{self, MemberRef, SuspendedUsernames};
use crate::features::posts::PostsState;
use crate::features::posts::dto::{ReplyTo, SharedPost};
use crate::features::posts::store::{self, PostRow, list_of};
use crate::features::posts::viewer_state::{self, Deed};
use crate::platform::cache::{Remembered, Slot, Stamp, Topic};
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use foldhash::HashMap;
use kith_db::{Reader, Result};
use kith_text::{Mention, find_links};
use std::collections;
use std::sync::Arc;

/// A post as every viewer sees it.
#[derive(Debug)]
pub struct CachedPost {
    pub(super) id: i64,
    pub(super) author: i64,
    /// The author's display name; none for an author who cannot be shown.
    pub(super) author_name: Option<String>,
    /// The post it replies to, and that post's author.
    pub(super) reply_to: Option<(i64, i64)>,
    /// The same for viewers who may see that author; none when nobody may.
    pub(super) replied_to: Option<ReplyTo>,
    pub(super) repost_of: Option<i64>,
    pub(super) is_deleted: bool,
    pub(super) reply_count: i64,
    pub(super) repost_count: i64,
    /// A poll's options, and the votes for each.
    pub(super) poll: Option<(Vec<String>, Vec<i64>)>,
    /// The [`SharedPost`], an object without its closing brace.
    pub(super) json: Vec<u8>,
    slots: Vec<Slot>,
}

impl CachedPost {
    fn new(
        row: &PostRow,
        members: &collections::HashMap<i64, MemberRef>,
        votes: &collections::HashMap<(i64, i64), i64>,
        suspended: &SuspendedUsernames,
        slots: Vec<Slot>,
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
        let replied_to = row.reply_to.and_then(|(id, author)| {
            let (id, author) = (Id(id), members.get(&author)?.clone());
            Some(ReplyTo { id, author })
        });
        Self {
            id: row.id,
            author: row.author,
            author_name,
            reply_to: row.reply_to,
            replied_to,
            repost_of: row.repost_of,
            is_deleted: row.deleted,
            reply_count: post.reply_count,
            repost_count: post.repost_count,
            poll: (!votes.is_empty()).then_some((post.poll_options, votes)),
            json,
            slots,
        }
    }

    /// What is left of the post for a viewer who may not see it.
    pub(super) fn tombstone(&self) -> SharedPost {
        let row = PostRow {
            id: self.id,
            reply_to: self.reply_to,
            repost_of: self.repost_of,
            counts: [0, 0, self.reply_count],
            deleted: true,
            ..PostRow::default()
        };
        shared_post(&row, MemberRef::hidden(), &SuspendedUsernames::default())
    }
}

/// The post of a row, without mentions of suspended members.
fn shared_post(row: &PostRow, author: MemberRef, suspended: &SuspendedUsernames) -> SharedPost {
    let images: Vec<Image> = list_of(row.images.as_deref());
    let mut mentions: Vec<Mention> = list_of(row.mentions.as_deref());
    mentions.retain(|mention| !suspended.contains(&mention.username));
    let [like_count, repost_count, reply_count] = row.counts;
    SharedPost {
        id: Id(row.id),
        content: row.content.clone(),
        author,
        created_at: rfc3339(Id(row.id).time()),
        image_urls: images.iter().map(|image| image.url.clone()).collect(),
        images,
        poll_options: list_of(row.options.as_deref()),
        poll_expires_at: row.expires.map(rfc3339),
        reply_to_id: row.reply_to.map(|(id, _)| Id(id)),
        repost_of_id: row.repost_of.map(Id),
        mentions,
        hashtags: list_of(row.hashtags.as_deref()),
        links: find_links(&row.content),
        reply_count,
        repost_count,
        like_count,
        is_deleted: row.deleted,
    }
}

impl Remembered for CachedPost {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        let name = self.author_name.as_ref().map_or(0, String::capacity);
        let replied_to = self.replied_to.as_ref().map_or(0, |parent| {
            let picture = parent.author.profile_image_url.as_ref();
            parent.author.username.capacity()
                + parent.author.display_name.capacity()
                + picture.map_or(0, String::capacity)
        });
        let poll = self.poll.as_ref().map_or(0, |(options, _)| {
            options.iter().map(|option| option.capacity() + 40).sum()
        });
        let texts = self.json.capacity() + name + replied_to + poll;
        size_of::<Self>() + texts + self.slots.len() * 2
    }
}

/// Posts with what they repost, and what the viewer did to them.
#[derive(Debug, Default)]
pub struct PostSet {
    pub(super) posts: HashMap<i64, Arc<CachedPost>>,
    pub(super) deeds: HashMap<i64, Deed>,
    /// A suspended member whose posts are shown all the same. Such posts are not cached.
    spared: Option<Id>,
}

impl PostSet {
    /// An empty set; with `spared` it also holds the posts of that suspended member.
    pub(crate) fn sparing(spared: Option<Id>) -> Self {
        Self {
            spared,
            ..Self::default()
        }
    }

    /// Posts, those that they repost, and what a viewer did to all of them.
    pub(super) async fn load(
        app: &PostsState,
        db: &Reader<'_>,
        viewer: Id,
        ids: &[i64],
    ) -> Result<Self> {
        let mut posts = Self::default();
        posts.load_more(app, db, viewer, ids).await?;
        Ok(posts)
    }

    /// The post that a write has just made or changed. It is not cached: its row was read before the commit
    /// that invalidates what is cached, and it may have changed again since.
    pub(super) async fn written(
        app: &PostsState,
        db: &Reader<'_>,
        written: WrittenPost,
    ) -> Result<Self> {
        let WrittenPost { row, members, deed } = written;
        let suspended = suspended_names(app, db, [&row]).await?;
        let votes = collections::HashMap::new();
        let post = CachedPost::new(&row, &members, &votes, &suspended, Vec::new());
        let mut posts = Self::default();
        posts.deeds.insert(row.id, deed);
        posts.posts.insert(row.id, Arc::new(post));
        Ok(posts)
    }

    /// Adds posts, those that they repost, and what the viewer did to all of them.
    pub(super) async fn load_more(
        &mut self,
        app: &PostsState,
        db: &Reader<'_>,
        viewer: Id,
        ids: &[i64],
    ) -> Result<()> {
        if ids.iter().all(|id| self.posts.contains_key(id)) {
            return Ok(());
        }
        let mut rows = self.look_up(app, db, ids).await?;
        let known = self.posts.values().filter_map(|post| post.repost_of);
        let originals = known.chain(rows.iter().filter_map(|(row, _)| row.repost_of));
        let originals = originals.collect::<Vec<_>>();
        rows.extend(self.look_up(app, db, &originals).await?);
        // A page may hold a post beside a repost of it.
        rows.sort_unstable_by_key(|(row, _)| row.id);
        rows.dedup_by_key(|(row, _)| row.id);
        let all = self.posts.keys().copied();
        let all = all.chain(rows.iter().map(|(row, _)| row.id));
        let all = all.filter(|id| !self.deeds.contains_key(id));
        let all = all.collect::<Vec<_>>();
        let polls = self.posts.values().filter(|post| post.poll.is_some());
        let polls = polls.map(|post| post.id);
        let polls = polls.chain(polls_among(rows.iter().map(|(row, _)| row)));
        let polls = polls.collect::<Vec<_>>();
        let (built, deeds) = futures_util::try_join!(
            build(app, db, rows, self.spared),
            viewer_state::of(app, db, viewer, &all, &polls)
        )?;
        self.posts
            .extend(built.into_iter().map(|post| (post.id, post)));
        self.deeds.extend(deeds);
        Ok(())
    }

    /// Adds the posts that are cached, and returns the rows of the others, each with the stamp of its slot
    /// from before it was read.
    async fn look_up(
        &mut self,
        app: &PostsState,
        db: &Reader<'_>,
        ids: &[i64],
    ) -> Result<Vec<(PostRow, Stamp)>> {
        let mut missing = Vec::new();
        for id in ids {
            if self.posts.contains_key(id) {
                continue;
            }
            match app.known.get(id).filter(|_| self.spared.is_none()) {
                Some(post) => drop(self.posts.insert(*id, post)),
                None => missing.push(*id),
            }
        }
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let stamps = missing.iter();
        let stamps = stamps.map(|id| (*id, app.memory.stamp(&[Slot::of(Topic::Post, *id)])));
        let stamps = stamps.collect::<HashMap<_, _>>();
        let rows = store::rows(db, &missing).await?.into_iter();
        let rows = rows.filter_map(|row| {
            let stamp = *stamps.get(&row.id)?;
            Some((row, stamp))
        });
        Ok(rows.collect())
    }
}

/// A post as the write that made or changed it left it: read inside the write, where the pages of its rows
/// are at hand. It reposts nothing and has no votes.
#[derive(Debug)]
pub(super) struct WrittenPost {
    pub(super) row: PostRow,
    /// The author, and the author of the post it replies to.
    pub(super) members: collections::HashMap<i64, MemberRef>,
    /// What the viewer did to it.
    pub(super) deed: Deed,
}

async fn build(
    app: &PostsState,
    db: &Reader<'_>,
    rows: Vec<(PostRow, Stamp)>,
    spared: Option<Id>,
) -> Result<Vec<Arc<CachedPost>>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    // The members of a post are known only now that its row was read; they are read after this.
    let slots = rows.iter().map(|(row, stamp)| {
        let around = slots_around(row);
        let stamp = stamp.and(app.memory.stamp(&around));
        let own = std::iter::once(Slot::of(Topic::Post, row.id));
        (stamp, own.chain(around).collect::<Vec<_>>())
    });
    let slots = slots.collect::<Vec<_>>();
    let rows = || rows.iter().map(|(row, _)| row);
    let members = rows().flat_map(|row| [Some(row.author), row.reply_to.map(|(_, by)| by)]);
    let mut members = members.flatten().collect::<Vec<_>>();
    members.sort_unstable();
    members.dedup();
    let polls = polls_among(rows()).collect::<Vec<_>>();
    let (votes, members, suspended) = futures_util::try_join!(
        store::votes(db, &polls),
        members::load_refs_sparing(db, spared, &members),
        suspended_names(app, db, rows()),
    )?;
    let built = rows().zip(slots).map(|(row, (stamp, slots))| {
        let post = CachedPost::new(row, &members, &votes, &suspended, slots);
        let post = Arc::new(post);
        if spared.is_none() {
            app.known.put(post.id, stamp, &post);
        }
        post
    });
    Ok(built.collect())
}

fn polls_among<'a>(rows: impl Iterator<Item = &'a PostRow>) -> impl Iterator<Item = i64> {
    rows.filter(|row| row.options.is_some()).map(|row| row.id)
}

/// The usernames of suspended members, if a text may name one.
async fn suspended_names<'a>(
    app: &PostsState,
    db: &Reader<'_>,
    rows: impl IntoIterator<Item = &'a PostRow>,
) -> Result<Arc<SuspendedUsernames>> {
    if rows.into_iter().any(|row| row.mentions.is_some()) {
        SuspendedUsernames::load_cached(&app.members, db).await
    } else {
        Ok(Arc::default())
    }
}

/// What a post's JSON depends on beside its own rows.
fn slots_around(post: &PostRow) -> Vec<Slot> {
    let mut slots = vec![Slot::of(Topic::Member, post.author)];
    if let Some((_, author)) = post.reply_to {
        slots.push(Slot::of(Topic::Member, author));
    }
    if post.mentions.is_some() {
        slots.push(Slot::of(Topic::Suspended, 0));
    }
    slots
}
