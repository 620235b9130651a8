//! What a mute keeps from me, and that nobody learns of it.

use crate::harness::on_both_engines;
use serde_json::json;

on_both_engines! {
    /// Neither old nor new deeds are told while the mute lasts; the old ones come back after it.
    /// proves: mute-silent, mute-call
    async fn a_mute_silences(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("mine").await;
        bob.follow(&ada).await;
        let unread = async || ada.me().await["unreadNotificationCount"].clone();
        assert_eq!(unread().await, 1);
        let path = format!("/api/mutes/{}", bob.id().await);
        for _ in 0..2 {
            assert_eq!(ada.poke(&path).await.expect(200), json!({"isMuted": true}));
        }
        bob.poke(&format!("/api/posts/{post}/like")).await.expect(200);
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

    /// The muted one sees and does what they did before.
    /// proves: mute-silent
    async fn the_muted_one_does_not_learn_of_it(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.follow(&ada).await;
        let post = ada.write("mine").await;
        let look = async || {
            let profile = bob.get(&format!("/api/users/{}", ada.name().await)).await.expect(200);
            let (feed, told) = (bob.get("/api/posts/feed").await.expect(200), bob.get("/api/notifications").await.expect(200));
            (profile, feed, told, bob.see(&post).await)
        };
        let before = look().await;
        ada.mute(&bob).await;
        assert_eq!(look().await, before);
        bob.poke(&format!("/api/posts/{post}/like")).await.expect(200);
        ada.follow(&bob).await;
        assert_eq!(bob.me().await["followerCount"], 1);
    }

    /// In a thread that I open they are shown, and told from others.
    /// proves: mute-opened
    async fn threads_show_the_muted(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let post = ada.write("mine").await;
        bob.reply(&post, "from bob").await;
        ada.mute(&bob).await;
        let thread = ada.get(&format!("/api/posts/{post}/thread")).await.expect(200);
        let reply = &thread["replies"][0];
        assert_eq!((&reply["content"], &reply["isMuted"], &thread["post"]["isMuted"]), (&json!("from bob"), &json!(true), &json!(false)));
    }
}
