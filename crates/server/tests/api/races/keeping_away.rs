//! A block concurrent with what it forbids.

use super::{join_all_responses, statuses};
use crate::harness::on_both_engines;
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const EDGES: Sql = sql!("select count(*) from follows where follower_id = $1 or followee_id = $1");
const MIRRORS: Sql =
    sql!("select count(*) from followers where follower_id = $1 or followee_id = $1");

on_both_engines! {
    /// In either order no follow remains, and the counts agree.
    /// proves: block-race
    async fn a_concurrent_block_and_follow_leave_no_follow(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (hers, his) = (ada.id().await, bob.id().await);
        for round in 0..12 {
            let mut tasks = JoinSet::new();
            for (tab, other) in [(ada.tab(), his.clone()), (bob.tab(), hers.clone())] {
                tasks.spawn(async move { tab.post("/api/follows", json!({"followingId": other})).await });
            }
            let (tab, path) = (ada.tab(), format!("/api/blocks/{his}"));
            tasks.spawn(async move { tab.post_empty(&path).await });
            for status in statuses(&join_all_responses(tasks).await).into_keys() {
                assert!([200, 403].contains(&status), "round {round}: {status}");
            }
            let id = hers.parse::<i64>().unwrap();
            let rows = (server.count(&EDGES, params![id]).await, server.count(&MIRRORS, params![id]).await);
            assert_eq!(rows, (0, 0), "round {round}");
            for member in [&ada, &bob] {
                let me = member.me().await;
                assert_eq!((&me["followerCount"], &me["followingCount"]), (&json!(0), &json!(0)), "round {round}");
            }
            ada.delete(&format!("/api/blocks/{his}")).await.expect(200);
        }
    }
}

on_both_engines! {
    with |options| if !options.database_url.is_empty() {
        // Disables deadlock detection, so that a deadlock lasts.
        options.database_url.push_str("?options=-c%20deadlock_timeout%3D1h");
    };

    /// Concurrent unfollows and blocks do not deadlock.
    /// proves: block-race
    async fn concurrent_blocks_and_unfollows_are_serialized(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (hers, his) = (ada.id().await, bob.id().await);
        for round in 0..20 {
            for (member, other) in [(&ada, &his), (&bob, &hers)] {
                let follow = json!({"followingId": other});
                member.post("/api/follows", follow).await.expect(200);
            }
            let mut tasks = JoinSet::new();
            for (member, other) in [(&ada, &his), (&bob, &hers)] {
                let (tab, path) = (member.tab(), format!("/api/follows/{other}"));
                tasks.spawn(async move { tab.delete(&path).await });
                let (tab, path) = (member.tab(), format!("/api/blocks/{other}"));
                tasks.spawn(async move { tab.post_empty(&path).await });
            }
            assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(200, 4)]), "round {round}");
            for (member, other) in [(&ada, &his), (&bob, &hers)] {
                let me = member.me().await;
                assert_eq!((&me["followerCount"], &me["followingCount"]), (&json!(0), &json!(0)), "round {round}");
                member.delete(&format!("/api/blocks/{other}")).await.expect(200);
            }
        }
    }
}
