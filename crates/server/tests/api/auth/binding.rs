//! On https a link works by itself only where it was asked for.

use super::codes::{ask, code_in, type_in};
use crate::harness::{Browser, link_in, on_both_engines};
use serde_json::{Value, json};

fn token(link: &str) -> &str {
    link.split(['=', '&']).nth(1).unwrap()
}

fn confirmation(link: &str, email: &str) -> Value {
    json!({"token": token(link), "email": email})
}

async fn assert_out(browser: &Browser) {
    assert_eq!(browser.cookie("__Host-session"), None);
    assert_eq!(
        browser.get("/api/auth/me").await.refusal(401),
        "unauthorized"
    );
}

on_both_engines! {
    with |options| options.public_url = "https://kith.example";

    /// proves: link-binding, wire-409
    async fn another_browser_uses_nothing_up(server) {
        let asker = server.visitor();
        let link = server
            .ask_to_join(&asker, "ada", &server.founder_code())
            .await;
        let forger = server.visitor();
        forger.set_cookie("__Host-login", &"A".repeat(43));
        let plain = server.visitor();
        plain.set_cookie("login", &asker.cookie("__Host-login").unwrap());
        for other in [server.visitor(), forger, plain] {
            for _ in 0..20 {
                assert_eq!(other.get(&link).await.refusal(409), "confirm_email");
            }
            assert_out(&other).await;
        }
        asker.get(&link).await.expect(200);
        assert_eq!(asker.me().await["email"], "ada@example.org");
    }

    /// proves: link-confirm, call-verify-confirm
    async fn another_browser_is_let_in_by_the_address(server) {
        let link = server
            .ask_to_join(&server.visitor(), "ada", &server.founder_code())
            .await;
        let phone = server.visitor();
        for _ in 0..4 {
            let wrong = confirmation(&link, "eve@example.org");
            assert_eq!(
                phone.post("/api/auth/verify", wrong).await.refusal(422),
                "invalid"
            );
        }
        assert_out(&phone).await;
        let right = confirmation(&link, " ADA@example.org ");
        phone
            .post("/api/auth/verify", right.clone())
            .await
            .expect(200);
        assert_eq!(phone.me().await["email"], "ada@example.org");
        server.pass(60_000);
        let late = server.visitor();
        assert_eq!(
            late.post("/api/auth/verify", right).await.refusal(410),
            "link_used"
        );
        assert_out(&late).await;
    }

    /// A link that was just used opens its session in no other browser, also with the email.
    /// proves: link-replay, link-replay-elsewhere
    async fn a_used_link_lets_no_other_browser_in(server) {
        let asker = server.visitor();
        let link = server
            .ask_to_join(&asker, "ada", &server.founder_code())
            .await;
        let twin = asker.tab();
        asker.get(&link).await.expect(200);
        let right = confirmation(&link, "ada@example.org");
        let stranger = server.visitor();
        assert_eq!(stranger.get(&link).await.refusal(410), "link_used");
        let confirmed = stranger.post("/api/auth/verify", right.clone()).await;
        assert_eq!(confirmed.refusal(410), "link_used");
        assert_out(&stranger).await;
        for same in [&twin, &asker] {
            let again = same.post("/api/auth/verify", right.clone()).await;
            again.expect(200);
        }
        let session = asker.cookie("__Host-session").unwrap();
        assert_eq!(twin.cookie("__Host-session"), Some(session));
    }

    /// The browser that asked for a link gets no session once another browser has used it: by the link, by
    /// the email, or by the code.
    /// proves: link-replay-elsewhere
    async fn a_link_used_elsewhere_does_not_let_its_asker_in(server) {
        let asker = server.visitor();
        ask(&server, &asker, "ada").await;
        let mail = server.mail_to("ada@example.org").await;
        server.mail_settles().await;
        let link = link_in(&mail);
        let right = confirmation(&link, "ada@example.org");
        let other = server.visitor();
        let twin = other.tab();
        other.post("/api/auth/verify", right.clone()).await.expect(200);
        assert_eq!(asker.get(&link).await.refusal(410), "link_used");
        let confirmed = asker.post("/api/auth/verify", right.clone()).await;
        assert_eq!(confirmed.refusal(410), "link_used");
        assert_eq!(type_in(&asker, &code_in(&mail)).await.refusal(410), "link_used");
        // Nothing proves that a browser without any cookie is the one that used it.
        let again = twin.post("/api/auth/verify", right.clone()).await;
        assert_eq!(again.refusal(410), "link_used");
        for out in [&asker, &twin] {
            assert_out(out).await;
        }
        other.post("/api/auth/verify", right).await.expect(200);
        assert_eq!(other.get("/api/auth/sessions").await.expect(200).as_array().unwrap().len(), 1);
    }

    /// Another browser that has asked for a link of its own may repeat its use of this one.
    /// proves: link-replay
    async fn a_lost_answer_is_given_again_where_the_link_was_used(server) {
        let (asker, other) = (server.visitor(), server.visitor());
        let code = server.founder_code();
        let link = server.ask_to_join(&asker, "ada", &code).await;
        ask(&server, &other, "bob").await;
        let twin = other.tab();
        let right = confirmation(&link, "ada@example.org");
        for same in [&other, &twin] {
            same.post("/api/auth/verify", right.clone()).await.expect(200);
        }
        assert_eq!(twin.cookie("__Host-session"), other.cookie("__Host-session"));
        assert_eq!(asker.get(&link).await.refusal(410), "link_used");
        assert_out(&asker).await;
    }

    /// The link of the mail whose code was typed has been used, in that browser as well.
    /// proves: link-used-by-code
    async fn a_link_is_used_once_its_code_was_typed(server) {
        let ada = server.visitor();
        ask(&server, &ada, "ada").await;
        let mail = server.mail_to("ada@example.org").await;
        server.mail_settles().await;
        type_in(&ada, &code_in(&mail)).await.expect(200);
        let session = ada.cookie("__Host-session");
        ada.get(&link_in(&mail)).await.expect(200);
        assert_eq!(ada.cookie("__Host-session"), session);
        server.pass(60_000);
        assert_eq!(ada.get(&link_in(&mail)).await.refusal(410), "link_used");
        ada.get("/api/auth/me").await.expect(200);
    }

    /// proves: link-five-tries
    async fn five_wrong_addresses_kill_a_link(server) {
        let asker = server.visitor();
        let code = server.founder_code();
        let link = server.ask_to_join(&asker, "ada", &code).await;
        for n in 0..5 {
            let wrong = confirmation(&link, &format!("guess{n}@example.org"));
            assert_eq!(
                server
                    .visitor()
                    .post("/api/auth/verify", wrong)
                    .await
                    .refusal(422),
                "invalid"
            );
        }
        let right = confirmation(&link, "ada@example.org");
        let late = server.visitor();
        assert_eq!(
            late.post("/api/auth/verify", right).await.refusal(410),
            "link_dead"
        );
        assert_eq!(asker.get(&link).await.refusal(410), "link_dead");
        assert_out(&late).await;
        assert_out(&asker).await;
        server.mail_settles().await;
        server.pass(61_000);
        server.member_with("ada", &code).await.me().await;
    }

    async fn what_is_no_address_is_no_guess(server) {
        let link = server
            .ask_to_join(&server.visitor(), "ada", &server.founder_code())
            .await;
        let phone = server.visitor();
        for _ in 0..6 {
            let empty = confirmation(&link, "");
            assert_eq!(
                phone.post("/api/auth/verify", empty).await.refusal(400),
                "invalid"
            );
            let odd = confirmation(&link, "ada");
            assert_eq!(
                phone.post("/api/auth/verify", odd).await.refusal(422),
                "invalid"
            );
        }
        let right = confirmation(&link, "ada@example.org");
        phone.post("/api/auth/verify", right).await.expect(200);
    }

    async fn an_address_does_not_revive_an_expired_link(server) {
        let link = server
            .ask_to_join(&server.visitor(), "ada", &server.founder_code())
            .await;
        server.pass(900_000);
        let right = confirmation(&link, "ada@example.org");
        let phone = server.visitor();
        assert_eq!(
            phone.post("/api/auth/verify", right).await.refusal(410),
            "link_expired"
        );
        assert_out(&phone).await;
    }

    async fn the_founders_printed_link_needs_no_cookie(server) {
        let founder = server.founder().await;
        assert_eq!(founder.me().await["username"], "founder");
        founder.get(&server.founder_call()).await.expect(200);
        assert_eq!(
            server
                .visitor()
                .get(&server.founder_call())
                .await
                .refusal(410),
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
    async fn the_operator_may_let_any_browser_in(server) {
        let link = server
            .ask_to_join(&server.visitor(), "ada", &server.founder_code())
            .await;
        let (any, stranger) = (server.visitor(), server.visitor());
        any.get(&link).await.expect(200);
        assert_eq!(stranger.get(&link).await.refusal(410), "link_used");
        assert_out(&stranger).await;
        any.get(&link).await.expect(200);
    }

    /// proves: link-replay-elsewhere
    async fn a_link_used_in_any_browser_does_not_let_its_asker_in(server) {
        let asker = server.visitor();
        let link = server
            .ask_to_join(&asker, "ada", &server.founder_code())
            .await;
        let any = server.visitor();
        any.get(&link).await.expect(200);
        assert_eq!(asker.get(&link).await.refusal(410), "link_used");
        assert_out(&asker).await;
    }

    /// proves: link-replay, link-replay-elsewhere
    async fn a_link_used_by_its_asker_lets_no_other_browser_in(server) {
        let asker = server.visitor();
        let link = server
            .ask_to_join(&asker, "ada", &server.founder_code())
            .await;
        let (twin, stranger) = (asker.tab(), server.visitor());
        asker.get(&link).await.expect(200);
        assert_eq!(stranger.get(&link).await.refusal(410), "link_used");
        assert_out(&stranger).await;
        twin.get(&link).await.expect(200);
        assert_eq!(twin.cookie("__Host-session"), asker.cookie("__Host-session"));
    }
}

on_both_engines! {
    with |options| options.binding = Some(kith::platform::config::LinkBinding::Strict);

    /// proves: link-binding
    async fn the_operator_may_bind_links_without_https(server) {
        let asker = server.visitor();
        let link = server
            .ask_to_join(&asker, "ada", &server.founder_code())
            .await;
        server.visitor().get(&link).await.expect(409);
        asker.get(&link).await.expect(200);
    }
}
