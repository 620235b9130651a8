//! Telling a member: written with the deed itself.

use crate::features::relationships::{self, HiddenMembers};
use crate::http::pagination::FARTHEST;
use crate::platform::ids::Id;
use kith_db::{Db, Row, Sql, SqlIn, Tx, params, sql, sql_in};

/// What happened. The numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Somebody follows the member.
    Follow = 0,
    /// Somebody likes the member's post.
    Like = 1,
    /// Somebody answers the member's post.
    Reply = 2,
    /// Somebody reposts the member's post.
    Repost = 3,
    /// Somebody names the member in a post.
    Mention = 4,
}

const INSERT: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id) values ($1, $2, $3, $4, $5)
     on conflict (member_id, kind, actor_id, post_id) do nothing"
);
/// A notification of a reply or a mention has the post's own id.
const FORGET: Sql = sql!("delete from notifications where member_id = $1 and id = $2");
const FORGET_OWN: Sql =
    sql!("delete from notifications where member_id = $1 and kind = $2 and post_id = $3");
const FORGET_UNREAD: Sql =
    sql!("delete from notifications where member_id = $1 and actor_id = $2 and read_at is null");
/// Deleting them finds those that came meanwhile as well; a post that has more has some deleted before.
const MANY: u32 = 500;
const OWN: Sql = sql!(
    "select id from notifications where member_id = $1 and kind = $2 and post_id = $3
     order by actor_id limit $4"
);
const IS_MANY: Sql = sql!(
    "select id from notifications where member_id = $1 and kind = $2 and post_id = $3
     order by actor_id limit 1 offset $4"
);
static FORGET_SOME: SqlIn =
    sql_in!("delete from notifications where member_id = $1 and id in ($ids) returning id");
/// Unread rows that are counted at most: more are shown as many, and every page asks.
const COUNTED: i64 = 1_000;
/// Steps of as many rows that a count takes at most: all may be of members who are not seen.
const STEPS: usize = FARTHEST / 1_000;
/// In the order of their index, from an actor on.
const UNREAD: Sql = sql!(
    "select actor_id, count(*) from (select actor_id from notifications
       where member_id = $1 and read_at is null and actor_id >= $2 order by actor_id limit 1000) as unread
     group by actor_id"
);

/// Notifies `member` of an action of `actor`; `post` is [`Id::NONE`] for a follow. Nobody is notified of their own
/// actions, twice of the same, or of a muted or blocked member's.
pub async fn notify(
    tx: &Tx,
    id: Id,
    kind: Kind,
    member: Id,
    actor: Id,
    post: Id,
) -> kith_db::Result<()> {
    let hears = hears(tx, member, actor).await?;
    tell(tx, hears, (id, kind), member, actor, post).await
}

/// Whether a member is told of what another does: asked before [`tell`], beside other questions.
pub async fn hears(tx: &Tx, member: Id, actor: Id) -> kith_db::Result<bool> {
    Ok(member != actor && !relationships::suppresses_notifications(tx, member, actor).await?)
}

/// The same as [`notify`], once it is known whether the member hears of it.
pub async fn tell(
    tx: &Tx,
    hears: bool,
    (id, kind): (Id, Kind),
    member: Id,
    actor: Id,
    post: Id,
) -> kith_db::Result<()> {
    if !hears {
        return Ok(());
    }
    tx.exec(
        &INSERT,
        params![member.0, id.0, kind as i64, actor.0, post.0],
    )
    .await
    .map(drop)
}

/// How many of at most a thousand the member has not read, without those by members who are not seen.
pub async fn unread(
    db: &kith_db::Reader<'_>,
    member: Id,
    unseen: &HiddenMembers,
) -> kith_db::Result<i64> {
    // `before` are those of actors before `from`.
    let (mut before, mut from, mut steps) = (0, Id::NONE.0, 0);
    loop {
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let counts = db.all(&UNREAD, params![member.0, from], read).await?;
        steps += 1;
        let seen = counts
            .iter()
            .filter(|(actor, _)| !unseen.hides_from_lists(*actor));
        let found = before + seen.map(|(_, count)| count).sum::<i64>();
        let is_last = counts.iter().map(|(_, count)| count).sum::<i64>() < COUNTED;
        let last = counts.into_iter().max().filter(|_| !is_last);
        let Some((last, count)) = last.filter(|_| found < COUNTED && steps < STEPS) else {
            return Ok(found.min(COUNTED));
        };
        // There may be more by the last one: who is not seen is passed over, anybody else counted anew.
        (before, from) = if unseen.hides_from_lists(last) {
            (found, last + 1)
        } else {
            (found - count, last)
        };
    }
}

/// Takes back what a member was told of another's deeds and has not read.
pub async fn forget_unread(tx: &mut Tx, member: Id, actor: Id) -> kith_db::Result<()> {
    tx.exec(&FORGET_UNREAD, params![member.0, actor.0])
        .await
        .map(drop)
}

/// Deletes most notifications of a post that its author is about to delete, in steps: a million likes in one write
/// would block all others. Does nothing for another member.
pub async fn forget_before(db: &Db, post: Id, author: Id) -> kith_db::Result<()> {
    for kind in [Kind::Like, Kind::Repost] {
        let bound = params![author.0, kind as i64, post.0, MANY];
        while db.opt(&IS_MANY, bound, |_| Ok(())).await?.is_some() {
            db.write(ForgetSome { post, author, kind }).await?;
        }
    }
    Ok(())
}

struct ForgetSome {
    post: Id,
    author: Id,
    kind: Kind,
}

impl kith_db::Write for ForgetSome {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![self.author.0, self.kind as i64, self.post.0, MANY];
        let ids = tx.all(&OWN, bound, |row| row.int(0)).await?;
        let author = params![self.author.0];
        tx.all_in(&FORGET_SOME, author, &ids, |_| Ok(())).await?;
        Ok(())
    }
}

/// Deletes a post's notifications: those of members it answered or named, and its author's about likes and reposts.
pub async fn forget_post(tx: &mut Tx, post: Id, author: Id, told: &[Id]) -> kith_db::Result<()> {
    for member in told {
        tx.exec(&FORGET, params![member.0, post.0]).await?;
    }
    for kind in [Kind::Like, Kind::Repost] {
        tx.exec(&FORGET_OWN, params![author.0, kind as i64, post.0])
            .await?;
    }
    Ok(())
}
