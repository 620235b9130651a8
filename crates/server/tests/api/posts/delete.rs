//! Deletion of posts and its effects.

use crate::harness::{Browser, id_of, on_both_engines};
use serde_json::{Value, json};

async fn thread(viewer: &Browser, post: &str) -> Value {
    viewer.get(&format!("/api/posts/{post}/thread")).await.expect(200)
}

async fn delete(member: &Browser, post: &str) {
    member.delete(&format!("/api/posts/{post}")).await.expect(204);
}

on_both_engines! {
    /// A deleted post is in no list and no count, and cannot be interacted with.
    /// proves: post-delete-gone, post-delete-notified, tag-deleted
    async fn a_deleted_post_is_in_no_list(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.follow(&ada).await;
        let name = ada.name().await;
        let body = json!({"content": "gone #soon, @unknown", "pollOptions": ["a", "b"]});
        let post = id_of(&ada.create(body).await);
        let stays = ada.write("stays").await;
        bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        bob.repost(&post).await;
        delete(&ada, &post).await;
        for (viewer, path) in [
            (&bob, "/api/posts/feed".to_owned()),
            (&bob, "/api/posts/for-you".to_owned()),
            (&bob, format!("/api/users/{name}/posts")),
            (&ada, "/api/posts/feed".to_owned()),
        ] {
            assert_eq!(viewer.contents(&path).await, ["stays"], "{path}");
        }
        let bobs = bob.name().await;
        for path in [format!("/api/users/{bobs}/posts"), format!("/api/users/{bobs}/posts?filter=likes"), "/api/hashtags/soon/posts".to_owned()] {
            assert!(bob.contents(&path).await.is_empty(), "{path}");
        }
        assert_eq!(ada.me().await["postCount"], 1);
        assert_eq!(ada.me().await["unreadNotificationCount"], 1, "only the follow is left");
        for (method, path) in [("POST", "like"), ("DELETE", "like"), ("DELETE", "repost"), ("GET", "thread")] {
            let answer = bob.request(method, &format!("/api/posts/{post}/{path}"), &[], "").await;
            assert_eq!(answer.error_code(404), "post_not_found", "{method} {path}");
        }
        let vote = bob.post(&format!("/api/posts/{post}/vote"), json!({"option": "a"})).await;
        assert_eq!(vote.error_code(404), "post_not_found");
        for body in [json!({"content": "x", "replyToId": post}), json!({"repostOfId": post})] {
            assert_eq!(bob.post("/api/posts", body).await.error_code(404), "post_not_found");
        }
        assert_eq!(thread(&bob, &stays).await["post"]["content"], "stays");
    }

    /// Deleting is idempotent and reserved to the author.
    /// proves: post-delete, post-delete-again, call-delete-post, wire-idempotent
    async fn only_its_author_deletes_a_post(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("mine").await;
        assert_eq!(bob.delete(&format!("/api/posts/{post}")).await.error_code(403), "not_yours");
        assert_eq!(bob.get_post(&post).await["content"], "mine");
        delete(&ada, &post).await;
        delete(&ada, &post).await;
        assert_eq!(bob.delete(&format!("/api/posts/{post}")).await.error_code(404), "post_not_found");
        assert_eq!(ada.me().await["postCount"], 0);
    }

    /// A tombstone keeps the thread together without content.
    /// proves: post-delete-tombstone, post-delete-last, entity-post-deleted, thread-ancestors
    async fn a_tombstone_keeps_the_thread(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let root = ada.write("root").await;
        let reply = id_of(&bob.create(json!({"content": "secret #tag @ada https://a.example", "replyToId": root, "pollOptions": ["a", "b"]})).await);
        let nested = ada.reply(&reply, "answer").await;
        delete(&bob, &reply).await;
        let seen = thread(&ada, &root).await;
        assert_eq!(seen["post"]["replyCount"], 0);
        let (stone, answer) = (&seen["replies"][0], &seen["replies"][1]);
        assert_eq!((&stone["id"], &stone["isDeleted"]), (&json!(reply), &json!(true)));
        for (field, empty) in [("content", json!("")), ("mentions", json!([])), ("hashtags", json!([])), ("links", json!([])), ("pollOptions", json!([])), ("pollExpiresAt", json!(null))] {
            assert_eq!(stone[field], empty, "{field}");
        }
        assert_eq!((&answer["content"], &answer["isDeleted"]), (&json!("answer"), &json!(false)));
        // By its own id, and as a parent of its reply.
        assert_eq!(thread(&ada, &reply).await["post"]["isDeleted"], true);
        let above = thread(&ada, &nested).await["ancestors"].clone();
        let above = above.as_array().unwrap().iter().map(|post| post["id"].clone()).collect::<Vec<_>>();
        assert_eq!(above, [json!(root), json!(reply)]);
        // Deleting the last reply deletes the tombstone.
        delete(&ada, &nested).await;
        assert_eq!(thread(&ada, &root).await["replies"], json!([]));
        assert_eq!(ada.get(&format!("/api/posts/{reply}/thread")).await.error_code(404), "post_not_found");
    }

    /// A reply without replies leaves no tombstone.
    /// proves: post-delete-notified, call-delete-post
    async fn a_reply_without_replies_leaves_no_tombstone(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let root = ada.write("root").await;
        let reply = bob.reply(&root, "reply @ada").await;
        assert_eq!(ada.me().await["unreadNotificationCount"], 1);
        delete(&bob, &reply).await;
        let seen = thread(&ada, &root).await;
        assert_eq!((&seen["replies"], &seen["post"]["replyCount"]), (&json!([]), &json!(0)));
        assert_eq!(ada.get("/api/notifications").await.expect(200), json!([]));
    }

    /// Deleting a repost undoes it.
    /// proves: post-delete-repost, call-delete-post
    async fn deleting_a_repost_undoes_it(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("original").await;
        let repost = bob.repost(&post).await;
        assert_eq!(ada.delete(&format!("/api/posts/{repost}")).await.error_code(403), "not_yours");
        delete(&bob, &repost).await;
        let seen = bob.get_post(&post).await;
        assert_eq!((&seen["repostCount"], &seen["isReposted"]), (&json!(0), &json!(false)));
    }

    /// A repost of a deleted post is not found, like its thread.
    async fn a_repost_of_a_deleted_post_is_not_found(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("original").await;
        let repost = bob.repost(&post).await;
        delete(&ada, &post).await;
        for member in [&ada, &bob] {
            assert_eq!(member.get(&format!("/api/posts/{repost}/thread")).await.error_code(404), "post_not_found");
            assert_eq!(member.delete(&format!("/api/posts/{repost}")).await.error_code(404), "post_not_found");
        }
    }

    /// Pages are full although every other row refers to a deleted post.
    /// proves: post-delete-pages, wire-cursor, wire-offset
    async fn pages_stay_complete(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let eve = server.member("eve").await;
        eve.follow(&bob).await;
        let name = bob.name().await;
        let mut kept = Vec::new();
        for n in 0..24 {
            let post = ada.write(&format!("p{n}")).await;
            bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
            let repost = bob.repost(&post).await;
            if n % 2 == 0 {
                delete(&ada, &post).await;
            } else {
                kept.insert(0, (post, repost));
            }
        }
        for (viewer, path, own) in [
            (&eve, "/api/posts/feed?".to_owned(), true),
            (&eve, format!("/api/users/{name}/posts?"), true),
            (&bob, format!("/api/users/{name}/posts?filter=likes&"), false),
        ] {
            let expected = kept.iter().map(|(post, repost)| if own { repost } else { post }).collect::<Vec<_>>();
            let mut seen = Vec::new();
            for offset in [0, 5, 10] {
                let page = viewer.get(&format!("{path}limit=5&offset={offset}")).await.expect(200);
                let page = page.as_array().unwrap().iter().map(id_of).collect::<Vec<_>>();
                assert_eq!(page.len(), if offset == 10 { 2 } else { 5 }, "{path}");
                seen.extend(page);
            }
            assert_eq!(seen.iter().collect::<Vec<_>>(), expected, "{path}");
            let mut next = format!("{path}limit=5");
            let mut walked = Vec::new();
            while !next.is_empty() {
                let answer = viewer.get(&next).await;
                walked.extend(answer.expect(200).as_array().unwrap().iter().map(id_of));
                next = answer.next().unwrap_or_default();
            }
            assert_eq!(walked.iter().collect::<Vec<_>>(), expected, "{path}");
        }
    }
}
