//! Likes: one per member, counted exactly.

use crate::harness::{id_of, on_both_engines};
use serde_json::json;

on_both_engines! {
    /// Liking and unliking are idempotent.
    /// proves: like-once, call-like, call-unlike, wire-idempotent
    async fn a_like_counts_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("like me").await;
        let path = format!("/api/posts/{post}/like");
        for _ in 0..2 {
            let liked = bob.post_empty(&path).await.expect(200);
            assert_eq!((liked["likeCount"].as_i64(), liked["isLiked"].as_bool()), (Some(1), Some(true)));
        }
        let own = ada.post_empty(&path).await.expect(200);
        assert_eq!(own["likeCount"], 2);
        for _ in 0..2 {
            let unliked = bob.delete(&path).await.expect(200);
            assert_eq!((unliked["likeCount"].as_i64(), unliked["isLiked"].as_bool()), (Some(1), Some(false)));
        }
        assert_eq!(ada.get_post(&post).await["isLiked"], true, "each sees their own");
    }

    /// Repeated likes notify the author once; own likes notify no member.
    /// proves: notification-once, notification-not-self
    async fn a_like_notifies_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("like me").await;
        let path = format!("/api/posts/{post}/like");
        for _ in 0..3 {
            bob.post_empty(&path).await.expect(200);
            bob.delete(&path).await.expect(200);
            ada.post_empty(&path).await.expect(200);
        }
        assert_eq!(ada.me().await["unreadNotificationCount"], 1);
        assert_eq!(bob.me().await["unreadNotificationCount"], 0);
    }

    /// A like of a repost is a like of its original.
    /// proves: like-repost, repost-stands
    async fn a_like_of_a_repost_counts_for_its_original(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("like me").await;
        let repost = bob.repost(&post).await;
        bob.post_empty(&format!("/api/posts/{repost}/like")).await.expect(200);
        let seen = bob.get_post(&post).await;
        assert_eq!((seen["likeCount"].as_i64(), seen["isLiked"].as_bool()), (Some(1), Some(true)));
        bob.delete(&format!("/api/posts/{repost}/like")).await.expect(200);
        assert_eq!(bob.get_post(&post).await["likeCount"], 0);
    }

    /// The response to a like, read inside its transaction, equals a later read.
    async fn the_response_to_a_like_equals_a_later_read(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let cid = server.member("cid").await;
        let plain = ada.write(&format!("@{}: #one #Two 👩‍👩‍👧", cid.name().await)).await;
        let answer = cid.reply(&plain, "an answer").await;
        let poll = json!({"content": "?", "pollOptions": ["a", "b"]});
        let poll = id_of(&ada.create(poll).await);
        cid.post(&format!("/api/posts/{poll}/vote"), json!({"option": "b"})).await.expect(200);
        bob.post(&format!("/api/posts/{poll}/vote"), json!({"option": "a"})).await.expect(200);
        let own = bob.write("mine").await;
        cid.post_empty(&format!("/api/posts/{plain}/like")).await.expect(200);
        bob.post_empty(&format!("/api/mutes/{}", ada.id().await)).await.expect(200);
        bob.repost(&answer).await;
        for post in [plain, answer, poll, own] {
            for _ in 0..2 {
                let liked = bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
                assert_eq!(liked, bob.get_post(&post).await, "{post}");
            }
        }
    }
}
