//! Effects of mutes, which the muted member cannot detect.

use crate::harness::on_both_engines;
use axum::http::Method;
use serde_json::json;

on_both_engines! {
    /// A mute hides old and new notifications while it lasts; old ones are shown again afterwards.
    /// proves: mute-silent, mute-call
    async fn a_mute_hides_notifications(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("mine").await;
        bob.follow(&ada).await;
        let unread = async || ada.me().await["unreadNotificationCount"].clone();
        assert_eq!(unread().await, 1);
        let path = format!("/api/mutes/{}", bob.id().await);
        for _ in 0..2 {
            assert_eq!(ada.post_empty(&path).await.expect(200), json!({"isMuted": true}));
        }
        bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        bob.repost(&post).await;
        bob.reply(&post, "and?").await;
        bob.write(&format!("hello @{}", ada.name().await)).await;
        assert_eq!(unread().await, 0);
        assert_eq!(ada.get("/api/notifications").await.expect(200), json!([]));
        for _ in 0..2 {
            assert_eq!(ada.delete(&path).await.expect(200), json!({"isMuted": false}));
        }
        let list = ada.get("/api/notifications").await.expect(200);
        assert_eq!(list.as_array().unwrap().len(), 1);
        assert_eq!((&list[0]["type"], unread().await), (&json!("follow"), json!(1)));
    }

    /// The muted member sees and does the same as before.
    /// proves: mute-silent
    async fn a_muted_member_cannot_detect_it(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.follow(&ada).await;
        let post = ada.write("mine").await;
        let look = async || {
            let profile = bob.get(&format!("/api/users/{}", ada.name().await)).await.expect(200);
            let (feed, notifications) = (bob.get("/api/posts/feed").await.expect(200), bob.get("/api/notifications").await.expect(200));
            (profile, feed, notifications, bob.get_post(&post).await)
        };
        let before = look().await;
        ada.mute(&bob).await;
        assert_eq!(look().await, before);
        bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        ada.follow(&bob).await;
        assert_eq!(bob.me().await["followerCount"], 1);
    }

    /// Reasons never name a muted member.
    /// proves: mute-unnamed
    async fn reasons_never_name_muted_members(server) {
        let (ada, fay) = (server.member("ada").await, server.member("fay").await);
        fay.json(Method::PUT, "/api/users/profile", json!({"displayName": "Fay F"})).await.expect(200);
        let bob = server.member("bob").await;
        fay.follow(&bob).await;
        bob.write("from bob").await;
        ada.follow(&fay).await;
        let id = bob.id().await;
        let seen = async || {
            let mut found = Vec::new();
            for (list, whose) in [("/api/users/suggested", "/id"), ("/api/posts/for-you", "/author/id")] {
                let rows = ada.get(list).await.expect(200);
                let mut theirs = rows.as_array().unwrap().iter().filter(|row| row.pointer(whose) == Some(&json!(id)));
                let why = theirs.next().unwrap()["reason"]["message"].clone();
                found.push((why, rows.to_string().contains("Fay F")));
            }
            found
        };
        let before = [(json!("Followed by Fay F"), true), (json!("Followed by Fay F, who you follow"), true)];
        assert_eq!(seen().await, before);
        ada.mute(&fay).await;
        assert_eq!(seen().await, [(json!("New on this network"), false), (json!("New on this network"), false)]);
        ada.delete(&format!("/api/mutes/{}", fay.id().await)).await.expect(200);
        assert_eq!(seen().await, before);
    }

    /// Threads show muted members' posts, marked as such.
    /// proves: mute-opened
    async fn threads_show_muted_members(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("mine").await;
        bob.reply(&post, "from bob").await;
        ada.mute(&bob).await;
        let thread = ada.get(&format!("/api/posts/{post}/thread")).await.expect(200);
        let reply = &thread["replies"][0];
        assert_eq!((&reply["content"], &reply["isMuted"], &thread["post"]["isMuted"]), (&json!("from bob"), &json!(true), &json!(false)));
    }
}
