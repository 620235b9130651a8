//! Global ranking of posts. A post's rank is its creation time in milliseconds plus 6 hours per doubling of its
//! participants: 6 hours for one, 12 for three, 18 for seven. Participants are distinct members, without the
//! author, who currently like, repost or reply to the post. The order of two posts does not depend on the
//! time of reading, and a rank changes only when a doubling is reached or lost.

use crate::platform::clock::{HOUR, Millis};
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// Rank bonus per doubling of the participants.
const DOUBLING: Millis = 6 * HOUR;

/// Changes the count only for the member's first interaction, or when the last one is removed. The caller has
/// locked the post's row by changing it, so that concurrent interactions of one member see each other.
const COUNT: Sql = sql!(
    "update posts set people_count = people_count + $3 where id = $1 and author_id <> $2 and
       (select count(*) from likes where post_id = $1 and member_id = $2)
       + (select count(*) from reposts where post_id = $1 and member_id = $2)
       + (select count(*) from replies where post_id = $1 and author_id = $2 and deleted_at is null) = $4
     returning people_count, rank"
);
const RERANK: Sql = sql!("update posts set rank = $2 where id = $1 and rank is not null");

/// Computes the rank of a post with `people` participants, in milliseconds since 1970.
#[must_use]
pub fn compute_rank(post: Id, people: i64) -> Millis {
    post.time() + DOUBLING * i64::from((people.max(0) + 1).ilog2())
}

/// Counts a member who just liked, reposted or replied to a post.
pub(super) async fn add_participant(tx: &Tx, post: Id, member: Id) -> Result<()> {
    change_count(tx, post, params![post.0, member.0, 1, 1]).await
}

/// Uncounts a member who just removed a like, repost or reply, unless another interaction remains.
pub(super) async fn remove_participant(tx: &Tx, post: Id, member: Id) -> Result<()> {
    change_count(tx, post, params![post.0, member.0, -1, 0]).await
}

async fn change_count(tx: &Tx, post: Id, bound: &[kith_db::Param<'_>]) -> Result<()> {
    let changed = tx.opt(&COUNT, bound, |row| Ok((row.int(0)?, row.opt_int(1)?))).await?;
    if let Some((people, Some(old_rank))) = changed {
        let new_rank = compute_rank(post, people);
        if new_rank != old_rank {
            tx.exec(&RERANK, params![post.0, new_rank]).await?;
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
        let bonus = |people| compute_rank(post, people) - post.time();
        for (people, hours) in [(0, 0), (1, 6), (2, 6), (3, 12), (6, 12), (7, 18), (1_023, 60)] {
            assert_eq!(bonus(people), hours * HOUR, "{people}");
        }
        assert_eq!(bonus(-1), 0, "a count that drifted does no harm");
    }
}
