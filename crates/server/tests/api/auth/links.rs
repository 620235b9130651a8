//! When a link logs in, and when it does not any more.

use super::codes::code_in;
use crate::harness::{Browser, Server, api_of, link_in, on_both_engines};
use axum::http::Request;
use kith::features::auth::{Email, RevokeMemberSessions, SetEmail, create_operator_login_url};
use kith::features::members::SanctionKind;
use kith::ops::first_run;
use kith::platform::clock::DAY;
use serde_json::json;

async fn is_in(browser: &Browser) -> bool {
    let status = browser.get("/api/auth/me").await.status.as_u16();
    assert!([200, 401].contains(&status));
    status == 200
}

on_both_engines! {
    /// 15 minutes, not a moment longer.
    /// proves: link-15-minutes, wire-410
    async fn a_link_expires(server) {
        server.member("ada").await;
        for (age, works) in [(899_999, true), (900_000, false), (86_400_000, false)] {
            server.mail_settles().await;
            server.pass(61_000);
            let browser = server.visitor();
            let link = server.ask_to_log_in(&browser, "ada").await;
            server.pass(age);
            let answer = browser.get(&link).await;
            if works {
                answer.expect(200);
            } else {
                assert_eq!(answer.refusal(410), "link_expired");
            }
            assert_eq!(is_in(&browser).await, works);
        }
    }

    /// A lost answer may be asked for again: the same session for a minute, then no more.
    /// proves: link-once, link-replay
    async fn a_used_link_answers_the_same_session_for_a_minute(server) {
        let asker = server.visitor();
        let link = server.ask_to_join(&asker, "ada", &server.founder_code()).await;
        let (twin, late) = (asker.tab(), asker.tab());
        asker.get(&link).await.expect(200);
        server.pass(59_999);
        twin.get(&link).await.expect(200);
        assert_eq!(twin.cookie("session"), asker.cookie("session"));
        server.pass(1);
        assert_eq!(late.get(&link).await.refusal(410), "link_used");
        assert_eq!(late.cookie("session"), None);
        assert!(is_in(&asker).await && is_in(&twin).await);
    }

    /// What is asked again after a logout does not bring the session back.
    async fn a_used_link_does_not_undo_a_logout(server) {
        let ada = server.visitor();
        let link = server.ask_to_join(&ada, "ada", &server.founder_code()).await;
        let twin = ada.tab();
        ada.get(&link).await.expect(200);
        ada.poke("/api/auth/logout").await.expect(200);
        twin.get(&link).await;
        assert!(!is_in(&twin).await);
    }

    /// A newer link cancels no older one.
    /// proves: link-older
    async fn an_older_link_works_beside_a_newer_one(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let (first, second) = (server.visitor(), server.visitor());
        let older = server.ask_to_log_in(&first, "ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let newer = server.ask_to_log_in(&second, "ada").await;
        first.get(&older).await.expect(200);
        second.get(&newer).await.expect(200);
        assert_ne!(first.cookie("session"), second.cookie("session"));
    }

    /// Who is in needs none of the links that were asked for before; those of others stay.
    /// proves: link-older-after-login
    async fn a_login_ends_older_links_of_the_address(server) {
        server.member("ada").await;
        server.member("bob").await;
        let (first, second, third, other) =
            (server.visitor(), server.visitor(), server.visitor(), server.visitor());
        let mut links = Vec::new();
        for (browser, name) in [(&other, "bob"), (&first, "ada"), (&second, "ada"), (&third, "ada")] {
            server.mail_settles().await;
            server.pass(61_000);
            let body = json!({"email": format!("{name}@example.org")});
            browser.post("/api/auth/request-login-link", body).await.expect(200);
            let mail = server.mail_to(&format!("{name}@example.org")).await;
            links.push((link_in(&mail), code_in(&mail)));
        }
        let [bobs, older, used, newer] = &links[..] else { unreachable!() };
        second.get(&used.0).await.expect(200);
        assert_eq!(first.get(&older.0).await.refusal(410), "link_expired");
        let typed = first.post("/api/auth/verify-code", json!({"code": older.1})).await;
        assert_eq!(typed.refusal(422), "invalid");
        assert!(!is_in(&first).await);
        other.get(&bobs.0).await.expect(200);
        third.get(&newer.0).await.expect(200);
        assert!(is_in(&second).await && is_in(&third).await);
    }

    /// What was printed for a member ends with a later login of that member; what is printed later
    /// stays, since somebody may be about to use it.
    /// proves: link-printed
    async fn a_login_ends_older_printed_addresses(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        let mut printed = Vec::new();
        for _ in 0..3 {
            printed.push(api_of(&create_operator_login_url(&server.app, &name).await.unwrap()));
        }
        server.founder().await;
        server.visitor().get(&printed[1]).await.expect(200);
        assert_eq!(server.visitor().get(&printed[0]).await.refusal(410), "link_expired");
        server.visitor().get(&printed[2]).await.expect(200);
    }

    /// What is on its way in a mailbox that somebody else may read ends, too.
    /// proves: operate-sign-out
    async fn an_operator_ends_every_way_in(server) {
        let ada = server.member("ada").await;
        let (mailed, printed) = (server.visitor(), server.visitor());
        let name = ada.name().await;
        let address = create_operator_login_url(&server.app, &name).await.unwrap();
        server.pass(61_000);
        let link = server.ask_to_log_in(&mailed, "ada").await;
        let end = RevokeMemberSessions { username: name, now: server.app.now() };
        server.app.db.write(end).await.unwrap();
        assert!(!is_in(&ada).await);
        mailed.get(&link).await.refusal(410);
        printed.get(&api_of(&address)).await.refusal(410);
        server.pass(61_000);
        let link = server.ask_to_log_in(&mailed, "ada").await;
        mailed.get(&link).await.expect(200);
    }

    /// Whatever ends all sessions of a member ends what was printed to log them in.
    /// proves: link-printed
    async fn what_was_printed_ends_with_all_sessions(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        for way in ["suspended", "address"] {
            let printed = create_operator_login_url(&server.app, &name).await.unwrap();
            if way == "suspended" {
                server.operate(&name, SanctionKind::Suspend).await.unwrap();
                server.operate(&name, SanctionKind::Unsuspend).await.unwrap();
            } else {
                let email = Email::parse("ada@example.org").unwrap();
                let set = SetEmail { username: name.clone(), email, now: server.app.now() };
                server.app.db.write(set).await.unwrap();
            }
            let refused = server.visitor().get(&api_of(&printed)).await;
            assert_eq!(refused.refusal(410), "link_expired", "{way}");
        }
    }

    /// A login goes by the time at which it came, and may have waited or come to a node whose clock is behind:
    /// what was ended before it has its turn is ended for it, too.
    /// proves: link-ended
    async fn an_ended_link_is_ended_for_a_clock_that_is_behind(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        let (mailed, printed) = (server.visitor(), server.visitor());
        server.mail_settles().await;
        server.pass(61_000);
        let link = server.ask_to_log_in(&mailed, "ada").await;
        for ahead in [1, 3_000, 30_000] {
            let address = create_operator_login_url(&server.app, &name).await.unwrap();
            let end = RevokeMemberSessions { username: name.clone(), now: server.app.now() + ahead };
            server.app.db.write(end).await.unwrap();
            assert_eq!(mailed.get(&link).await.refusal(410), "link_expired", "{ahead}");
            assert_eq!(printed.get(&api_of(&address)).await.refusal(410), "link_expired", "{ahead}");
        }
        assert!(!is_in(&mailed).await && !is_in(&printed).await);
    }

    /// Nobody finds the founder's way in on a terminal or in a log once the founder has come by another.
    /// proves: link-printed
    async fn a_login_ends_the_founders_address(server) {
        server.member("ada").await;
        assert!(first_run::seed_founder(&server.app).await.unwrap().is_some(), "it is still to be used");
        let printed = create_operator_login_url(&server.app, "founder").await.unwrap();
        server.visitor().get(&api_of(&printed)).await.expect(200);
        assert_eq!(server.visitor().get(&server.founder_call()).await.refusal(410), "link_expired");
        assert!(first_run::seed_founder(&server.app).await.unwrap().is_none(), "nothing is printed again");
    }

    /// proves: join-founder-day
    async fn the_founders_address_works_for_a_day(server) {
        server.pass(DAY - 1);
        assert!(first_run::seed_founder(&server.app).await.unwrap().is_some());
        server.pass(1);
        assert!(first_run::seed_founder(&server.app).await.unwrap().is_none());
        assert_eq!(server.visitor().get(&server.founder_call()).await.refusal(410), "link_expired");
    }

    /// Page loads, prefetches, other sites and HEAD use nothing up.
    /// proves: link-page-load
    async fn only_the_pages_own_script_uses_a_link(server) {
        let asker = server.visitor();
        let link = server.ask_to_join(&asker, "ada", &server.founder_code()).await;
        let wrong: [&[(&str, &str)]; 6] = [
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors")],
            &[("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")],
            &[("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")],
            &[("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "navigate")],
            &[("sec-fetch-site", "same-origin"), ("sec-purpose", "prefetch")],
            &[("sec-purpose", "prefetch;prerender")],
        ];
        for headers in wrong {
            assert_eq!(asker.call("GET", &link, headers, "").await.refusal(403), "not_own_script");
        }
        let head = Request::head(&link).body(axum::body::Body::empty()).unwrap();
        assert_eq!(asker.send(head).await.status.as_u16(), 405);
        assert!(!is_in(&asker).await);
        let own = [("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")];
        asker.call("GET", &link, &own, "").await.expect(200);
        assert!(is_in(&asker).await);
    }
}

#[tokio::test]
async fn made_up_tokens_are_refused() {
    let (server, other) = (Server::sqlite().await, Server::sqlite().await);
    let asker = server.visitor();
    let foreign = other
        .ask_to_join(&other.visitor(), "ada", &other.founder_code())
        .await;
    let own = server
        .ask_to_join(&asker, "ada", &server.founder_code())
        .await;
    let token = own.split(['=', '&']).nth(1).unwrap();
    let mut changed = token.to_owned();
    let last = if changed.starts_with('B') { "C" } else { "B" };
    changed.replace_range(0..1, last);
    for bad in [
        foreign.clone(),
        format!("/api/auth/verify?token={changed}"),
        format!("/api/auth/verify?token={}", &token[..20]),
        "/api/auth/verify?token=AAAA".to_owned(),
        "/api/auth/verify?token=%00%FF".to_owned(),
        format!("/api/auth/verify?token={}", "A".repeat(4_000)),
    ] {
        assert_eq!(asker.get(&bad).await.refusal(400), "link_invalid", "{bad}");
    }
    for none in ["/api/auth/verify", "/api/auth/verify?token="] {
        let answer = asker.get(none).await;
        assert_eq!(answer.refusal(400), "invalid");
        assert_eq!(answer.expect(400)["message"], "No verification token found");
    }
    asker.get(&own).await.expect(200);
}
