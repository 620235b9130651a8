//! One-time codes, which work in the browser that requested the mail.

use crate::harness::{Browser, Server, TestResponse, link_in, on_both_engines};
use kith::platform::ids::Id;
use kith_db::{Sql, sql};
use serde_json::json;

/// Selects the newest request for which no mail was sent.
const UNSENT: Sql = sql!("select max(id) from login_links where mailed_at is null");

const PATH: &str = "/api/auth/verify-code";

pub(super) async fn request_link(server: &Server, browser: &Browser, name: &str) {
    let body =
        json!({"email": format!("{name}@example.org"), "inviteCode": server.operator_code().await});
    browser.post("/api/auth/request-magic-link", body).await.expect(200);
}

pub(super) async fn mailed_code(server: &Server, name: &str) -> String {
    let mail = server.mail_to(&format!("{name}@example.org")).await;
    server.wait_for_mail_queue().await;
    code_in(&mail)
}

/// Extracts the code from a mail.
pub(super) fn code_in(mail: &str) -> String {
    let mut lines = mail.lines();
    lines.find(|line| line.starts_with("Or enter this code")).unwrap();
    lines.next().unwrap().trim().to_owned()
}

pub(super) async fn submit_code(browser: &Browser, code: &str) -> TestResponse {
    browser.post(PATH, json!({"code": code})).await
}

/// Returns a well-formed code that differs from `code`.
pub(super) fn wrong_code(code: &str) -> String {
    let end = if code.ends_with('A') { "B" } else { "A" };
    format!("{}{end}", &code[..7])
}

