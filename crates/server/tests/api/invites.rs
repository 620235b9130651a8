//! Invite codes and quotas.

use crate::harness::{Browser, Server, on_both_engines};
use serde_json::{Value, json};

const DAY: i64 = 86_400_000;

async fn make(browser: &Browser) -> String {
    let invite = browser.post_empty("/api/invites").await.expect(201);
    invite["code"].as_str().unwrap().to_owned()
}

async fn list(browser: &Browser) -> Vec<Value> {
    let invites = browser.get("/api/invites").await.expect(200);
    invites.as_array().unwrap().clone()
}

async fn available(browser: &Browser) -> i64 {
    browser.me().await["invitesAvailable"].as_i64().unwrap()
}

/// Response to a login link request with this code.
async fn ask(server: &Server, code: &str) -> crate::harness::TestResponse {
    let body = json!({"email": "someone@example.org", "inviteCode": code});
    server.visitor().post("/api/auth/request-magic-link", body).await
}

on_both_engines! {
    /// A new member can create three codes, and no fourth.
    /// proves: call-invites, call-create-invite, invite-form, invite-quota, invite-none-left
    async fn a_new_member_has_three_codes(server) {
        let ada = server.member("ada").await;
        let mut codes = Vec::new();
        for left in (0..3).rev() {
            codes.insert(0, make(&ada).await);
            assert_eq!(available(&ada).await, left);
        }
        let answer = ada.post_empty("/api/invites").await;
        assert_eq!(answer.error_code(409), "no_invites_left");
        assert_eq!(answer.expect(409)["message"], "You have no invites left. You will get 3 more next month.");
        let listed = list(&ada).await;
        assert_eq!(listed.iter().map(|invite| invite["code"].as_str().unwrap()).collect::<Vec<_>>(), codes);
        for code in &codes {
            assert!(code.len() == 12 && code.bytes().all(|byte| b"ABCDEFGHJKMNPQRSTUVWXYZ23456789".contains(&byte)), "{code}");
        }
        assert_eq!(listed[0]["expiresAt"], "2026-11-28T09:30:00.000Z");
        assert_eq!(listed[0]["createdAt"], "2026-11-21T09:30:00.000Z");
        assert_eq!((&listed[0]["isUsed"], &listed[0]["usedAt"], &listed[0]["usedBy"]), (&json!(false), &json!(null), &json!(null)));
    }

    /// A used code shows the new member to its owner.
    /// proves: entity-invite-use, join-mutual-follow
    async fn a_used_code_shows_the_new_member(server) {
        let ada = server.member("ada").await;
        let code = make(&ada).await;
        server.advance_clock(DAY);
        let bob = server.member_with("bob", &code).await;
        let invite = list(&ada).await[0].clone();
        assert_eq!((&invite["code"], &invite["isUsed"]), (&json!(code), &json!(true)));
        assert_eq!(invite["usedAt"], "2026-11-22T09:30:00.000Z");
        assert_eq!(invite["usedBy"]["username"], bob.name().await.as_str());
        assert_eq!(ask(&server, &code).await.error_code(400), "invalid");
        server.advance_clock(8 * DAY);
        assert_eq!(list(&ada).await.len(), 1, "it stays on the list");
        assert_eq!(available(&ada).await, 2, "and counts for good");
        let (follows, followed) = (bob.me().await["followingCount"].as_i64(), bob.me().await["followerCount"].as_i64());
        assert_eq!((follows, followed), (Some(1), Some(1)), "inviter and friend follow each other");
        assert_eq!(ada.me().await["unreadNotificationCount"], 1);
    }

    /// An unused code expires after seven days and returns to the quota.
    /// proves: invite-7-days, invite-expired-returns, invite-list
    async fn an_expired_code_returns_to_the_quota(server) {
        let ada = server.member("ada").await;
        let code = make(&ada).await;
        server.advance_clock(7 * DAY - 1);
        ask(&server, &code).await.expect(200);
        assert_eq!((available(&ada).await, list(&ada).await.len()), (2, 1));
        server.advance_clock(1);
        assert_eq!(ask(&server, &code).await.error_code(400), "invalid");
        assert_eq!((available(&ada).await, list(&ada).await.len()), (2, 0), "a mailed link may still use it");
        server.advance_clock(15 * 60_000 - 1);
        for _ in 0..2 {
            make(&ada).await;
        }
        assert_eq!(ada.post_empty("/api/invites").await.error_code(409), "no_invites_left");
        server.advance_clock(1);
        assert_eq!((available(&ada).await, list(&ada).await.len()), (1, 2));
        make(&ada).await;
        assert_eq!(ada.post_empty("/api/invites").await.error_code(409), "no_invites_left");
    }

    /// A link that was mailed before the code expired can claim it for as long as the link is valid.
    /// proves: join-grace
    async fn a_mailed_link_outlives_its_code(server) {
        let ada = server.member("ada").await;
        let (first, second) = (make(&ada).await, make(&ada).await);
        server.advance_clock(7 * DAY - 1);
        let (bob, eve) = (server.visitor(), server.visitor());
        let bobs = server.request_sign_up_link(&bob, "bob", &first).await;
        let eves = server.request_sign_up_link(&eve, "eve", &second).await;
        server.advance_clock(15 * 60_000 - 1);
        bob.get(&bobs).await.expect(200);
        assert_eq!(bob.me().await["invitedBy"]["id"], ada.id().await.as_str());
        let listed = list(&ada).await;
        assert_eq!((listed.len(), &listed[0]["isUsed"]), (1, &json!(true)));
        server.advance_clock(1);
        assert_eq!(eve.get(&eves).await.error_code(410), "link_expired");
    }

    /// The quota grows by three on the first day of each month in UTC.
    /// proves: invite-quota
    async fn each_month_adds_three_codes(server) {
        let ada = server.member("ada").await;
        for _ in 0..3 {
            make(&ada).await;
        }
        let bob = server.member_with("bob", list(&ada).await[0]["code"].as_str().unwrap()).await;
        // 30 November, 23:59:59.999.
        server.advance_clock(9 * DAY + 14 * 3_600_000 + 30 * 60_000 - 1);
        assert_eq!((available(&ada).await, available(&bob).await), (2, 3), "two came back");
        server.advance_clock(1);
        assert_eq!((available(&ada).await, available(&bob).await), (5, 6));
        let late = server.member("eve").await;
        assert_eq!(available(&late).await, 3);
    }

    /// Codes are accepted in lower case, with dashes and with spaces.
    /// proves: invite-typing
    async fn codes_are_accepted_in_any_spelling(server) {
        let ada = server.member("ada").await;
        let code = make(&ada).await.to_lowercase();
        let sloppy = format!(" {}-{} {}\n", &code[..4], &code[4..8], &code[8..]);
        let bob = server.member_with("bob", &sloppy).await;
        assert_eq!(bob.me().await["invitedBy"]["id"], ada.id().await.as_str());
    }

    /// Members can list only their own codes.
    /// proves: invite-private
    async fn codes_are_private(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        make(&ada).await;
        assert!(list(&bob).await.is_empty());
        assert_eq!(available(&bob).await, 3);
    }

    /// A missing, an empty and a wrong code are rejected.
    /// proves: join-invite-checked
    async fn invalid_codes_are_rejected(server) {
        for code in ["", "  ", "-", "AAAABBBBCCCC", "\0", "🎟️", &"A".repeat(5_000)] {
            let answer = ask(&server, code).await;
            assert_eq!(answer.error_code(400), "invalid", "{code:?}");
            assert!(answer.expect(400)["fields"]["inviteCode"].is_string());
        }
    }

    /// A revoked code admits no new member and returns to the quota; a used code cannot be revoked.
    /// proves: call-revoke-invite, invite-revoke, invite-revoked-returns, invite-revoked-link
    /// proves: wire-idempotent, invite-list
    async fn a_revoked_code_returns_to_the_quota(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let code = make(&ada).await;
        let id = list(&ada).await[0]["id"].as_str().unwrap().to_owned();
        let path = format!("/api/invites/{id}");
        // A link that was mailed before the revocation no longer works.
        let browser = server.visitor();
        let link = server.request_sign_up_link(&browser, "eve", &code).await;
        assert_eq!(bob.delete(&path).await.error_code(404), "invite_not_found");
        assert_eq!(available(&ada).await, 2);
        ada.delete(&path).await.expect(204);
        ada.delete(&path).await.expect(204);
        assert_eq!((available(&ada).await, list(&ada).await.len()), (3, 0));
        assert_eq!(ask(&server, &code).await.error_code(400), "invalid");
        assert_eq!(browser.get(&link).await.error_code(409), "invite_gone");
        let used = make(&ada).await;
        server.member_with("cat", &used).await;
        let id = list(&ada).await[0]["id"].as_str().unwrap().to_owned();
        assert_eq!(ada.delete(&format!("/api/invites/{id}")).await.error_code(409), "invite_used");
        assert_eq!(available(&ada).await, 2);
    }

    /// Codes are paginated by offset and `Link` header, newest first; revoked and expired codes leave no gap.
    /// proves: wire-invites-page, wire-cursor, invite-list
    async fn codes_are_listed_in_pages(server) {
        let ada = server.member("ada").await;
        let mut codes = Vec::new();
        for n in 0..3 {
            codes.insert(0, make(&ada).await);
            server.member_with(&format!("friend{n}"), &codes[0]).await;
        }
        server.advance_clock(10 * DAY);
        for _ in 0..3 {
            codes.insert(0, make(&ada).await);
        }
        let revoked = list(&ada).await[1]["id"].as_str().unwrap().to_owned();
        ada.delete(&format!("/api/invites/{revoked}")).await.expect(204);
        codes.remove(1);
        let page = async |path: &str| {
            let answer = ada.get(path).await;
            let codes = answer.expect(200).as_array().unwrap().iter().map(|invite| invite["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
            (codes, answer.next())
        };
        assert_eq!(page("/api/invites").await, (codes.clone(), None));
        for offset in 0..6 {
            let (seen, _) = page(&format!("/api/invites?limit=2&offset={offset}")).await;
            assert_eq!(seen, codes[offset.min(5)..(offset + 2).min(5)], "{offset}");
        }
        let (first, next) = page("/api/invites?limit=2").await;
        let late = make(&ada).await;
        let (second, next) = page(&next.unwrap()).await;
        let (third, next) = page(&next.unwrap()).await;
        assert_eq!((first, second, third, next), (codes[..2].to_vec(), codes[2..4].to_vec(), codes[4..].to_vec(), None));
        assert_eq!(list(&ada).await[0]["code"], late.as_str());
        let bob = server.member("bob").await;
        assert_eq!(bob.get("/api/invites?offset=1").await.expect(200), json!([]));
    }
}
