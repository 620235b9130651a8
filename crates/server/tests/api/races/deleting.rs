//! Deleting posts while others reply, like or repost, and cancelling a deletion.

use super::{join_all_responses, statuses};
use crate::harness::on_both_engines;
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const REPLIES: Sql = sql!("select count(*) from replies where post_id = $1 and deleted_at is null");
const REPLY_COUNT: Sql = sql!("select reply_count from posts where id = $1");
const PEOPLE: Sql = sql!("select people_count from posts where id = $1");

on_both_engines! {
    /// A reply precedes the deletion or is rejected; the reply count equals the rows, and so does
    /// the author's count.
    /// proves: post-delete-race, counters-exact
    async fn concurrent_replies_and_deletion_agree(server) {
        let ada = server.member("ada").await;
        let bob = server.member("bob").await;
        for _ in 0..6 {
            let post = ada.write("soon gone").await;
            let mut tasks = JoinSet::new();
            for n in 0..8 {
                let (tab, own, post) = (bob.tab(), ada.tab(), post.clone());
                tasks.spawn(async move {
                    match n % 4 {
                        0 => tab.post("/api/posts", json!({"content": "answer", "replyToId": post})).await,
                        1 => tab.post_empty(&format!("/api/posts/{post}/like")).await,
                        2 => tab.post("/api/posts", json!({"content": "♻️", "repostOfId": post})).await,
                        _ => own.delete(&format!("/api/posts/{post}")).await,
                    }
                });
            }
            for response in join_all_responses(tasks).await {
                assert!([200, 201, 204, 404].contains(&response.status.as_u16()), "{response:?}");
            }
            let id = post.parse::<i64>().unwrap();
            assert_eq!(server.count(&REPLY_COUNT, params![id]).await, server.count(&REPLIES, params![id]).await);
        }
        let feed = bob.contents("/api/posts/feed").await;
        assert!(feed.iter().all(|text| text == "answer"), "{feed:?}");
        assert_eq!(ada.me().await["postCount"], 0);
    }

    /// Concurrent interactions of one member count as one person, and as none once withdrawn.
    /// proves: foryou-people, counters-exact
    async fn one_member_counts_as_one_person(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("count us").await;
        let id = post.parse::<i64>().unwrap();
        for (round, expected) in [(0, 1), (1, 0), (2, 1), (3, 0)] {
            let mut tasks = JoinSet::new();
            for action in 0..2 {
                let (tab, post) = (bob.tab(), post.clone());
                tasks.spawn(async move {
                    match (round % 2, action) {
                        (0, 0) => tab.post_empty(&format!("/api/posts/{post}/like")).await,
                        (0, _) => tab.post("/api/posts", json!({"content": "♻️", "repostOfId": post})).await,
                        (_, 0) => tab.delete(&format!("/api/posts/{post}/like")).await,
                        (_, _) => tab.delete(&format!("/api/posts/{post}/repost")).await,
                    }
                });
            }
            join_all_responses(tasks).await;
            assert_eq!(server.count(&PEOPLE, params![id]).await, expected, "round {round}");
        }
    }
}

on_both_engines! {
    /// Concurrent requests and cancellations of a deletion each succeed.
    /// proves: leave-race
    async fn requesting_and_cancelling_a_deletion_are_serialized(server) {
        let ada = server.member("ada").await;
        let path = "/api/account/deletion";
        for round in 0..10 {
            let mut tasks = JoinSet::new();
            for _ in 0..3 {
                let (tab, body) = (ada.tab(), json!({"username": ada.name().await}));
                tasks.spawn(async move { tab.post(path, body).await });
                let tab = ada.tab();
                tasks.spawn(async move { tab.delete(path).await });
            }
            let counted = statuses(&join_all_responses(tasks).await);
            assert_eq!(counted, BTreeMap::from([(200, 3), (204, 3)]), "round {round}");
        }
    }
}
