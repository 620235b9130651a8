//! The reason that a browser reads whose session was ended from elsewhere.

use crate::harness::{Browser, Server, on_both_engines};
use kith::features::members::SanctionKind;
use kith::ops::retention;
use kith::platform::clock::DAY;
use kith_db::{Sql, sql};
use serde_json::json;

const NOTES: Sql = sql!("select count(*) from ended_sessions");

/// Why this browser is logged out, as each kind of request says it.
async fn reason(browser: &Browser) -> String {
    let me = browser.get("/api/auth/me").await.refusal(401);
    let feed = browser.get("/api/posts/feed").await.refusal(401);
    let write = browser
        .post("/api/posts", json!({"content": "Hello"}))
        .await
        .refusal(401);
    assert_eq!([&me, &me], [&feed, &write]);
    me
}

async fn phone_of(server: &Server, member: &Browser) -> (Browser, String) {
    let phone = server.log_in_again(member, "").await;
    let all = phone.get("/api/auth/sessions").await.expect(200);
    let all = all.as_array().unwrap();
    let own = all.iter().find(|one| one["isCurrent"] == true).unwrap();
    let id = own["id"].as_str().unwrap().to_owned();
    (phone, id)
}

on_both_engines! {
    /// proves: session-ended-told
    async fn an_ended_session_says_so(server) {
        let ada = server.member("ada").await;
        let (phone, id) = phone_of(&server, &ada).await;
        ada.delete(&format!("/api/auth/sessions/{id}")).await.expect(204);
        assert_eq!(reason(&phone).await, "session_ended");
        let (tablet, _) = phone_of(&server, &ada).await;
        ada.delete("/api/auth/sessions").await.expect(204);
        assert_eq!(reason(&tablet).await, "session_ended");
        assert_eq!(reason(&phone).await, "session_ended");
        // The browser that ended them has no cookie any more, and others never had one.
        assert_eq!(reason(&ada).await, "unauthorized");
        let stranger = server.visitor();
        stranger.set_cookie("session", &"A".repeat(43));
        assert_eq!(reason(&stranger).await, "unauthorized");
    }

    /// proves: session-ended-told
    async fn a_suspended_members_session_says_so(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        ada.get("/api/posts/feed").await.expect(200);
        server.operate(&name, SanctionKind::Suspend).await.unwrap();
        let said = ada.get("/api/auth/me").await.expect(401);
        assert_eq!(said["message"], "You were logged out because your account was suspended.");
        assert_eq!(reason(&ada).await, "suspended");
        assert_eq!(reason(&server.visitor()).await, "unauthorized");
    }

    /// proves: session-ended-told
    async fn what_ends_by_itself_leaves_no_note(server) {
        let ada = server.member("ada").await;
        let tab = ada.tab();
        ada.poke("/api/auth/logout").await.expect(200);
        assert_eq!(reason(&tab).await, "unauthorized");
        assert_eq!(server.count(&NOTES, &[]).await, 0);
    }

    /// proves: purge-sessions
    async fn the_reason_goes_once_no_cookie_can_come(server) {
        let ada = server.member("ada").await;
        phone_of(&server, &ada).await;
        ada.delete("/api/auth/sessions").await.expect(204);
        assert_eq!(server.count(&NOTES, &[]).await, 2);
        server.pass(30 * DAY - 1);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&NOTES, &[]).await, 2);
        server.pass(1);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&NOTES, &[]).await, 0);
    }
}
