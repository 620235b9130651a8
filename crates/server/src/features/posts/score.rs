//! How posts are ranked for everybody, and who took part in them.
//!
//! A post's rank is its time in milliseconds, moved 6 hours later each time the number
//! of people who took part doubles: one person is worth 6 hours, three are worth 12,
//! seven 18. People are distinct members, without the author, who like, repost or
//! answer the post at present. The order of two posts therefore never depends on when
//! one looks, and a rank changes only when a doubling is reached or lost.

use crate::platform::clock::{HOUR, Millis};
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// What twice the people are worth.
const DOUBLING: Millis = 6 * HOUR;

/// Changes the count only if this deed was the member's first, or was their last one.
/// The caller has changed the post's row before, so that two deeds of one member see each other.
const COUNT: Sql = sql!(
    "update posts set people_count = people_count + $3 where id = $1 and author_id <> $2 and
       (select count(*) from likes where post_id = $1 and member_id = $2)
       + (select count(*) from reposts where post_id = $1 and member_id = $2)
       + (select count(*) from replies where post_id = $1 and author_id = $2 and deleted_at is null) = $4
     returning people_count, rank"
);
const RERANK: Sql = sql!("update posts set rank = $2 where id = $1 and rank is not null");

/// The rank of a post in which so many people took part.
#[must_use]
pub fn rank(post: Id, people: i64) -> Millis {
    post.time() + DOUBLING * i64::from((people.max(0) + 1).ilog2())
}

/// Notes that a member has just liked, reposted or answered a post.
pub(super) async fn joined(tx: &Tx, post: Id, member: Id) -> Result<()> {
    count(tx, post, params![post.0, member.0, 1, 1]).await
}

/// Notes that a member has just taken a like or repost back, or deleted an answer.
pub(super) async fn left(tx: &Tx, post: Id, member: Id) -> Result<()> {
    count(tx, post, params![post.0, member.0, -1, 0]).await
}

async fn count(tx: &Tx, post: Id, bound: &[kith_db::Param<'_>]) -> Result<()> {
    let changed = tx
        .opt(&COUNT, bound, |row| Ok((row.int(0)?, row.opt_int(1)?)))
        .await?;
    if let Some((people, Some(before))) = changed {
        let now = rank(post, people);
        if now != before {
            tx.exec(&RERANK, params![post.0, now]).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: foryou-people
    #[test]
    fn each_doubling_of_the_people_is_worth_six_hours() {
        let post = Id(Id::first_at(1_795_253_400_000));
        let worth = |people| rank(post, people) - post.time();
        for (people, hours) in [
            (0, 0),
            (1, 6),
            (2, 6),
            (3, 12),
            (6, 12),
            (7, 18),
            (1_023, 60),
        ] {
            assert_eq!(worth(people), hours * HOUR, "{people}");
        }
        assert_eq!(worth(-1), 0, "a count that drifted does no harm");
    }
}
