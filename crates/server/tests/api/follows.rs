//! Follows and their effects.

use crate::harness::{Browser, on_both_engines};
use kith::features::members::SanctionKind;
use serde_json::json;

async fn counts(browser: &Browser) -> (i64, i64) {
    let me = browser.me().await;
    (me["followerCount"].as_i64().unwrap(), me["followingCount"].as_i64().unwrap())
}

on_both_engines! {
    /// A member follows a friend and reads the friend's posts.
    /// proves: call-get-feed, feed-friends
    async fn the_friends_feed_shows_followed_members(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        bob.write("from bob").await;
        assert!(ada.contents("/api/posts/feed").await.is_empty());
        ada.follow(&bob).await;
        assert_eq!(ada.contents("/api/posts/feed").await, ["from bob"]);
        let path = format!("/api/follows/{}", bob.id().await);
        ada.delete(&path).await.expect(200);
        assert!(ada.contents("/api/posts/feed").await.is_empty());
    }

    /// Repeated follows and unfollows count once, and the followed member is notified once.
    /// proves: follow-once, call-follow, call-unfollow, call-follow-status, entity-follow-status
    /// proves: wire-idempotent
    async fn a_follow_counts_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (hers, his) = (ada.id().await, bob.id().await);
        for _ in 0..2 {
            let answer = ada.post("/api/follows", json!({"followingId": his})).await;
            assert_eq!(answer.expect(200), json!({"isFollowing": true}));
        }
        assert_eq!((counts(&ada).await, counts(&bob).await), ((0, 1), (1, 0)));
        assert_eq!(ada.get(&format!("/api/follows/{his}/status")).await.expect(200), json!({"isFollowing": true}));
        assert_eq!(bob.get(&format!("/api/follows/{hers}/status")).await.expect(200), json!({"isFollowing": false}));
        for _ in 0..2 {
            let answer = ada.delete(&format!("/api/follows/{his}")).await;
            assert_eq!(answer.expect(200), json!({"isFollowing": false}));
        }
        assert_eq!((counts(&ada).await, counts(&bob).await), ((0, 0), (0, 0)));
        ada.follow(&bob).await;
        assert_eq!(bob.me().await["unreadNotificationCount"], 1);
    }

    /// A member cannot follow themselves or an unknown id.
    /// proves: follow-not-self
    async fn invalid_follows_are_rejected(server) {
        let ada = server.member("ada").await;
        let me = ada.id().await;
        let answer = ada.post("/api/follows", json!({"followingId": me})).await;
        assert_eq!(answer.error_code(422), "invalid");
        for id in ["1", "", "unknown", "99999999999999999999", &ada.write("x").await] {
            let answer = ada.post("/api/follows", json!({"followingId": id})).await;
            assert_eq!(answer.error_code(404), "user_not_found", "{id}");
        }
        assert_eq!(ada.post("/api/follows", json!({})).await.error_code(400), "bad_json");
        assert_eq!(ada.get(&format!("/api/follows/{me}/status")).await.expect(200), json!({"isFollowing": false}));
        assert_eq!(counts(&ada).await, (0, 0));
    }

    /// Both lists are newest first, paginated, and include the viewer's relationship to each member.
    /// proves: call-followers, call-following, follow-lists, wire-cursor
    async fn followers_and_following_are_listed(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (cat, eve) = (server.member("cat").await, server.member("eve").await);
        for follower in [&bob, &cat, &eve] {
            follower.follow(&ada).await;
        }
        ada.follow(&cat).await;
        bob.follow(&cat).await;
        let ids = async |reader: &Browser, path: &str| {
            let list = reader.get(path).await.expect(200);
            list.as_array().unwrap().iter().map(|user| user["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let (a, b, c, e) = (ada.id().await, bob.id().await, cat.id().await, eve.id().await);
        let path = format!("/api/users/{}/followers", ada.name().await);
        assert_eq!(ids(&bob, &path).await, [&e, &c, &b].map(Clone::clone));
        assert_eq!(ids(&bob, &format!("/api/users/{}/following", ada.name().await)).await, [c.as_str()]);
        assert_eq!(ids(&eve, &format!("/api/users/{}/followers", cat.name().await)).await, [b.as_str(), a.as_str()]);
        let first = bob.get(&format!("{path}?limit=2")).await;
        let seen = first.expect(200)[1].clone();
        assert_eq!((&seen["isFollowing"], &seen["followsYou"]), (&json!(true), &json!(false)));
        let seen = ada.get(&path).await.expect(200)[1].clone();
        assert_eq!((&seen["isFollowing"], &seen["followsYou"]), (&json!(true), &json!(true)));
        assert_eq!(seen["followerCount"], 2);
        // A new follower does not shift the next page.
        server.member("late").await.follow(&ada).await;
        let next = first.next().unwrap();
        assert_eq!(ids(&bob, &next).await, [b.as_str()]);
        assert_eq!(ids(&bob, &format!("{path}?limit=2&offset=3")).await, [b.as_str()]);
        assert_eq!(bob.get("/api/users/unknown_user/followers").await.error_code(404), "user_not_found");
    }

    /// Cursors of follow and like lists reveal no times and are valid for their own list only.
    /// proves: wire-cursor-sealed
    async fn cursors_of_interactions_reveal_no_times(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        for post in [ada.write("one").await, ada.write("two").await] {
            bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        for (follower, followed) in [(&bob, &ada), (&eve, &ada), (&bob, &eve)] {
            follower.follow(followed).await;
        }
        let (a, b) = (ada.name().await, bob.name().await);
        let lists = [
            format!("/api/users/{a}/followers?limit=1"),
            format!("/api/users/{b}/following?limit=1"),
            format!("/api/users/{b}/posts?filter=likes&limit=1"),
            format!("/api/users/{a}/following?limit=1"),
        ];
        let mut cursors = vec!["247513998712340480".to_owned(), "9223372036854775807".to_owned()];
        for list in &lists[..3] {
            let first = eve.get(list).await;
            let next = first.next().unwrap();
            let (_, cursor) = next.rsplit_once("cursor=").unwrap();
            assert_eq!(cursor.len(), 22, "{next}");
            let second = eve.get(&next).await.expect(200);
            assert_eq!(second.as_array().unwrap().len(), 1, "{next}");
            assert_ne!(second, first.expect(200), "{next}");
            cursors.push(cursor.to_owned());
        }
        for (nth, list) in lists.iter().enumerate() {
            for (from, cursor) in cursors.iter().enumerate().filter(|(from, _)| *from != nth + 2) {
                let answer = eve.get(&format!("{list}&cursor={cursor}")).await;
                assert_eq!(answer.error_code(400), "invalid", "{list} {from}");
            }
        }
        server.apply_sanction(&b, SanctionKind::Suspend).await.unwrap();
        for list in &lists[1..3] {
            assert_eq!(eve.get(&format!("{list}&cursor=x")).await.error_code(404), "user_not_found", "{list}");
        }
    }
}
