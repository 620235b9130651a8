//! From ids to posts, for one reader: a handful of look-ups by key, never one per post.

use crate::clock::rfc3339;
use crate::ids::Id;
use crate::media::Image;
use crate::posts::shape::{Mention, Post, ReplyTo, Sight};
use crate::safety::Unseen;
use crate::users::{self, MemberRef};
use kith_db::{Reader, Result, Row, SqlIn, params, sql_in};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Voters that are listed for each option.
const VOTERS: usize = 100;

static POSTS: SqlIn = sql_in!(
    "select id, author_id, content, reply_to_id, reply_to_author_id, repost_of_id, mentions, images,
       poll_options, poll_expires_at, like_count, repost_count, reply_count, hashtags, deleted_at
     from posts where id in ($ids)"
);
static LIKED: SqlIn =
    sql_in!("select post_id from likes where member_id = $1 and post_id in ($ids)");
static REPOSTED: SqlIn =
    sql_in!("select post_id from reposts where member_id = $1 and post_id in ($ids)");
static CHOICES: SqlIn =
    sql_in!("select post_id, choice, votes from poll_choices where post_id in ($ids)");
static MY_VOTES: SqlIn =
    sql_in!("select post_id, choice from poll_votes where member_id = $1 and post_id in ($ids)");

static CONTENTS: SqlIn =
    sql_in!("select id, content from posts where id in ($ids) and deleted_at is null");

/// The texts of posts, by id; what is gone is left out.
pub async fn contents(db: &Reader<'_>, ids: &[i64]) -> Result<HashMap<i64, String>> {
    let rows = db
        .all_in(&CONTENTS, &[], ids, |row| Ok((row.int(0)?, row.text(1)?)))
        .await?;
    Ok(rows.into_iter().collect())
}

/// A stored post.
struct Stored {
    id: i64,
    author: i64,
    content: String,
    reply_to: Option<(i64, i64)>,
    repost_of: Option<i64>,
    mentions: Option<String>,
    images: Option<String>,
    options: Option<String>,
    expires: Option<i64>,
    counts: [i64; 3],
    hashtags: Option<String>,
    deleted: bool,
    hidden: bool,
}

impl Stored {
    /// Takes away everything but its place.
    fn hide(&mut self) {
        self.content.clear();
        self.mentions = None;
        self.images = None;
        self.options = None;
        self.expires = None;
        self.hashtags = None;
        let [_, _, replies] = self.counts;
        self.counts = [0, 0, replies];
        self.deleted = true;
        self.hidden = true;
    }

    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.int(0)?,
            author: row.int(1)?,
            content: row.text(2)?,
            reply_to: row.opt_int(3)?.zip(row.opt_int(4)?),
            repost_of: row.opt_int(5)?,
            mentions: row.opt_text(6)?,
            images: row.opt_text(7)?,
            options: row.opt_text(8)?,
            expires: row.opt_int(9)?,
            counts: [row.int(10)?, row.int(11)?, row.int(12)?],
            hashtags: row.opt_text(13)?,
            deleted: row.opt_int(14)?.is_some(),
            hidden: false,
        })
    }
}

/// What this reader did, and who everybody is.
struct Around<'a> {
    reader: Id,
    unseen: &'a Unseen,
    liked: HashSet<i64>,
    reposted: HashSet<i64>,
    /// Votes by (post, choice).
    votes: HashMap<(i64, i64), i64>,
    mine: HashMap<i64, i64>,
    members: HashMap<i64, MemberRef>,
    /// Usernames that lead nowhere at present, if a text may name one.
    suspended: HashSet<String>,
}

/// What becomes of deleted posts, and of those by members whom the reader does not see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deleted {
    /// They are left out.
    Hidden,
    /// They are shown as tombstones, without what they said.
    Shown,
}

/// The posts of a page, in the page's order. What is gone is left out.
pub(super) async fn list(
    db: &Reader<'_>,
    reader: Id,
    unseen: &Unseen,
    ids: &[i64],
) -> Result<Vec<Post>> {
    list_with(db, reader, unseen, ids, Deleted::Hidden).await
}

/// The posts of a page, in the page's order.
pub(super) async fn list_with(
    db: &Reader<'_>,
    reader: Id,
    unseen: &Unseen,
    ids: &[i64],
    deleted: Deleted,
) -> Result<Vec<Post>> {
    let mut stored = fetch(db, ids).await?;
    for post in stored.values_mut() {
        if unseen.is_apart(post.author) {
            post.hide();
        }
    }
    if deleted == Deleted::Hidden {
        stored.retain(|_, post| !post.deleted);
    }
    let originals = stored
        .values()
        .filter_map(|post| post.repost_of)
        .filter(|id| !stored.contains_key(id))
        .collect::<Vec<_>>();
    let originals = fetch(db, &originals).await?.into_iter();
    let originals = originals.filter(|(_, post)| !post.deleted && !unseen.is_apart(post.author));
    stored.extend(originals);
    let around = look_around(db, reader, unseen, &stored).await?;
    let posts = ids
        .iter()
        .filter_map(|id| stored.get(id))
        .filter_map(|post| {
            let original = post.repost_of.map(|id| {
                stored
                    .get(&id)
                    .and_then(|original| around.show(original, None))
            });
            // A repost of something that is gone shows nothing.
            if original.as_ref().is_some_and(Option::is_none) {
                None
            } else {
                around.show(post, original.flatten())
            }
        });
    Ok(posts.collect())
}

