//! Sign-up, and logins that come with an invite code.

use crate::harness::{id_of, on_both_engines};
use serde_json::json;

on_both_engines! {
    /// A stranger with an invite code becomes a member by the mailed link.
    /// proves: call-verify, call-get-me, call-get-user-self, wire-times
    async fn a_stranger_signs_up_by_link(server) {
        let ada = server.member_with("ada", &server.founder_code()).await;
        let me = ada.me().await;
        assert_eq!(me["email"], "ada@example.org");
        assert_eq!(me["usernameIsProvisional"], true);
        assert_eq!(me["invitesAvailable"], 3);
        assert_eq!(me["role"], "member");
        assert_eq!(me["createdAt"], "2026-11-21T09:30:00.000Z");
        assert_eq!(me["invitedBy"]["username"], "founder");
        assert_eq!((me["followerCount"].as_i64(), me["followingCount"].as_i64()), (Some(1), Some(1)));
        assert_eq!(ada.get("/api/auth/user").await.expect(200), me);
    }

    /// The provisional username reveals nothing about the email address.
    /// proves: join-provisional-name
    async fn a_provisional_username_does_not_reveal_the_email(server) {
        let name = server.member("ada").await.name().await;
        assert!(name.starts_with("member_") && name.len() <= 20 && !name.contains("ada"), "{name}");
        assert_ne!(server.member("bob").await.name().await, name);
    }

    /// The printed founder link works once.
    /// proves: join-founder
    async fn the_founders_link_works_once(server) {
        let founder = server.founder().await;
        let me = founder.me().await;
        assert_eq!((me["username"].as_str(), me["role"].as_str()), (Some("founder"), Some("admin")));
        server.advance_clock(60_000);
        let late = server.visitor();
        assert_eq!(late.get(&server.founder_path()).await.error_code(410), "link_used");
        assert_eq!(late.get("/api/auth/me").await.error_code(401), "unauthorized");
        founder.get("/api/auth/me").await.expect(200);
    }

    /// A member who requests a link with an invite code is logged in, and the code stays unused.
    /// proves: join-known-address
    async fn a_member_with_an_invite_code_just_logs_in(server) {
        let ada = server.member("ada").await;
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        server.advance_clock(61_000);
        let again = server.visitor();
        let link = server.request_sign_up_link(&again, "ada", &code).await;
        assert!(!link.contains("invite="), "{link}");
        again.get(&link).await.expect(200);
        assert_eq!(again.id().await, ada.id().await);
        assert_eq!(ada.get("/api/invites").await.expect(200)[0]["isUsed"], false);
        let bob = server.member_with("bob", &code).await;
        assert_eq!(bob.me().await["invitedBy"]["id"], ada.id().await.as_str());
    }

    /// Two sign-up links for one email address create one member.
    /// proves: join-one-address
    async fn two_sign_ups_with_one_email_create_one_member(server) {
        let (first, second) = (server.operator_code().await, server.operator_code().await);
        let (home, work) = (server.visitor(), server.visitor());
        let link = server.request_sign_up_link(&home, "ada", &first).await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let other = server.request_sign_up_link(&work, "ada", &second).await;
        home.get(&link).await.expect(200);
        work.get(&other).await.expect(200);
        assert_eq!(home.id().await, work.id().await);
        let bob = server.member_with("bob", &second).await;
        assert_ne!(id_of(&bob.me().await), home.id().await);
    }

    /// A code that another stranger has used yields an error and creates no member.
    /// proves: join-claim
    async fn an_invite_code_used_meanwhile_creates_no_member(server) {
        const MEMBERS: kith_db::Sql = kith_db::sql!("select count(*) from members");
        let code = server.operator_code().await;
        let slow = server.visitor();
        let link = server.request_sign_up_link(&slow, "slow", &code).await;
        server.member_with("fast", &code).await;
        let before = server.count(&MEMBERS, &[]).await;
        assert_eq!(slow.get(&link).await.error_code(409), "invite_gone");
        assert_eq!(slow.get("/api/auth/me").await.error_code(401), "unauthorized");
        assert_eq!(server.count(&MEMBERS, &[]).await, before);
    }

    /// An invalid invite code is rejected before any mail, with one message for members and
    /// strangers.
    /// proves: join-invite-checked, invite-only
    async fn an_invalid_invite_code_is_rejected(server) {
        let ada = server.member("ada").await;
        let used = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        server.member_with("bob", &used).await;
        let mut responses = Vec::new();
        for name in ["ada", "stranger"] {
            for code in [used.as_str(), "AAAABBBBCCCC", "x", "' or 1=1"] {
                let body = json!({"email": format!("{name}@example.org"), "inviteCode": code});
                let response = server.visitor().post("/api/auth/request-magic-link", body).await;
                assert_eq!(response.error_code(400), "invalid");
                responses.push(response.bytes);
            }
        }
        responses.dedup();
        assert_eq!(responses.len(), 1, "one sentence for all");
        server.wait_for_mail_queue().await;
        assert_eq!(server.mails().len(), 0);
    }
}
