//! Binding of login links to the browser that requested them, on https.

use super::codes::{code_in, request_link, submit_code};
use crate::harness::{Browser, link_in, on_both_engines};
use serde_json::{Value, json};

fn token(link: &str) -> &str {
    link.split(['=', '&']).nth(1).unwrap()
}

fn confirmation(link: &str, email: &str) -> Value {
    json!({"token": token(link), "email": email})
}

async fn assert_logged_out(browser: &Browser) {
    assert_eq!(browser.cookie("__Host-session"), None);
    assert_eq!(browser.get("/api/auth/me").await.error_code(401), "unauthorized");
}

on_both_engines! {
    with |options| options.public_url = "https://kith.example";

    /// proves: link-binding, wire-409
    async fn a_link_opened_in_another_browser_is_not_used_up(server) {
        let requester = server.visitor();
        let link = server
            .request_sign_up_link(&requester, "ada", &server.founder_code())
            .await;
        let forger = server.visitor();
        forger.set_cookie("__Host-login", &"A".repeat(43));
        let plain = server.visitor();
        plain.set_cookie("login", &requester.cookie("__Host-login").unwrap());
        for other in [server.visitor(), forger, plain] {
            for _ in 0..20 {
                assert_eq!(other.get(&link).await.error_code(409), "confirm_email");
            }
            assert_logged_out(&other).await;
        }
        requester.get(&link).await.expect(200);
        assert_eq!(requester.me().await["email"], "ada@example.org");
    }

    /// proves: link-confirm, call-verify-confirm
    async fn another_browser_logs_in_by_confirming_the_email(server) {
        let link = server
            .request_sign_up_link(&server.visitor(), "ada", &server.founder_code())
            .await;
        let phone = server.visitor();
        for _ in 0..4 {
            let wrong_code = confirmation(&link, "eve@example.org");
            assert_eq!(
                phone.post("/api/auth/verify", wrong_code).await.error_code(422),
                "invalid"
            );
        }
        assert_logged_out(&phone).await;
        let valid = confirmation(&link, " ADA@example.org ");
        phone
            .post("/api/auth/verify", valid.clone())
            .await
            .expect(200);
        assert_eq!(phone.me().await["email"], "ada@example.org");
        server.advance_clock(60_000);
        let late = server.visitor();
        assert_eq!(
            late.post("/api/auth/verify", valid).await.error_code(410),
            "link_used"
        );
        assert_logged_out(&late).await;
    }

    /// A used link opens its session in no other browser, not even with the email address.
    /// proves: link-replay, link-replay-elsewhere
    async fn a_used_link_logs_in_no_other_browser(server) {
        let requester = server.visitor();
        let link = server
            .request_sign_up_link(&requester, "ada", &server.founder_code())
            .await;
        let twin = requester.tab();
        requester.get(&link).await.expect(200);
        let valid = confirmation(&link, "ada@example.org");
        let stranger = server.visitor();
        assert_eq!(stranger.get(&link).await.error_code(410), "link_used");
        let confirmed = stranger.post("/api/auth/verify", valid.clone()).await;
        assert_eq!(confirmed.error_code(410), "link_used");
        assert_logged_out(&stranger).await;
        for same in [&twin, &requester] {
            let again = same.post("/api/auth/verify", valid.clone()).await;
            again.expect(200);
        }
        let session = requester.cookie("__Host-session").unwrap();
        assert_eq!(twin.cookie("__Host-session"), Some(session));
    }

    /// The requesting browser gets no session once another browser has used its link: not by the
    /// link, the email address or the code.
    /// proves: link-replay-elsewhere
    async fn a_link_used_elsewhere_does_not_log_in_its_requester(server) {
        let requester = server.visitor();
        request_link(&server, &requester, "ada").await;
        let mail = server.mail_to("ada@example.org").await;
        server.wait_for_mail_queue().await;
        let link = link_in(&mail);
        let valid = confirmation(&link, "ada@example.org");
        let other = server.visitor();
        let twin = other.tab();
        other.post("/api/auth/verify", valid.clone()).await.expect(200);
        assert_eq!(requester.get(&link).await.error_code(410), "link_used");
        let confirmed = requester.post("/api/auth/verify", valid.clone()).await;
        assert_eq!(confirmed.error_code(410), "link_used");
        assert_eq!(submit_code(&requester, &code_in(&mail)).await.error_code(410), "link_used");
        // A browser without a cookie cannot prove that it used the link.
        let again = twin.post("/api/auth/verify", valid.clone()).await;
        assert_eq!(again.error_code(410), "link_used");
        for out in [&requester, &twin] {
            assert_logged_out(out).await;
        }
        other.post("/api/auth/verify", valid).await.expect(200);
        assert_eq!(other.get("/api/auth/sessions").await.expect(200).as_array().unwrap().len(), 1);
    }

    /// A browser that used a link may repeat the request, even if it has requested a link of its
    /// own.
    /// proves: link-replay
    async fn a_lost_response_is_repeated_to_the_browser_that_used_the_link(server) {
        let (requester, other) = (server.visitor(), server.visitor());
        let code = server.founder_code();
        let link = server.request_sign_up_link(&requester, "ada", &code).await;
        request_link(&server, &other, "bob").await;
        let twin = other.tab();
        let valid = confirmation(&link, "ada@example.org");
        for same in [&other, &twin] {
            same.post("/api/auth/verify", valid.clone()).await.expect(200);
        }
        assert_eq!(twin.cookie("__Host-session"), other.cookie("__Host-session"));
        assert_eq!(requester.get(&link).await.error_code(410), "link_used");
        assert_logged_out(&requester).await;
    }

    /// Submitting the code also uses up the link of that mail, in that browser as well.
    /// proves: link-used-by-code
    async fn a_link_is_used_up_by_its_code(server) {
        let ada = server.visitor();
        request_link(&server, &ada, "ada").await;
        let mail = server.mail_to("ada@example.org").await;
        server.wait_for_mail_queue().await;
        submit_code(&ada, &code_in(&mail)).await.expect(200);
        let session = ada.cookie("__Host-session");
        ada.get(&link_in(&mail)).await.expect(200);
        assert_eq!(ada.cookie("__Host-session"), session);
        server.advance_clock(60_000);
        assert_eq!(ada.get(&link_in(&mail)).await.error_code(410), "link_used");
        ada.get("/api/auth/me").await.expect(200);
    }

    /// proves: link-five-tries
    async fn five_wrong_emails_revoke_a_link(server) {
        let requester = server.visitor();
        let code = server.founder_code();
        let link = server.request_sign_up_link(&requester, "ada", &code).await;
        for n in 0..5 {
            let wrong_code = confirmation(&link, &format!("guess{n}@example.org"));
            assert_eq!(
                server
                    .visitor()
                    .post("/api/auth/verify", wrong_code)
                    .await
                    .error_code(422),
                "invalid"
            );
        }
        let valid = confirmation(&link, "ada@example.org");
        let late = server.visitor();
        assert_eq!(
            late.post("/api/auth/verify", valid).await.error_code(410),
            "link_dead"
        );
        assert_eq!(requester.get(&link).await.error_code(410), "link_dead");
        assert_logged_out(&late).await;
        assert_logged_out(&requester).await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        server.member_with("ada", &code).await.me().await;
    }

    async fn a_malformed_email_is_not_counted_as_an_attempt(server) {
        let link = server
            .request_sign_up_link(&server.visitor(), "ada", &server.founder_code())
            .await;
        let phone = server.visitor();
        for _ in 0..6 {
            let empty = confirmation(&link, "");
            assert_eq!(
                phone.post("/api/auth/verify", empty).await.error_code(400),
                "invalid"
            );
            let odd = confirmation(&link, "ada");
            assert_eq!(
                phone.post("/api/auth/verify", odd).await.error_code(422),
                "invalid"
            );
        }
        let valid = confirmation(&link, "ada@example.org");
        phone.post("/api/auth/verify", valid).await.expect(200);
    }

    async fn confirming_the_email_does_not_revive_an_expired_link(server) {
        let link = server
            .request_sign_up_link(&server.visitor(), "ada", &server.founder_code())
            .await;
        server.advance_clock(900_000);
        let valid = confirmation(&link, "ada@example.org");
        let phone = server.visitor();
        assert_eq!(
            phone.post("/api/auth/verify", valid).await.error_code(410),
            "link_expired"
        );
        assert_logged_out(&phone).await;
    }

    async fn the_founders_printed_link_needs_no_cookie(server) {
        let founder = server.founder().await;
        assert_eq!(founder.me().await["username"], "founder");
        founder.get(&server.founder_path()).await.expect(200);
        assert_eq!(
            server
                .visitor()
                .get(&server.founder_path())
                .await
                .error_code(410),
            "link_used"
        );
    }
}

