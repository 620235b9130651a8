//! Error codes that report to a browser why its session was ended by another device or a moderator.

use crate::harness::{Browser, Server, on_both_engines};
use kith::features::members::SanctionKind;
use kith::ops::retention;
use kith::platform::clock::DAY;
use kith_db::{Sql, sql};
use serde_json::json;

const REASONS: Sql = sql!("select count(*) from ended_sessions");

/// Returns the error code of this browser's requests, asserting that all kinds of request agree.
async fn logout_reason(browser: &Browser) -> String {
    let me = browser.get("/api/auth/me").await.error_code(401);
    let feed = browser.get("/api/posts/feed").await.error_code(401);
    let write = browser.post("/api/posts", json!({"content": "Hello"})).await.error_code(401);
    assert_eq!([&me, &me], [&feed, &write]);
    me
}

async fn log_in_phone(server: &Server, member: &Browser) -> (Browser, String) {
    let phone = server.log_in_again(member, "").await;
    let all = phone.get("/api/auth/sessions").await.expect(200);
    let all = all.as_array().unwrap();
    let own = all.iter().find(|one| one["isCurrent"] == true).unwrap();
    let id = own["id"].as_str().unwrap().to_owned();
    (phone, id)
}

on_both_engines! {
    /// proves: session-ended-reason
    async fn an_ended_session_is_reported_as_ended(server) {
        let ada = server.member("ada").await;
        let (phone, id) = log_in_phone(&server, &ada).await;
        ada.delete(&format!("/api/auth/sessions/{id}")).await.expect(204);
        assert_eq!(logout_reason(&phone).await, "session_ended");
        let (tablet, _) = log_in_phone(&server, &ada).await;
        ada.delete("/api/auth/sessions").await.expect(204);
        assert_eq!(logout_reason(&tablet).await, "session_ended");
        assert_eq!(logout_reason(&phone).await, "session_ended");
        // The browser that ended them holds no cookie any more, and a stranger's cookie was never
        // valid.
        assert_eq!(logout_reason(&ada).await, "unauthorized");
        let stranger = server.visitor();
        stranger.set_cookie("session", &"A".repeat(43));
        assert_eq!(logout_reason(&stranger).await, "unauthorized");
    }

    /// proves: session-ended-reason
    async fn a_suspended_members_session_is_reported_as_suspended(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        ada.get("/api/posts/feed").await.expect(200);
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        let me = ada.get("/api/auth/me").await.expect(401);
        assert_eq!(me["message"], "You were logged out because your account was suspended.");
        assert_eq!(logout_reason(&ada).await, "suspended");
        assert_eq!(logout_reason(&server.visitor()).await, "unauthorized");
    }

    /// proves: session-ended-reason
    async fn a_logout_stores_no_reason(server) {
        let ada = server.member("ada").await;
        let tab = ada.tab();
        ada.post_empty("/api/auth/logout").await.expect(200);
        assert_eq!(logout_reason(&tab).await, "unauthorized");
        assert_eq!(server.count(&REASONS, &[]).await, 0);
    }

    /// proves: purge-sessions
    async fn the_reason_is_deleted_after_the_cookie_expires(server) {
        let ada = server.member("ada").await;
        log_in_phone(&server, &ada).await;
        ada.delete("/api/auth/sessions").await.expect(204);
        assert_eq!(server.count(&REASONS, &[]).await, 2);
        server.advance_clock(30 * DAY - 1);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&REASONS, &[]).await, 2);
        server.advance_clock(1);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&REASONS, &[]).await, 0);
    }
}
