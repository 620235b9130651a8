//! Web push, to a push service of our own.

use crate::harness::push_service::{headers, messages, subscription};
use crate::harness::{Browser, Server, id_of, on_both_engines};
use axum::http::Method;
use kith::features::push;
use kith::platform::clock::{HOUR, MINUTE, SECOND};
use kith_db::{Sql, sql};
use serde_json::{Value, json};

const SUBSCRIPTIONS: Sql = sql!("select count(*) from push_subscriptions");

/// Subscribes a browser; returns the subscription's name at the service.
async fn subscribe(browser: &Browser, kind: &str, shows_text: bool) -> String {
    let (name, body) = subscription(kind, shows_text);
    browser.json(Method::PUT, "/api/push/subscription", body).await.expect(204);
    name
}

/// Sends what is due after the delay in which an open stream shows notifications.
async fn push_after(server: &Server, time: i64) {
    server.advance_clock(time);
    push::push_due(&server.state.push).await.unwrap();
}

fn titles(name: &str) -> Vec<Value> {
    messages(name).into_iter().map(|message| message["title"].clone()).collect()
}

on_both_engines! {
    /// proves: push-kinds, push-text, call-push
    async fn notifications_are_pushed(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        assert_eq!(ada.get("/api/push").await.expect(200)["subscription"], Value::Null);
        let plain = subscribe(&ada, "plain", false).await;
        let phone = server.log_in_again(&ada, "phone").await;
        let with_text = subscribe(&phone, "text", true).await;
        let saved = phone.get("/api/push").await.expect(200);
        assert_eq!(saved["subscription"]["showsText"], true);
        assert_eq!(saved["publicKey"].as_str().unwrap().len(), 87);
        let post = ada.write("mine").await;
        let reply = ben.reply(&post, "a reply").await;
        push_after(&server, 2 * SECOND).await;
        assert_eq!(messages(&plain), Vec::<Value>::new());
        push_after(&server, SECOND).await;
        let path = format!("/post/{reply}");
        let title = "New member replied to you";
        assert_eq!(messages(&plain), [json!({"title": title, "body": "", "path": path})]);
        assert_eq!(messages(&with_text), [json!({"title": title, "body": "a reply", "path": path})]);
        let headers = headers(&plain);
        assert_eq!((&headers["ttl"], &headers["topic"]), (&"86400".parse().unwrap(), &"notifications".parse().unwrap()));
        assert_eq!(headers["content-encoding"], "aes128gcm");
        assert!(headers["authorization"].to_str().unwrap().starts_with("vapid t="));
        // Likes and reposts are pushed only if the member wants that, follows and mentions by default.
        ben.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        ben.repost(&post).await;
        push_after(&server, 2 * MINUTE).await;
        assert_eq!(titles(&plain).len(), 1);
        ada.json(Method::PUT, "/api/notifications/settings", json!({
            "like": {"from": "everyone", "push": true}, "follow": {"from": "everyone", "push": false},
        })).await.expect(200);
        ben.follow(&ada).await;
        let other = ada.write("other").await;
        ben.post_empty(&format!("/api/posts/{other}/like")).await.expect(200);
        push_after(&server, 2 * MINUTE).await;
        assert_eq!(titles(&plain)[1..], ["New member liked your post"]);
        // In the member's language.
        ada.json(Method::PUT, "/api/account/language", json!({"language": "de"})).await.expect(204);
        ben.write(&format!("@{}", ada.name().await)).await;
        push_after(&server, 2 * MINUTE).await;
        assert_eq!(titles(&plain)[2..], ["New member hat dich erwähnt"]);
    }

    /// proves: push-merged
    async fn pushes_within_a_minute_are_merged(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let name = subscribe(&ada, "plain", true).await;
        let post = ada.write("mine").await;
        ben.reply(&post, "one").await;
        push_after(&server, 3 * SECOND).await;
        for n in 0..3 {
            ben.reply(&post, &format!("further {n}")).await;
            push_after(&server, 4 * SECOND).await;
        }
        assert_eq!(titles(&name).len(), 1);
        // What was read meanwhile is not pushed.
        let list = ada.get("/api/notifications").await.expect(200);
        let read = format!("/api/notifications/{}/read", id_of(&list[0]));
        ada.json(Method::PUT, &read, json!({})).await.expect(204);
        push_after(&server, MINUTE).await;
        push_after(&server, MINUTE).await;
        assert_eq!(messages(&name)[1..], [json!({
            "title": "New member replied to you, and 1 more", "body": "further 1", "path": "/notifications",
        })]);
        // Nor is anything once all is read.
        ben.reply(&post, "last").await;
        ada.json(Method::PUT, "/api/notifications/read-all", json!({})).await.expect(204);
        push_after(&server, 5 * MINUTE).await;
        assert_eq!(titles(&name).len(), 2);
    }

    /// proves: push-open
    async fn nothing_is_pushed_while_a_stream_is_open(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let name = subscribe(&ada, "plain", false).await;
        let mut events = crate::events::open_events(&ada).await;
        let post = ada.write("mine").await;
        ben.reply(&post, "seen").await;
        events.expect("notifications", json!({"unread": 1})).await;
        push_after(&server, MINUTE).await;
        assert_eq!(titles(&name).len(), 0);
        drop(events);
        ben.reply(&post, "pushed").await;
        push_after(&server, MINUTE).await;
        assert_eq!(titles(&name), ["New member replied to you"]);
    }

    /// proves: push-quiet, call-quiet-hours
    async fn quiet_hours_end_with_one_summary(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let name = subscribe(&ada, "plain", false).await;
        let path = "/api/notifications/quiet-hours";
        // The clock starts at 10:30 in Berlin.
        let hours = json!({"from": "10:00", "until": "12:00", "timeZone": "Europe/Berlin"});
        ada.json(Method::PUT, path, hours.clone()).await.expect(204);
        let settings = ada.get("/api/notifications/settings").await.expect(200);
        assert_eq!(settings["quietHours"], hours);
        let post = ada.write("mine").await;
        for n in 0..3 {
            ben.reply(&post, &format!("{n}")).await;
            push_after(&server, 20 * MINUTE).await;
        }
        assert_eq!(titles(&name).len(), 0);
        push_after(&server, 29 * MINUTE).await;
        assert_eq!(titles(&name).len(), 0);
        push_after(&server, MINUTE).await;
        assert_eq!(titles(&name), ["New member replied to you, and 2 more"]);
        ada.delete(path).await.expect(204);
        let settings = ada.get("/api/notifications/settings").await.expect(200);
        assert_eq!(settings["quietHours"], Value::Null);
        for (field, value) in [("from", "25:00"), ("until", "10:00"), ("timeZone", "Mars/Olympus")] {
            let mut wrong = hours.clone();
            wrong[field] = json!(value);
            ada.json(Method::PUT, path, wrong).await.error_code(422);
        }
    }

    /// proves: push-session
    async fn a_subscription_ends_with_its_session(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let phone = server.log_in_again(&ada, "phone").await;
        let (here, there) = (subscribe(&ada, "plain", false).await, subscribe(&phone, "plain", false).await);
        phone.post_empty("/api/auth/logout").await.expect(200);
        let post = ada.write("mine").await;
        ben.reply(&post, "hello").await;
        push_after(&server, MINUTE).await;
        assert_eq!((titles(&here).len(), titles(&there).len()), (1, 0));
        assert_eq!(server.count(&SUBSCRIPTIONS, &[]).await, 1);
        ada.delete("/api/push/subscription").await.expect(204);
        ada.delete("/api/push/subscription").await.expect(204);
        ben.reply(&post, "again").await;
        push_after(&server, 2 * MINUTE).await;
        assert_eq!(titles(&here).len(), 1);
    }

    /// proves: push-failed
    async fn a_push_is_repeated_if_the_service_fails_and_ends_if_the_browser_is_gone(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let gone = subscribe(&ada, "gone", false).await;
        let post = ada.write("mine").await;
        ben.reply(&post, "one").await;
        push_after(&server, MINUTE).await;
        assert_eq!((titles(&gone).len(), server.count(&SUBSCRIPTIONS, &[]).await), (1, 0));
        let busy = subscribe(&ada, "busy", false).await;
        ben.reply(&post, "two").await;
        push_after(&server, 2 * MINUTE).await;
        push_after(&server, 2 * MINUTE).await;
        assert_eq!(titles(&busy).len(), 1);
        push_after(&server, 3 * MINUTE).await;
        assert_eq!(titles(&busy).len(), 2);
        // After six hours it is given up.
        push_after(&server, 6 * HOUR).await;
        push_after(&server, HOUR).await;
        assert_eq!(titles(&busy).len(), 3);
        // A redirect is not followed.
        let moved = subscribe(&ada, "moved", false).await;
        ben.reply(&post, "three").await;
        push_after(&server, 2 * MINUTE).await;
        assert_eq!((titles(&moved).len(), titles("followed").len()), (1, 0));
    }

    /// proves: push-test, call-push-subscription
    async fn a_member_can_send_a_test(server) {
        let ada = server.member("ada").await;
        assert_eq!(ada.post_empty("/api/push/test").await.error_code(409), "not_subscribed");
        let name = subscribe(&ada, "plain", false).await;
        ada.post_empty("/api/push/test").await.expect(204);
        assert_eq!(titles(&name), ["Kith can reach you"]);
        for kind in ["busy", "moved"] {
            subscribe(&ada, kind, false).await;
            assert_eq!(ada.post_empty("/api/push/test").await.error_code(409), "push_failed");
        }
        subscribe(&ada, "gone", false).await;
        assert_eq!(ada.post_empty("/api/push/test").await.error_code(409), "not_subscribed");
        let (_, body) = subscription("plain", false);
        for (field, value) in [
            ("endpoint", "https://push.example/x"),
            ("endpoint", "http://127.0.0.1:1/x"),
            ("p256dh", "AAAA"),
            ("auth", "AAAA"),
        ] {
            let mut wrong = body.clone();
            wrong[field] = json!(value);
            ada.json(Method::PUT, "/api/push/subscription", wrong).await.error_code(422);
        }
    }
}

/// A push service that does not respond costs five seconds.
/// proves: push-failed
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_push_service_has_five_seconds() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    subscribe(&ada, "slow", false).await;
    assert_eq!(ada.post_empty("/api/push/test").await.error_code(409), "push_failed");
}

/// Two nodes push once.
/// proves: push-once
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_push_once() {
    let server = Server::postgres().await;
    let (ada, ben) = (server.member("ada").await, server.member("ben").await);
    let other = server.start_second_node().await;
    let name = subscribe(&ada, "plain", false).await;
    let post = ada.write("mine").await;
    for n in 0..10 {
        ben.reply(&post, &format!("{n}")).await;
        server.advance_clock(2 * MINUTE);
        let (one, two) =
            tokio::join!(push::push_due(&server.state.push), push::push_due(&other.state.push),);
        one.and(two).unwrap();
        assert_eq!(titles(&name).len(), n + 1);
    }
}
