//! Details behind a mailed link of an email change, and declining the change.

use super::account;
use super::email::{NEW, OLD, confirm, request_tokens, state_of};
use crate::harness::on_both_engines;
use kith::platform::clock::MINUTE;
use serde_json::json;

on_both_engines! {
    /// The page behind a mailed link shows the change before the member confirms it.
    /// proves: address-page-names, call-get-email-link
    async fn a_mailed_link_describes_its_change(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        let fetch_details = async |token: &str| {
            server.visitor().get(&format!("/api/account/email/confirm?token={token}")).await
        };
        let tokens = request_tokens(&server, &ada, OLD, NEW).await;
        for token in &tokens {
            assert_eq!(fetch_details(token).await.expect(200), json!({"newEmail": NEW, "username": name}));
        }
        assert_eq!(account(&ada).await["pendingEmail"]["isNewConfirmed"], false, "nothing was changed");
        assert_eq!(fetch_details("").await.error_code(400), "invalid");
        assert_eq!(fetch_details(&tokens[0][1..]).await.error_code(400), "link_invalid");
        server.apply_sanction(&name, kith::features::members::SanctionKind::Suspend).await.unwrap();
        fetch_details(&tokens[2]).await.expect(200);
    }

    /// The new mailbox can only cancel a change; the old one also ends all sessions.
    /// proves: address-not-me, call-confirm-email
    async fn a_change_can_be_declined_from_either_mailbox(server) {
        let ada = server.member("ada").await;
        let not_me = async |token: &str| {
            let body = json!({"token": token, "notMe": true});
            server.visitor().post("/api/account/email/confirm", body).await
        };
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        for _ in 0..2 {
            assert_eq!(state_of(&not_me(&new).await), "declined");
        }
        assert_eq!(account(&ada).await["pendingEmail"], json!(null));
        assert_eq!(confirm(&server, &old).await.error_code(410), "change_ended");
        assert_eq!(ada.me().await["email"], OLD);
        server.advance_clock(2 * MINUTE);
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        assert_eq!(state_of(&not_me(&old).await), "cancelled");
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "session_ended");
        assert_eq!(confirm(&server, &new).await.error_code(410), "change_ended");
        server.advance_clock(2 * MINUTE);
        let ada = server.log_in("ada").await;
        server.advance_clock(2 * MINUTE);
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        assert_eq!(state_of(&confirm(&server, &old).await), "changed");
        assert_eq!(not_me(&new).await.error_code(409), "email_changed");
        assert_eq!(ada.me().await["email"], NEW);
        assert_eq!(state_of(&not_me(&old).await), "restored");
    }
}
