//! News that are read, names that change and addresses that wait, many at once.

use super::{all, statuses};
use crate::harness::{Browser, id_of, on_both_engines};
use axum::http::Method;
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const WAITING: Sql = sql!("select count(*) from waitlist");
const TERMS: Sql = sql!("select count(*) from search_terms where member_id = $1");
const UNREAD: Sql =
    sql!("select count(*) from notifications where member_id = $1 and read_at is null");

async fn found(reader: &Browser, term: &str) -> usize {
    let list = reader.get(&format!("/api/users/search?q={term}")).await;
    list.expect(200).as_array().unwrap().len()
}

on_both_engines! {
    /// Reading while news arrive: what is unread is what the badge says, and nothing that was read comes back.
    /// proves: counters-exact, call-notification-read
    async fn news_are_read_while_they_arrive(server) {
        let ada = server.member("ada").await;
        let mut fans = Vec::new();
        for n in 0..6 {
            fans.push(server.member(&format!("fan{n}")).await);
        }
        for fan in &fans[..3] {
            fan.follow(&ada).await;
        }
        let first = id_of(&ada.get("/api/notifications").await.expect(200)[0]);
        let (id, body) = (ada.id().await, json!({"followingId": ada.id().await}));
        let mut tasks = JoinSet::new();
        for n in 0..10 {
            let (tab, path) = (ada.tab(), format!("/api/notifications/{first}/read"));
            tasks.spawn(async move {
                let path = if n == 5 { "/api/notifications/read-all" } else { &path };
                tab.json(Method::PUT, path, json!({})).await
            });
        }
        for fan in &fans[3..] {
            let (tab, body) = (fan.tab(), body.clone());
            tasks.spawn(async move { tab.post("/api/follows", body).await });
        }
        assert_eq!(statuses(&all(tasks).await), BTreeMap::from([(200, 3), (204, 10)]));
        let unread = ada.me().await["unreadNotificationCount"].as_i64().unwrap();
        assert_eq!(unread, server.count(&UNREAD, params![id.parse::<i64>().unwrap()]).await);
        let list = ada.get("/api/notifications").await.expect(200);
        let list = list.as_array().unwrap();
        let old = list.iter().rev().take(3).filter(|row| row["isRead"] == false).count();
        assert_eq!((list.len(), old), (6, 0));
        assert!(unread <= 3, "{unread}");
    }

    /// Twenty times the same follow: one follower, one notification.
    /// proves: follow-once, notification-once
    async fn one_follow_is_told_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let mut tasks = JoinSet::new();
        for _ in 0..20 {
            let (tab, body) = (bob.tab(), json!({"followingId": ada.id().await}));
            tasks.spawn(async move { tab.post("/api/follows", body).await });
        }
        assert_eq!(statuses(&all(tasks).await), BTreeMap::from([(200, 20)]));
        let me = ada.me().await;
        assert_eq!((&me["followerCount"], &me["unreadNotificationCount"]), (&json!(1), &json!(1)));
    }

    /// An address that joins twenty times at once waits once.
    /// proves: waitlist-once
    async fn one_address_waits_once(server) {
        let mut tasks = JoinSet::new();
        for n in 0..20 {
            let visitor = server.visitor();
            let email = if n % 2 == 0 { "eve@example.org" } else { "EVE@example.org" };
            tasks.spawn(async move { visitor.post("/api/waitlist", json!({"email": email})).await });
        }
        assert_eq!(statuses(&all(tasks).await), BTreeMap::from([(200, 20)]));
        assert_eq!(server.count(&WAITING, &[]).await, 1);
    }

    /// Of many names at once one is kept, and it alone is found; what else was changed stays changed.
    /// proves: search-changes, call-update-profile
    async fn the_name_that_is_kept_is_found(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let names = ["Alpha", "Bravo", "Charlie", "Delta", "Echoes", "Foxtrot"];
        let mut tasks = JoinSet::new();
        for name in names {
            for body in [json!({"displayName": name}), json!({"bio": "kept"})] {
                let tab = ada.tab();
                tasks.spawn(async move { tab.json(Method::PUT, "/api/users/profile", body).await });
            }
        }
        assert_eq!(statuses(&all(tasks).await), BTreeMap::from([(200, 12)]));
        let me = ada.me().await;
        assert_eq!(me["bio"], "kept");
        for name in names {
            assert_eq!(found(&bob, name).await == 1, me["displayName"] == name, "{name}");
        }
        // As many endings as of a name that was never anything else.
        let id = ada.id().await.parse::<i64>().unwrap();
        let terms = server.count(&TERMS, params![id]).await;
        for name in ["Golf", me["displayName"].as_str().unwrap()] {
            ada.json(Method::PUT, "/api/users/profile", json!({"displayName": name})).await.expect(200);
        }
        assert_eq!(server.count(&TERMS, params![id]).await, terms);
    }

    /// A code that is revoked many times at once comes back once.
    /// proves: invite-revoke, invite-revoked-returns
    async fn a_code_comes_back_once(server) {
        let ada = server.member("ada").await;
        let id = id_of(&ada.poke("/api/invites").await.expect(201));
        ada.poke("/api/invites").await.expect(201);
        let mut tasks = JoinSet::new();
        for _ in 0..10 {
            let (tab, path) = (ada.tab(), format!("/api/invites/{id}"));
            tasks.spawn(async move { tab.delete(&path).await });
        }
        assert_eq!(statuses(&all(tasks).await), BTreeMap::from([(204, 10)]));
        assert_eq!(ada.me().await["invitesAvailable"], 2);
    }

    /// Many tabs that delete one post delete it once.
    /// proves: post-delete-again, counters-exact
    async fn a_post_is_deleted_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let root = ada.write("root").await;
        bob.reply(&root, "stays").await;
        let reply = bob.reply(&root, "goes").await;
        let mut tasks = JoinSet::new();
        for _ in 0..10 {
            let (tab, path) = (bob.tab(), format!("/api/posts/{reply}"));
            tasks.spawn(async move { tab.delete(&path).await });
        }
        assert_eq!(statuses(&all(tasks).await), BTreeMap::from([(204, 10)]));
        assert_eq!((&bob.me().await["postCount"], &ada.see(&root).await["replyCount"]), (&json!(1), &json!(1)));
    }
}