on_both_engines! {
    with |options| {
        options.public_url = "https://kith.example";
        options.binding = Some(kith::platform::config::LinkBinding::Lenient);
    };

    /// proves: link-lenient, link-replay-elsewhere
    async fn lenient_binding_accepts_any_browser(server) {
        let link = server
            .request_sign_up_link(&server.visitor(), "ada", &server.founder_code())
            .await;
        let (first, stranger) = (server.visitor(), server.visitor());
        first.get(&link).await.expect(200);
        assert_eq!(stranger.get(&link).await.error_code(410), "link_used");
        assert_logged_out(&stranger).await;
        first.get(&link).await.expect(200);
    }

    /// proves: link-replay-elsewhere
    async fn with_lenient_binding_a_used_link_does_not_log_in_its_requester(server) {
        let requester = server.visitor();
        let link = server
            .request_sign_up_link(&requester, "ada", &server.founder_code())
            .await;
        let first = server.visitor();
        first.get(&link).await.expect(200);
        assert_eq!(requester.get(&link).await.error_code(410), "link_used");
        assert_logged_out(&requester).await;
    }

    /// proves: link-replay, link-replay-elsewhere
    async fn with_lenient_binding_a_used_link_logs_in_no_other_browser(server) {
        let requester = server.visitor();
        let link = server
            .request_sign_up_link(&requester, "ada", &server.founder_code())
            .await;
        let (twin, stranger) = (requester.tab(), server.visitor());
        requester.get(&link).await.expect(200);
        assert_eq!(stranger.get(&link).await.error_code(410), "link_used");
        assert_logged_out(&stranger).await;
        twin.get(&link).await.expect(200);
        assert_eq!(twin.cookie("__Host-session"), requester.cookie("__Host-session"));
    }
}

on_both_engines! {
    with |options| options.binding = Some(kith::platform::config::LinkBinding::Strict);

    /// proves: link-binding
    async fn strict_binding_works_without_https(server) {
        let requester = server.visitor();
        let link = server
            .request_sign_up_link(&requester, "ada", &server.founder_code())
            .await;
        server.visitor().get(&link).await.expect(409);
        requester.get(&link).await.expect(200);
    }
}
