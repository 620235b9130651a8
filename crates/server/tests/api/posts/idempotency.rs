//! Idempotency keys of posts.

use crate::harness::{Browser, TestResponse, id_of, on_both_engines};
use serde_json::{Value, json};

async fn post(browser: &Browser, key: &str, body: Value) -> TestResponse {
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    browser.request("POST", "/api/posts", &headers, body.to_string()).await
}

on_both_engines! {
    /// A repeated key returns the first post, whatever the body is.
    /// proves: wire-key
    async fn a_repeated_key_returns_the_first_post(server) {
        let ada = server.member("ada").await;
        let first = post(&ada, "k1", json!({"content": "one"})).await.expect(201);
        assert_eq!(post(&ada, "k1", json!({"content": "one"})).await.expect(201), first);
        assert_eq!(post(&ada, "k1", json!({"content": "other"})).await.expect(201), first);
        let second = post(&ada, "k2", json!({"content": "one"})).await.expect(201);
        assert_ne!(id_of(&second), id_of(&first));
        assert_eq!(ada.contents("/api/posts/feed").await, ["one", "one"]);
        assert_eq!(ada.me().await["postCount"], 2);
    }

    /// Keys are separate for each member.
    /// proves: wire-key
    async fn keys_are_separate_for_each_member(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let first = post(&ada, "k", json!({"content": "ada's"})).await.expect(201);
        let second = post(&bob, "k", json!({"content": "bob's"})).await.expect(201);
        assert_ne!(id_of(&first), id_of(&second));
        assert_eq!(second["content"], "bob's");
    }

    /// A key can be used again after a day.
    /// proves: wire-key
    async fn a_key_is_kept_for_a_day(server) {
        let ada = server.member("ada").await;
        let first = post(&ada, "k", json!({"content": "one"})).await.expect(201);
        server.advance_clock(86_400_000 - 1);
        assert_eq!(id_of(&post(&ada, "k", json!({"content": "two"})).await.expect(201)), id_of(&first));
        server.advance_clock(1);
        let second = post(&ada, "k", json!({"content": "two"})).await.expect(201);
        assert_eq!(second["content"], "two");
        assert_eq!(post(&ada, "k", json!({"content": "three"})).await.expect(201), second);
        assert_eq!(ada.contents("/api/posts/feed").await, ["two", "one"]);
    }

    /// A rejected request does not use up its key.
    /// proves: wire-key-free
    async fn a_rejected_request_does_not_use_its_key(server) {
        let ada = server.member("ada").await;
        assert_eq!(post(&ada, "k", json!({"content": "x", "replyToId": "1"})).await.error_code(404), "post_not_found");
        assert_eq!(post(&ada, "k", json!({"content": ""})).await.error_code(422), "invalid");
        assert_eq!(post(&ada, "k", json!({"content": "good"})).await.expect(201)["content"], "good");
    }

    /// The key of a repost returns the repost, even if the first request found an existing one.
    /// proves: wire-key, wire-key-repost
    async fn a_repost_has_its_key(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let original = ada.write("original").await;
        let body = json!({"content": "♻️", "repostOfId": original});
        let first = id_of(&post(&bob, "one", body.clone()).await.expect(201));
        assert_eq!(id_of(&post(&bob, "two", body.clone()).await.expect(201)), first);
        for key in ["one", "two"] {
            assert_eq!(id_of(&post(&bob, key, json!({"content": "another"})).await.expect(201)), first, "{key}");
        }
        bob.delete(&format!("/api/posts/{original}/repost")).await.expect(200);
        assert_eq!(post(&bob, "one", body.clone()).await.error_code(404), "post_not_found");
        assert_ne!(id_of(&post(&bob, "three", body).await.expect(201)), first);
    }

    /// A repeated reply is counted and notified once.
    async fn a_repeated_reply_counts_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let parent = ada.write("parent").await;
        for _ in 0..3 {
            post(&bob, "k", json!({"content": "reply", "replyToId": parent})).await.expect(201);
        }
        assert_eq!(ada.get_post(&parent).await["replyCount"], 1);
        assert_eq!(ada.me().await["unreadNotificationCount"], 1);
    }

    /// A key has 1 to 100 printable ASCII characters.
    /// proves: bound-key
    async fn invalid_keys_are_rejected(server) {
        let ada = server.member("ada").await;
        for key in ["", "é", &"k".repeat(101)] {
            let answer = post(&ada, key, json!({"content": "x"})).await;
            assert_eq!(answer.error_code(400), "bad_idempotency_key", "{key}");
        }
        post(&ada, &"k".repeat(100), json!({"content": "x"})).await.expect(201);
    }
}
