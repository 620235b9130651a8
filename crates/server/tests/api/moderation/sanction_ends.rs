//! Suspensions and invite freezes that end by date.

use super::{act, actions, first_case, report};
use crate::harness::{Browser, Server, TestResponse, on_both_engines};
use axum::http::Method;
use kith::features::members::Role;
use kith::features::moderation;
use kith::platform::clock::{DAY, MINUTE, rfc3339};
use serde_json::{Value, json};

/// Applies a sanction that ends at a time.
async fn act_until(who: &Browser, member: &str, what: &str, until: &str) -> TestResponse {
    let path = format!("/api/admin/members/{member}/{what}");
    who.json(Method::PUT, &path, json!({"until": until})).await
}

async fn lift_ended(server: &Server, after: i64) {
    server.advance_clock(after);
    moderation::lift_ended(&server.state).await.unwrap();
}

/// The newest row of the audit log.
async fn newest_row(admin: &Browser) -> Value {
    admin.get("/api/admin/audit?limit=1").await.expect(200)[0].clone()
}

on_both_engines! {
    /// proves: sanction-until, sanction-end, suspended-login
    async fn a_suspension_ends_by_date(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let id = ada.id().await;
        server.advance_clock(DAY);
        let browser = server.visitor();
        let link = server.request_login_link(&browser, "ada").await;
        let end = rfc3339(server.state.now() + 5 * MINUTE);
        act_until(&kim, &id, "suspension", &end).await.expect(204);
        assert_eq!(newest_row(&kim).await["detail"], json!(end));
        let error = browser.get(&link).await.expect(403);
        assert_eq!((&error["code"], &error["until"]), (&json!("suspended"), &json!(end)));
        let row = kim.get("/api/admin/members?query=ada").await.expect(200);
        let row = row.as_array().unwrap().iter().find(|row| row["id"] == json!(id)).cloned();
        assert!(row.is_none_or(|row| row["suspendedUntil"] == json!(end)));
        lift_ended(&server, 5 * MINUTE - 1).await;
        browser.get(&link).await.expect(403);
        lift_ended(&server, 1).await;
        browser.get(&link).await.expect(200);
        let row = newest_row(&kim).await;
        assert_eq!((&row["action"], &row["detail"], &row["actor"]), (&json!("unsuspend"), &json!("expired"), &json!(null)));
        // A second round finds nothing, and an old end does not shorten a new suspension.
        act(&kim, Method::PUT, &id, "suspension").await.expect(204);
        lift_ended(&server, DAY).await;
        assert_eq!(newest_row(&kim).await["action"], "suspend");
        browser.get("/api/auth/me").await.expect(401);
    }

    /// proves: sanction-until, sanction-end
    async fn a_freeze_ends_by_date(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let end = rfc3339(server.state.now() + DAY);
        act_until(&kim, &ada.id().await, "invite-freeze", &end).await.expect(204);
        assert_eq!(ada.me().await["invitesFrozen"], true);
        let rows = kim.get("/api/admin/members").await.expect(200);
        assert_eq!((&rows[0]["invitesFrozenUntil"], &rows[0]["suspendedUntil"]), (&json!(end), &json!(null)));
        lift_ended(&server, DAY).await;
        assert_eq!(ada.me().await["invitesFrozen"], false);
        let row = newest_row(&kim).await;
        assert_eq!((&row["action"], &row["detail"]), (&json!("unfreeze_invites"), &json!("expired")));
    }

    /// The same rank changes the end; a lower one cannot.
    /// proves: sanction-change, roles-lift
    async fn the_end_can_be_changed(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let mia = server.with_role("mia", Role::Moderator).await;
        let id = ada.id().await;
        let [soon, late] = [1, 9].map(|days| rfc3339(server.state.now() + days * DAY));
        for end in [&soon, &late, &late] {
            act_until(&kim, &id, "suspension", end).await.expect(204);
        }
        act_until(&mia, &id, "suspension", &soon).await.expect(204);
        assert_eq!(newest_row(&kim).await["detail"], json!(late));
        assert_eq!(actions(&kim).await, ["suspend", "suspend"]);
        lift_ended(&server, DAY).await;
        let rows = kim.get("/api/admin/members").await.expect(200);
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == json!(id)).unwrap();
        assert_eq!(row["suspendedUntil"], json!(late));
        act(&kim, Method::DELETE, &id, "suspension").await.expect(204);
        lift_ended(&server, 9 * DAY).await;
        let kim = server.log_in("kim").await;
        assert_eq!(actions(&kim).await, ["unsuspend", "suspend", "suspend"]);
    }

    /// proves: sanction-until
    async fn an_end_is_in_the_next_two_years(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let now = server.state.now();
        let (past, far) = (rfc3339(now), rfc3339(now + 731 * DAY + 1));
        for end in [past.as_str(), far.as_str(), "", "tomorrow", "2027-01-01"] {
            let error = act_until(&kim, &ada.id().await, "suspension", end).await.expect(422);
            assert_eq!(error["fields"]["until"], "Please choose a time within the next two years.", "{end}");
        }
        ada.get("/api/auth/me").await.expect(200);
    }

    /// proves: sanction-until, resolve-suspend
    async fn a_decision_suspends_until_a_date(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let bob = server.member("bob").await;
        report(&bob, &ada.write("spam").await, "spam").await;
        let end = rfc3339(server.state.now() + DAY);
        let path = format!("/api/admin/reports/{}/resolve", first_case(&kim).await);
        let body = json!({"action": "suspend", "until": end});
        kim.post(&path, body).await.expect(204);
        ada.get("/api/auth/me").await.expect(401);
        assert_eq!(newest_row(&kim).await["detail"], json!(end));
        lift_ended(&server, DAY).await;
        assert_eq!(newest_row(&kim).await["action"], "unsuspend");
    }
}
