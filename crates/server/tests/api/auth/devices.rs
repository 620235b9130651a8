//! Listing and ending one's own sessions.

use crate::harness::{Browser, TestResponse, id_of, on_both_engines};
use kith::platform::clock::{DAY, HOUR};
use serde_json::{Value, json};

const PATH: &str = "/api/auth/sessions";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

async fn sessions(browser: &Browser) -> Vec<Value> {
    let list = browser.get(PATH).await.expect(200);
    list.as_array().unwrap().clone()
}

/// Returns the id of this browser's session.
async fn current_session_id(browser: &Browser) -> String {
    let all = sessions(browser).await;
    id_of(all.iter().find(|one| one["isCurrent"] == true).unwrap())
}

#[track_caller]
fn names(sessions: &[Value]) -> Vec<&str> {
    let names = sessions.iter().map(|one| one["name"].as_str().unwrap());
    names.collect()
}

async fn assert_logged_out(browser: &Browser) {
    let code = browser.get("/api/auth/me").await.error_code(401);
    assert!(["unauthorized", "session_ended"].contains(&code.as_str()), "{code}");
}

/// Asserts that the response clears the browser's session cookie and cache.
#[track_caller]
fn assert_clears_session(response: &TestResponse) {
    response.expect(204);
    assert_eq!(response.header("clear-site-data"), "\"cache\"");
    assert_eq!(
        response.header("set-cookie"),
        "session=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0"
    );
}

