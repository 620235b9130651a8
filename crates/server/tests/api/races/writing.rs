//! Posts and replies sent many times over.

use super::{join_all_responses, statuses};
use crate::harness::{id_of, on_both_engines};
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use tokio::task::JoinSet;

const POSTS: Sql = sql!("select count(*) from posts");
const REPLIES: Sql = sql!("select count(*) from replies where post_id = $1");

on_both_engines! {
    /// An idempotency key sent 20 times concurrently makes one post and 20 identical
    /// responses.
    /// proves: wire-key
    async fn one_key_is_one_post(server) {
        let ada = server.member("ada").await;
        let mut tasks = JoinSet::new();
        for n in 0..20 {
            let tab = ada.tab();
            tasks.spawn(async move {
                let headers = [("content-type", "application/json"), ("idempotency-key", "k")];
                tab.request("POST", "/api/posts", &headers, json!({"content": format!("try {n}")}).to_string()).await
            });
        }
        let responses = join_all_responses(tasks).await;
        assert_eq!(statuses(&responses), BTreeMap::from([(201, 20)]));
        let ids = responses.iter().map(|response| id_of(&response.expect(201)));
        assert_eq!(ids.collect::<BTreeSet<_>>().len(), 1);
        assert_eq!(server.count(&POSTS, &[]).await, 1);
        assert_eq!(ada.me().await["postCount"], 1);
    }

    /// A repost sent 20 times concurrently is one repost.
    /// proves: repost-once
    async fn one_repost_per_member(server) {
        let ada = server.member("ada").await;
        let post = ada.write("pass me on").await;
        let mut tasks = JoinSet::new();
        for _ in 0..20 {
            let (tab, body) = (ada.tab(), json!({"content": "♻️", "repostOfId": post}));
            tasks.spawn(async move { tab.post("/api/posts", body).await });
        }
        let responses = join_all_responses(tasks).await;
        let ids = responses.iter().map(|response| id_of(&response.expect(201)));
        assert_eq!(ids.collect::<BTreeSet<_>>().len(), 1);
        assert_eq!(server.count(&POSTS, &[]).await, 2);
        assert_eq!(ada.get_post(&post).await["repostCount"], 1);
    }

    /// Concurrent replies are all stored and all counted.
    /// proves: counters-exact
    async fn replies_do_not_drift(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("talk to me").await;
        let mut tasks = JoinSet::new();
        for n in 0..40 {
            let tab = if n % 2 == 0 { ada.tab() } else { bob.tab() };
            let body = json!({"content": format!("reply {n}"), "replyToId": post});
            tasks.spawn(async move { tab.post("/api/posts", body).await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(201, 40)]));
        assert_eq!(ada.get_post(&post).await["replyCount"], 40);
        assert_eq!(server.count(&REPLIES, params![post.parse::<i64>().unwrap()]).await, 40);
        assert_eq!(ada.me().await["unreadNotificationCount"], 20);
        assert_eq!((ada.me().await["postCount"].as_i64(), bob.me().await["postCount"].as_i64()), (Some(21), Some(20)));
    }
}
