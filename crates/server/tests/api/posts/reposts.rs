//! Reposts: one per member and original.

use crate::harness::{id_of, on_both_engines};
use serde_json::json;

on_both_engines! {
    /// Repeating a repost returns the first one, shown over its original.
    /// proves: call-repost, repost-once, entity-post-repost-of, wire-idempotent
    async fn a_repost_is_made_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("original").await;
        let first = bob.create(json!({"content": "♻️", "repostOfId": post})).await;
        assert_eq!(first["content"], "♻️");
        assert_eq!(first["repostOfId"], post.as_str());
        assert_eq!(first["repostOf"]["content"], "original");
        assert_eq!(first["repostOf"]["isReposted"], true);
        assert_eq!(first["repostOf"]["repostCount"], 1);
        assert_eq!(first["repostOf"]["repostOf"], json!(null));
        assert_eq!(bob.repost(&post).await, id_of(&first));
        let seen = ada.get_post(&post).await;
        assert_eq!((seen["repostCount"].as_i64(), seen["isReposted"].as_bool()), (Some(1), Some(false)));
        assert_eq!(ada.me().await["unreadNotificationCount"], 1);
    }

    /// A repost of a repost refers to the original.
    /// proves: repost-of-repost
    async fn a_repost_of_a_repost_refers_to_the_original(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let post = ada.write("original").await;
        let repost = bob.repost(&post).await;
        let second = eve.create(json!({"repostOfId": repost})).await;
        assert_eq!(second["repostOfId"], post.as_str());
        assert_eq!(eve.repost(&post).await, id_of(&second));
        assert_eq!(ada.get_post(&post).await["repostCount"], 2);
        assert_eq!(bob.me().await["unreadNotificationCount"], 0);
        assert_eq!(ada.repost(&post).await, ada.repost(second["id"].as_str().unwrap()).await, "one's own, too");
    }

    /// Replies and likes on a repost belong to its original.
    /// proves: repost-stands
    async fn interactions_with_a_repost_belong_to_the_original(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("original").await;
        let repost = bob.repost(&post).await;
        let reply = bob.create(json!({"content": "so true", "replyToId": repost})).await;
        assert_eq!(reply["replyToId"], post.as_str());
        for id in [&post, &repost] {
            let thread = ada.get(&format!("/api/posts/{id}/thread")).await.expect(200);
            assert_eq!(thread["post"]["id"], post.as_str());
            assert_eq!(thread["replies"][0]["content"], "so true");
        }
    }

    /// A repost can be undone by either id, idempotently, and then made again.
    /// proves: repost-undo, call-undo-repost, wire-idempotent
    async fn a_repost_can_be_undone(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("original").await;
        let first = bob.repost(&post).await;
        for _ in 0..2 {
            let original = bob.delete(&format!("/api/posts/{post}/repost")).await.expect(200);
            assert_eq!(id_of(&original), post);
            assert_eq!((original["repostCount"].as_i64(), original["isReposted"].as_bool()), (Some(0), Some(false)));
        }
        assert!(bob.contents("/api/posts/feed").await.is_empty());
        assert_eq!(bob.get(&format!("/api/posts/{first}/thread")).await.error_code(404), "post_not_found");
        let second = bob.repost(&post).await;
        assert_ne!(first, second);
        bob.delete(&format!("/api/posts/{second}/repost")).await.expect(200);
        assert_eq!(ada.get_post(&post).await["repostCount"], 0);
        assert_eq!(ada.me().await["unreadNotificationCount"], 1, "notified once");
    }

    /// Members cannot undo another member's repost.
    /// proves: repost-own
    async fn a_repost_belongs_to_its_member(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("original").await;
        let repost = bob.repost(&post).await;
        for id in [&post, &repost] {
            ada.delete(&format!("/api/posts/{id}/repost")).await.expect(200);
        }
        let seen = bob.get_post(&post).await;
        assert_eq!((seen["repostCount"].as_i64(), seen["isReposted"].as_bool()), (Some(1), Some(true)));
    }

    /// A repost of a missing post is rejected.
    async fn only_existing_posts_are_reposted(server) {
        let ada = server.member("ada").await;
        for id in ["1", "0", "nonsense", "99999999999999999999"] {
            let answer = ada.post("/api/posts", json!({"content": "♻️", "repostOfId": id})).await;
            assert_eq!(answer.error_code(404), "post_not_found", "{id}");
        }
        assert_eq!(ada.me().await["postCount"], 0);
    }

    /// The content of a repost is stored, up to the length of a post.
    /// proves: repost-content
    async fn a_repost_keeps_its_content(server) {
        let ada = server.member("ada").await;
        for (sent, kept) in [("♻️".to_owned(), "♻️".to_owned()), ("a".repeat(501), "a".repeat(500)), (" ".to_owned(), String::new())] {
            let post = ada.write("original").await;
            let repost = ada.create(json!({"content": sent, "repostOfId": post})).await;
            assert_eq!(repost["content"], kept);
        }
    }
}