on_both_engines! {
    /// Sessions are listed by last use, and no listed value works as a session cookie.
    /// proves: session-list, session-name, entity-session, call-list-sessions
    async fn sessions_are_listed(server) {
        let ada = server.member("ada").await;
        server.member("bob").await;
        server.advance_clock(2 * HOUR);
        let phone = server.log_in_again(&ada, FIREFOX).await;
        ada.get("/api/auth/me").await.expect(200);
        server.advance_clock(HOUR);
        let robot = server.log_in_again(&ada, &"x".repeat(10_000)).await;
        let seen = sessions(&robot).await;
        let one = |row: usize, name: &str, created: &str, used: &str| json!({
            "id": seen[row]["id"], "name": name, "isCurrent": row == 0,
            "createdAt": format!("2026-11-21T{created}:00.000Z"),
            "lastUsedAt": format!("2026-11-21T{used}:00.000Z"),
        });
        assert_eq!(seen, [
            one(0, "Unknown device", "12:30", "12:30"),
            one(1, "Unknown device", "09:30", "12:30"),
            one(2, "Firefox on Linux", "11:30", "11:30"),
        ]);
        let theirs = sessions(&phone).await;
        let current = theirs.iter().map(|one| one["isCurrent"] == true).collect::<Vec<_>>();
        assert_eq!(current, [false, true, false], "it was used now, too");
        for one in &seen {
            let id = one["id"].as_str().unwrap();
            assert!(id.parse::<i64>().is_ok(), "{id}");
        }
    }

    /// Expired sessions are not listed.
    /// proves: session-list
    async fn ended_sessions_are_not_listed(server) {
        let ada = server.member("ada").await;
        for _ in 0..3 {
            server.advance_clock(8 * DAY);
            ada.get("/api/auth/me").await.expect(200);
        }
        let phone = server.log_in_again(&ada, FIREFOX).await;
        assert_eq!(sessions(&phone).await.len(), 2);
        server.advance_clock(6 * DAY);
        assert_eq!(names(&sessions(&phone).await), ["Firefox on Linux"], "30 days after its login");
        server.advance_clock(3 * DAY);
        phone.get("/api/auth/me").await.expect(200);
        let tablet = server.log_in_again(&phone, "").await;
        server.advance_clock(13 * DAY);
        tablet.get("/api/auth/me").await.expect(200);
        server.advance_clock(DAY);
        assert_eq!(names(&sessions(&tablet).await), ["Unknown device"], "14 days after its last use");
    }

    /// Ending a session takes effect immediately and affects no other session.
    /// proves: session-end, call-end-session
    async fn ending_another_session_logs_that_device_out(server) {
        let ada = server.member("ada").await;
        let (phone, tablet) = (server.log_in_again(&ada, FIREFOX).await, server.log_in_again(&ada, "").await);
        let path = format!("{PATH}/{}", current_session_id(&phone).await);
        let response = ada.delete(&path).await;
        response.expect(204);
        let mut cookies = response.headers.get_all("set-cookie").iter();
        assert!(cookies.all(|cookie| cookie.as_bytes().starts_with(b"written-on=")));
        assert_eq!(response.header("clear-site-data"), "");
        assert_logged_out(&phone).await;
        assert_eq!(sessions(&ada).await.len(), 2);
        tablet.get("/api/auth/me").await.expect(200);
        assert_eq!(ada.delete(&path).await.error_code(404), "session_not_found");
    }

    /// Ending the current session logs out.
    /// proves: session-end, call-end-session
    async fn ending_the_current_session_logs_out(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, FIREFOX).await;
        let copy = phone.tab();
        assert_clears_session(&phone.delete(&format!("{PATH}/{}", current_session_id(&phone).await)).await);
        assert_eq!(phone.cookie("session"), None);
        assert_logged_out(&copy).await;
        ada.get("/api/auth/me").await.expect(200);
    }

    /// Sessions of other members are not found.
    /// proves: session-end
    async fn sessions_of_other_members_are_not_found(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let secret = ada.cookie("session").unwrap();
        for id in [current_session_id(&bob).await, kith::platform::crypto::hash_secret(&secret), secret] {
            let response = ada.delete(&format!("{PATH}/{id}")).await;
            assert_eq!(response.error_code(404), "session_not_found", "{id}");
        }
        assert_eq!(sessions(&bob).await.len(), 1);
        for visitor in [server.visitor().get(PATH).await, server.visitor().delete(PATH).await] {
            assert_eq!(visitor.error_code(401), "unauthorized");
        }
    }

    /// Ending all sessions includes the current one, but none of other members.
    /// proves: session-end-all, call-end-sessions
    async fn ending_all_sessions_logs_every_device_out(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let phone = server.log_in_again(&ada, FIREFOX).await;
        let copy = ada.tab();
        assert_clears_session(&ada.delete(PATH).await);
        assert_eq!(ada.cookie("session"), None);
        for out in [&copy, &phone] {
            assert_logged_out(out).await;
        }
        bob.get("/api/auth/me").await.expect(200);
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        assert_eq!(sessions(&server.log_in("ada").await).await.len(), 1);
    }

    /// A used link whose session was ended does not open it again.
    /// proves: session-end-all
    async fn a_used_link_does_not_bring_an_ended_session_back(server) {
        let ada = server.visitor();
        let link = server.request_sign_up_link(&ada, "ada", &server.founder_code()).await;
        let twin = ada.tab();
        ada.get(&link).await.expect(200);
        ada.delete(PATH).await.expect(204);
        twin.get(&link).await;
        assert_logged_out(&twin).await;
    }

    /// A 51st session ends the least recently used one.
    /// proves: session-fifty
    async fn a_member_has_fifty_sessions(server) {
        let ada = server.member("ada").await;
        server.advance_clock(HOUR);
        let second = server.log_in_again(&ada, FIREFOX).await;
        ada.get("/api/auth/me").await.expect(200);
        server.advance_clock(HOUR);
        for _ in 0..48 {
            server.log_in_again(&ada, "").await;
        }
        let all = sessions(&ada).await;
        assert_eq!((all.len(), names(&all)[49]), (50, "Firefox on Linux"));
        let last = server.log_in_again(&ada, "").await;
        assert_eq!(sessions(&last).await.len(), 50);
        assert_logged_out(&second).await;
        ada.get("/api/auth/me").await.expect(200);
    }
}