/// One post.
pub(super) async fn one(db: &Reader<'_>, reader: Id, id: Id) -> Result<Option<Post>> {
    let unseen = Unseen::of(db, reader).await?;
    Ok(list(db, reader, &unseen, &[id.0]).await?.pop())
}

async fn fetch(db: &Reader<'_>, ids: &[i64]) -> Result<HashMap<i64, Stored>> {
    Ok(db
        .all_in(&POSTS, &[], ids, Stored::read)
        .await?
        .into_iter()
        .map(|post| (post.id, post))
        .collect())
}

async fn look_around<'a>(
    db: &Reader<'_>,
    reader: Id,
    unseen: &'a Unseen,
    stored: &HashMap<i64, Stored>,
) -> Result<Around<'a>> {
    let posts = stored.keys().copied().collect::<Vec<_>>();
    let polls = stored
        .values()
        .filter(|post| post.options.is_some())
        .map(|post| post.id)
        .collect::<Vec<_>>();
    let members = stored.values().flat_map(|post| {
        std::iter::once(post.author).chain(post.reply_to.map(|(_, author)| author))
    });
    let members = members
        .collect::<HashSet<_>>()
        .into_iter()
        .collect::<Vec<_>>();
    let names_somebody = stored.values().any(|post| post.mentions.is_some());
    let suspended = async {
        if names_somebody && !unseen.is_empty() {
            users::suspended_names(db).await
        } else {
            Ok(HashSet::new())
        }
    };
    let me = params![reader.0];
    let (liked, reposted, choices, mine, members, suspended) = futures_util::try_join!(
        db.all_in(&LIKED, me, &posts, |row| row.int(0)),
        db.all_in(&REPOSTED, me, &posts, |row| row.int(0)),
        db.all_in(&CHOICES, &[], &polls, |row| Ok((
            (row.int(0)?, row.int(1)?),
            row.int(2)?
        ))),
        db.all_in(&MY_VOTES, me, &polls, |row| Ok((row.int(0)?, row.int(1)?))),
        users::refs_for(db, reader, &members),
        suspended,
    )?;
    Ok(Around {
        reader,
        unseen,
        suspended,
        liked: liked.into_iter().collect(),
        reposted: reposted.into_iter().collect(),
        votes: choices.into_iter().collect(),
        mine: mine.into_iter().collect(),
        members,
    })
}

impl Around<'_> {
    fn show(&self, stored: &Stored, original: Option<Post>) -> Option<Post> {
        let author = if stored.hidden {
            MemberRef::nobody()
        } else {
            self.members.get(&stored.author)?.clone()
        };
        let images: Vec<Image> = list_of(stored.images.as_deref());
        let mut mentions: Vec<Mention> = list_of(stored.mentions.as_deref());
        mentions.retain(|mention| !self.suspended.contains(&mention.username));
        let [like_count, repost_count, reply_count] = stored.counts;
        let mut post = Post {
            id: Id(stored.id),
            content: stored.content.clone(),
            author,
            created_at: rfc3339(Id(stored.id).time()),
            image_urls: images.iter().map(|image| image.url.clone()).collect(),
            images,
            poll_options: list_of(stored.options.as_deref()),
            poll_votes: BTreeMap::new(),
            poll_tallies: BTreeMap::new(),
            poll_my_vote: None,
            poll_expires_at: stored.expires.map(rfc3339),
            reply_to_id: stored.reply_to.map(|(id, _)| Id(id)),
            reply_to: stored.reply_to.and_then(|(id, author)| {
                let author = Some(author).filter(|author| !self.unseen.is_apart(*author))?;
                Some(ReplyTo {
                    id: Id(id),
                    author: self.members.get(&author)?.clone(),
                })
            }),
            repost_of_id: stored.repost_of.map(Id),
            repost_of: original.map(Box::new),
            mentions,
            hashtags: list_of(stored.hashtags.as_deref()),
            reply_count,
            repost_count,
            like_count,
            is_liked: !stored.hidden && self.liked.contains(&stored.id),
            is_reposted: !stored.hidden && self.reposted.contains(&stored.id),
            is_deleted: stored.deleted,
            sight: Sight {
                is_hidden: stored.hidden,
                is_muted: !stored.hidden && self.unseen.ties(stored.author).is_muted(),
            },
            reason: None,
        };
        self.show_poll(&mut post);
        Some(post)
    }

    /// Fills the poll in. Voters are counted, not named, except the reader.
    fn show_poll(&self, post: &mut Post) {
        for (choice, option) in (0_i64..).zip(&post.poll_options) {
            let votes = self.votes.get(&(post.id.0, choice)).copied().unwrap_or(0);
            let own = self.mine.get(&post.id.0) == Some(&choice);
            let others = usize::try_from(votes - i64::from(own))
                .unwrap_or(0)
                .min(VOTERS - usize::from(own));
            let mut voters = (1..=others)
                .map(|n| format!("voter-{n}"))
                .collect::<Vec<_>>();
            if own {
                voters.push(self.reader.0.to_string());
                post.poll_my_vote = Some(option.clone());
            }
            post.poll_votes.insert(option.clone(), voters);
            post.poll_tallies.insert(option.clone(), votes);
        }
    }
}

/// A list as a row holds it, in JSON; null is an empty one.
pub(super) fn list_of<T: serde::de::DeserializeOwned>(json: Option<&str>) -> Vec<T> {
    json.and_then(|json| serde_json::from_str(json).ok())
        .unwrap_or_default()
}
