//! Verifies after a run that the database has every acknowledged write and no other.

use super::ServerPair;
use crate::scenarios::{Scenario, TEXT};
use anyhow::{Context as _, Result, ensure};
use kith::platform::clock::Millis;
use kith::platform::ids::Id;
use kith::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db, Sql, params, sql};
use std::collections::HashSet;

const POSTS: Sql = sql!("select count(*) from posts where content = $1");
const LIKES: Sql = sql!("select member_id, post_id from likes where id >= $1");
const MEMBERS_LIKES: Sql = sql!("select member_id, post_id from member_likes where id >= $1");
const FOLLOWS: Sql = sql!("select follower_id, followee_id from follows where id >= $1");
const FOLLOWERS: Sql = sql!("select follower_id, followee_id from followers where id >= $1");

/// Writes that a server acknowledged.
pub(super) struct ExpectedWrites {
    begun: Millis,
    posts: u64,
    /// Pairs of member and liked post.
    likes: HashSet<(i64, i64)>,
    /// Pairs of follower and followed member.
    follows: HashSet<(i64, i64)>,
}

impl ExpectedWrites {
    /// Writes that the product acknowledged since `begun`, with `extra_posts` outside the scenarios.
    pub(super) fn of_product(pair: &ServerPair, begun: Millis, extra_posts: u64) -> Self {
        let scenario_run = |scenario| pair.scenario_run(scenario, false);
        Self {
            begun,
            posts: scenario_run(Scenario::CreatePost).writes_sent() + extra_posts,
            likes: scenario_run(Scenario::Like).edges().collect(),
            follows: scenario_run(Scenario::Follow).edges().collect(),
        }
    }

    /// Writes that the baseline acknowledged; the recorded first write went to the product only.
    pub(super) fn of_baseline(pair: &ServerPair, product: &Self) -> Self {
        let edges = |scenario| pair.scenario_run(scenario, true).edges().skip(1).collect();
        Self {
            begun: product.begun,
            posts: pair.scenario_run(Scenario::CreatePost, true).writes_sent() - 1,
            likes: edges(Scenario::Like),
            follows: edges(Scenario::Follow),
        }
    }
}

/// Fails unless the database has exactly these writes; with `recount` also if a stored count is wrong.
pub(super) async fn verify_database(
    database: &Config,
    expected: &ExpectedWrites,
    recount: bool,
) -> Result<()> {
    let db = Db::open_as_is(database, MIGRATIONS).await?;
    let posts = db.one(&POSTS, params![TEXT], |row| row.int(0)).await?;
    ensure!(
        u64::try_from(posts)? == expected.posts,
        "expected {} posts, found {posts}",
        expected.posts
    );
    let since = Id::first_at(expected.begun);
    for (table, sql, edges) in [
        ("likes", &LIKES, &expected.likes),
        ("member_likes", &MEMBERS_LIKES, &expected.likes),
        ("follows", &FOLLOWS, &expected.follows),
        ("followers", &FOLLOWERS, &expected.follows),
    ] {
        let read = |row: &kith_db::Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let there = db.all(sql, params![since], read).await?;
        let there = there.into_iter().collect::<HashSet<_>>();
        ensure!(
            there == *edges,
            "{table}: expected {}, found {}, {} in common",
            edges.len(),
            there.len(),
            edges.intersection(&there).count()
        );
    }
    if recount {
        let wrong = kith::ops::consistency::find_count_mismatches(&db).await;
        let wrong = wrong.context("cannot compare the counts")?;
        ensure!(wrong.is_empty(), "wrong counts after the run: {wrong:?}");
    }
    db.close().await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_db::Tx;

    /// Inserts both rows of a like.
    struct Like;

    impl kith_db::Write for Like {
        type Out = ();
        type Err = kith_db::Error;

        async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
            let like = sql!("insert into likes (member_id, post_id, id) values (1, 2, $1)");
            let mirror =
                sql!("insert into member_likes (member_id, post_id, id) values (1, 2, $1)");
            let id = params![Id::first_at(1_800_000_000_000)];
            tx.exec(&like, id).await?;
            tx.exec(&mirror, id).await.map(drop)
        }
    }

    /// Missing writes and other writes than the acknowledged ones are found.
    #[tokio::test]
    async fn exactly_the_acknowledged_writes_are_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config::sqlite(folder.path().join("kith.db"));
        let db = Db::open(&config, MIGRATIONS).await.unwrap();
        db.write(Like).await.unwrap();
        db.close().await;
        for (posts, like, follow, is_right) in [
            (0, Some((1, 2)), None, true),
            (1, Some((1, 2)), None, false),
            (0, Some((1, 3)), None, false),
            (0, None, None, false),
            (0, Some((1, 2)), Some((1, 2)), false),
        ] {
            let expected = ExpectedWrites {
                begun: 1_795_000_000_000,
                posts,
                likes: like.into_iter().collect(),
                follows: follow.into_iter().collect(),
            };
            let checked = verify_database(&config, &expected, false).await;
            assert_eq!(checked.is_ok(), is_right, "{posts} {like:?} {follow:?}");
        }
    }
}
