//! From ids to posts, for one reader: a handful of look-ups by key, never one per post.

use crate::app::App;
use crate::clock::rfc3339;
use crate::ids::Id;
use crate::media::Image;
use crate::posts::ahead::Ahead;
use crate::posts::deeds;
use crate::posts::shape::{Mention, Post, ReplyTo, Sight};
use crate::posts::tally::Poll;
use crate::safety::Unseen;
use crate::users::{self, MemberRef, Names};
use kith_db::{Reader, Result, Row, SqlIn, Tx, sql_in};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

static POSTS: SqlIn = sql_in!(
    "select id, author_id, content, reply_to_id, reply_to_author_id, repost_of_id, mentions, images,
       poll_options, poll_expires_at, like_count, repost_count, reply_count, hashtags, deleted_at
     from posts where id in ($ids)"
);
static CHOICES: SqlIn =
    sql_in!("select post_id, choice, votes from poll_choices where post_id in ($ids)");

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
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) id: i64,
    pub(super) author: i64,
    pub(super) content: String,
    pub(super) reply_to: Option<(i64, i64)>,
    pub(super) repost_of: Option<i64>,
    pub(super) mentions: Option<String>,
    pub(super) images: Option<String>,
    pub(super) options: Option<String>,
    pub(super) expires: Option<i64>,
    pub(super) counts: [i64; 3],
    pub(super) hashtags: Option<String>,
    pub(super) deleted: bool,
    pub(super) hidden: bool,
}

impl Stored {
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
    suspended: Arc<Names>,
}

/// The posts of a page, in the page's order. What is gone, or not for this reader, is left out.
pub(super) async fn list(
    db: &Reader<'_>,
    reader: Id,
    unseen: &Unseen,
    ids: &[i64],
) -> Result<Vec<Post>> {
    let mut stored = fetch(db, ids).await?;
    stored.retain(|_, post| !post.deleted && !unseen.is_apart(post.author));
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

/// A post as everybody sees it who keeps nobody away and did nothing: without what it reposts,
/// and without the votes, which are beside it.
pub(super) struct Whole {
    pub(super) post: Post,
    /// Whether its author can be named; one who is suspended cannot.
    pub(super) has_author: bool,
    /// The votes for each option.
    pub(super) votes: Vec<i64>,
}

/// Posts as everybody sees them, in the order of the rows.
pub(super) async fn whole(
    app: &App,
    db: &Reader<'_>,
    stored: &[Stored],
    ahead: &Ahead,
) -> Result<Vec<Whole>> {
    let members = ahead.others(named(stored.iter()));
    let polls = stored.iter().filter(|post| !ahead.has_votes_of(post.id));
    let suspended = async {
        if let Some(names) = ahead.names() {
            Ok(names)
        } else if stored.iter().any(|post| post.mentions.is_some()) {
            Names::remembered(app, db).await
        } else {
            Ok(Arc::default())
        }
    };
    let (mut votes, mut members, suspended) =
        futures_util::try_join!(votes(db, polls), users::refs(db, &members), suspended)?;
    ahead.add_to(&mut members, &mut votes);
    let around = Around {
        reader: Id::NONE,
        unseen: &Unseen::nobody(),
        suspended,
        liked: HashSet::new(),
        reposted: HashSet::new(),
        votes: HashMap::new(),
        mine: HashMap::new(),
        members,
    };
    let posts = stored.iter().map(|stored| {
        let author = around.members.get(&stored.author).cloned();
        let has_author = author.is_some();
        let author = author.unwrap_or_else(MemberRef::nobody);
        let mut post = around.shape(stored, author, None);
        post.poll_votes.clear();
        post.poll_tallies.clear();
        let choices = (0_i64..).zip(&post.poll_options);
        let choices = choices.map(|(choice, _)| votes.get(&(stored.id, choice)));
        Whole {
            has_author,
            votes: choices.map(|votes| votes.copied().unwrap_or(0)).collect(),
            post,
        }
    });
    Ok(posts.collect())
}

/// What is left, in a thread, of a post that is not for its reader.
pub(super) fn hidden(id: i64, reply_to: Option<i64>, repost_of: Option<i64>, replies: i64) -> Post {
    let around = Around {
        reader: Id::NONE,
        unseen: &Unseen::nobody(),
        suspended: Arc::default(),
        liked: HashSet::new(),
        reposted: HashSet::new(),
        votes: HashMap::new(),
        mine: HashMap::new(),
        members: HashMap::new(),
    };
    let stored = Stored {
        id,
        reply_to: reply_to.map(|post| (post, 0)),
        repost_of,
        counts: [0, 0, replies],
        deleted: true,
        hidden: true,
        ..Stored::default()
    };
    around.shape(&stored, MemberRef::nobody(), None)
}

pub(super) async fn rows(db: &Reader<'_>, ids: &[i64]) -> Result<Vec<Stored>> {
    db.all_in(&POSTS, &[], ids, Stored::read).await
}

/// A post's row, inside a transaction.
pub(super) async fn row_in(tx: &Tx, id: Id) -> Result<Option<Stored>> {
    Ok(tx.all_in(&POSTS, &[], &[id.0], Stored::read).await?.pop())
}

/// The votes for each option of the polls among some posts, by (post, choice).
async fn votes(
    db: &Reader<'_>,
    posts: impl Iterator<Item = &Stored>,
) -> Result<HashMap<(i64, i64), i64>> {
    let polls = posts.filter(|post| post.options.is_some());
    votes_of(db, &polls.map(|post| post.id).collect::<Vec<_>>()).await
}

/// The votes for each option of polls, by (post, choice).
pub(super) async fn votes_of(db: &Reader<'_>, polls: &[i64]) -> Result<HashMap<(i64, i64), i64>> {
    let read = |row: &Row<'_>| Ok(((row.int(0)?, row.int(1)?), row.int(2)?));
    let rows = db.all_in(&CHOICES, &[], polls, read).await?;
    Ok(rows.into_iter().collect())
}

/// Who wrote some posts, and whom they answer.
fn named<'a>(posts: impl Iterator<Item = &'a Stored>) -> Vec<i64> {
    let members = posts.flat_map(|post| {
        std::iter::once(post.author).chain(post.reply_to.map(|(_, author)| author))
    });
    members.collect::<HashSet<_>>().into_iter().collect()
}