on_both_engines! {
    /// A newer mail does not invalidate an older code, and a lost response can be requested again.
    async fn the_code_of_every_mail_works(server) {
        let ada = server.visitor();
        request_link(&server, &ada, "ada").await;
        let older = mailed_code(&server, "ada").await;
        server.advance_clock(70_000);
        request_link(&server, &ada, "ada").await;
        let newer = mailed_code(&server, "ada").await;
        assert_ne!(older, newer);
        let again = ada.tab();
        submit_code(&ada, &older).await.expect(200);
        submit_code(&again, &older).await.expect(200);
        assert_eq!(ada.cookie("session"), again.cookie("session"));
    }

    /// The code logs in even with spaces, a hyphen and lower case.
    /// proves: call-verify-code, link-code
    async fn the_code_logs_in(server) {
        let ada = server.visitor();
        request_link(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        assert_eq!(code.len(), 8);
        let sloppy = format!(" {}-{} ", &code[..4], &code[4..]).to_lowercase();
        submit_code(&ada, &sloppy).await.expect(200);
        assert_eq!(ada.me().await["email"], "ada@example.org");
    }

    /// The code is invalid in any other browser.
    /// proves: link-code
    async fn the_code_works_only_in_the_requesting_browser(server) {
        let (ada, eve) = (server.visitor(), server.visitor());
        request_link(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        assert_eq!(submit_code(&server.visitor(), &code).await.error_code(422), "invalid");
        request_link(&server, &eve, "eve").await;
        mailed_code(&server, "eve").await;
        assert_eq!(submit_code(&eve, &code).await.error_code(422), "invalid");
        assert_eq!(eve.get("/api/auth/me").await.error_code(401), "unauthorized");
        submit_code(&ada, &code).await.expect(200);
    }

    /// Five wrong codes revoke the code, but not its link: a stranger may have requested the mail.
    /// proves: link-five-codes
    async fn five_wrong_codes_revoke_the_code_but_not_the_link(server) {
        let eve = server.visitor();
        request_link(&server, &eve, "ada").await;
        let mail = server.mail_to("ada@example.org").await;
        server.wait_for_mail_queue().await;
        let code = code_in(&mail);
        for _ in 0..5 {
            assert_eq!(submit_code(&eve, &wrong_code(&code)).await.error_code(422), "invalid");
        }
        for code in [wrong_code(&code), code] {
            assert_eq!(submit_code(&eve, &code).await.error_code(410), "link_dead");
        }
        assert_eq!(eve.get("/api/auth/me").await.error_code(401), "unauthorized");
        let ada = server.visitor();
        ada.get(&link_in(&mail)).await.expect(200);
        assert_eq!(ada.me().await["email"], "ada@example.org");
    }

    /// A browser has five attempts for all its codes together; a newer mail brings five new
    /// attempts, but none for older codes.
    /// proves: link-five-codes
    async fn attempts_are_shared_by_all_codes_of_a_browser(server) {
        let eve = server.visitor();
        let mut codes = Vec::new();
        for name in ["ada", "bob", "cat", "dan"] {
            request_link(&server, &eve, name).await;
            codes.push(mailed_code(&server, name).await);
        }
        for n in 0..9 {
            let response = submit_code(&eve, &wrong_code(&codes[n % 4])).await;
            let expected = if n < 5 { (422, "invalid") } else { (410, "link_dead") };
            assert_eq!(response.error_code(expected.0), expected.1, "guess {n}");
        }
        request_link(&server, &eve, "eve").await;
        let newer = mailed_code(&server, "eve").await;
        for code in &codes {
            assert_eq!(submit_code(&eve, code).await.error_code(410), "link_dead");
        }
        submit_code(&eve, &newer).await.expect(200);
        assert_eq!(eve.me().await["email"], "eve@example.org");
    }

    /// Responses to wrong codes do not depend on whether a member has the email address.
    /// proves: link-five-codes, link-codes-alike
    async fn responses_to_wrong_codes_do_not_reveal_members(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let mut responses = Vec::new();
        for email in ["ada@example.org", "nobody@example.org"] {
            let eve = server.visitor();
            eve.post("/api/auth/request-login-link", json!({"email": email})).await.expect(200);
            server.wait_for_mail_queue().await;
            let mut received = Vec::new();
            for _ in 0..7 {
                let response = submit_code(&eve, "22222222").await;
                received.push((response.status.as_u16(), response.bytes));
            }
            responses.push(received);
        }
        assert_eq!(responses[0], responses[1]);
        assert_eq!(responses[0][6].0, 410, "and they come to an end");
    }

    /// The code of a request without a mail is invalid, even if guessed.
    /// proves: link-code-mailed
    async fn a_code_that_was_not_mailed_is_invalid(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let eve = server.visitor();
        let body = json!({"email": "ada@example.org"});
        for _ in 0..3 {
            eve.post("/api/auth/request-login-link", body.clone()).await.expect(200);
            server.wait_for_mail_queue().await;
        }
        let unsent = server.count(&UNSENT, &[]).await;
        let code = kith::features::auth::login_code(&server.state.key, Id(unsent));
        assert_eq!(submit_code(&eve, &code).await.error_code(422), "invalid");
        assert_eq!(eve.get("/api/auth/me").await.error_code(401), "unauthorized");
        submit_code(&eve, &mailed_code(&server, "ada").await).await.expect(200);
    }

    /// Up to four wrong codes are allowed, and the code works once.
    async fn four_wrong_codes_are_allowed(server) {
        let ada = server.visitor();
        request_link(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        for _ in 0..4 {
            assert_eq!(submit_code(&ada, &wrong_code(&code)).await.error_code(422), "invalid");
        }
        let twin = ada.tab();
        submit_code(&ada, &code).await.expect(200);
        server.advance_clock(60_000);
        assert_eq!(submit_code(&twin, &code).await.error_code(422), "invalid");
        assert_eq!(twin.get("/api/auth/me").await.error_code(401), "unauthorized");
    }

    /// The code expires with its link.
    async fn the_code_expires(server) {
        let ada = server.visitor();
        request_link(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        server.advance_clock(900_000);
        assert_eq!(submit_code(&ada, &code).await.error_code(422), "invalid");
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
    }

    /// A repeated request within the quota sends no second mail, and the code of the first one
    /// still works.
    /// proves: link-mail-share
    async fn the_code_survives_a_repeated_request(server) {
        let ada = server.visitor();
        request_link(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        request_link(&server, &ada, "ada").await;
        server.wait_for_mail_queue().await;
        assert_eq!(server.mails().len(), 0);
        submit_code(&ada, &code).await.expect(200);
    }
}