async fn fetch(db: &Reader<'_>, ids: &[i64]) -> Result<HashMap<i64, Stored>> {
    let rows = rows(db, ids).await?.into_iter();
    Ok(rows.map(|post| (post.id, post)).collect())
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
    let names_somebody = stored.values().any(|post| post.mentions.is_some());
    let suspended = async {
        if names_somebody && !unseen.is_empty() {
            Names::read(db).await
        } else {
            Ok(Arc::default())
        }
    };
    let members = named(stored.values());
    let (deeds, votes, members, suspended) = futures_util::try_join!(
        deeds::read(db, reader, &posts, &polls),
        votes(db, stored.values()),
        users::refs_for(db, reader, &members),
        suspended,
    )?;
    let (liked, reposted, mine) = deeds;
    Ok(Around {
        reader,
        unseen,
        suspended,
        liked: liked.into_iter().collect(),
        reposted: reposted.into_iter().collect(),
        votes,
        mine: mine.into_iter().collect(),
        members,
    })
}

impl Around<'_> {
    fn show(&self, stored: &Stored, original: Option<Post>) -> Option<Post> {
        let author = self.members.get(&stored.author)?.clone();
        Some(self.shape(stored, author, original))
    }

    fn shape(&self, stored: &Stored, author: MemberRef, original: Option<Post>) -> Post {
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
        post
    }

    fn show_poll(&self, post: &mut Post) {
        let id = post.id.0;
        let choices = (0_i64..).zip(&post.poll_options);
        let votes = choices.map(|(choice, _)| self.votes.get(&(id, choice)).copied().unwrap_or(0));
        let votes = votes.collect::<Vec<_>>();
        let poll = Poll::of(
            &post.poll_options,
            &votes,
            self.mine.get(&id).copied(),
            self.reader,
        );
        post.poll_votes = poll.votes;
        post.poll_tallies = poll.tallies;
        post.poll_my_vote = poll.mine;
    }
}

/// A list as a row holds it, in JSON; null is an empty one.
pub(super) fn list_of<T: serde::de::DeserializeOwned>(json: Option<&str>) -> Vec<T> {
    json.and_then(|json| serde_json::from_str(json).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Topic, unwatched};

    /// A column that is read but not watched would be remembered for ever.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_read_is_watched() {
        for (list, table) in [
            (&POSTS, "posts"),
            (&CONTENTS, "posts"),
            (&CHOICES, "poll_choices"),
        ] {
            let text = list.all_sizes().next().map(|sql| sql.postgres).unwrap();
            assert_eq!(unwatched(text, Topic::Post, table), [""; 0], "{text}");
        }
    }

    /// The test above sees a column that nobody watches.
    #[test]
    fn a_column_that_is_not_watched_is_named() {
        let text = "select id, content, people_count from posts where id in ($1) and rank > 1";
        assert_eq!(
            unwatched(text, Topic::Post, "posts"),
            ["people_count", "rank"]
        );
    }
}
