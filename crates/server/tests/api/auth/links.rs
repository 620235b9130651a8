//! Lifetime and revocation of login links.

use super::codes::code_in;
use crate::harness::{Browser, Server, api_path_of, link_in, on_both_engines};
use axum::http::Request;
use kith::features::auth::{Email, RevokeMemberSessions, SetEmail, create_operator_login_url};
use kith::features::members::SanctionKind;
use kith::ops::first_run;
use kith::platform::clock::DAY;
use serde_json::json;

async fn is_logged_in(browser: &Browser) -> bool {
    let status = browser.get("/api/auth/me").await.status.as_u16();
    assert!([200, 401].contains(&status));
    status == 200
}

on_both_engines! {
    /// A link expires after exactly 15 minutes.
    /// proves: link-15-minutes, wire-410
    async fn a_link_expires(server) {
        server.member("ada").await;
        for (age, works) in [(899_999, true), (900_000, false), (86_400_000, false)] {
            server.wait_for_mail_queue().await;
            server.advance_clock(61_000);
            let browser = server.visitor();
            let link = server.request_login_link(&browser, "ada").await;
            server.advance_clock(age);
            let response = browser.get(&link).await;
            if works {
                response.expect(200);
            } else {
                assert_eq!(response.error_code(410), "link_expired");
            }
            assert_eq!(is_logged_in(&browser).await, works);
        }
    }

    /// A lost response can be requested again: the same session for a minute, then an error.
    /// proves: link-once, link-replay
    async fn a_used_link_returns_its_session_for_a_minute(server) {
        let requester = server.visitor();
        let link = server.request_sign_up_link(&requester, "ada", &server.founder_code()).await;
        let (twin, late) = (requester.tab(), requester.tab());
        requester.get(&link).await.expect(200);
        server.advance_clock(59_999);
        twin.get(&link).await.expect(200);
        assert_eq!(twin.cookie("session"), requester.cookie("session"));
        server.advance_clock(1);
        assert_eq!(late.get(&link).await.error_code(410), "link_used");
        assert_eq!(late.cookie("session"), None);
        assert!(is_logged_in(&requester).await && is_logged_in(&twin).await);
    }

    /// A repeated request after a logout does not reopen the session.
    async fn a_used_link_does_not_undo_a_logout(server) {
        let ada = server.visitor();
        let link = server.request_sign_up_link(&ada, "ada", &server.founder_code()).await;
        let twin = ada.tab();
        ada.get(&link).await.expect(200);
        ada.post_empty("/api/auth/logout").await.expect(200);
        twin.get(&link).await;
        assert!(!is_logged_in(&twin).await);
    }

    /// A newer link does not revoke an older one.
    /// proves: link-older
    async fn an_older_link_works_after_a_newer_one(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let (first, second) = (server.visitor(), server.visitor());
        let older = server.request_login_link(&first, "ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let newer = server.request_login_link(&second, "ada").await;
        first.get(&older).await.expect(200);
        second.get(&newer).await.expect(200);
        assert_ne!(first.cookie("session"), second.cookie("session"));
    }

    /// A login revokes the older links of that email address, but not those of other members.
    /// proves: link-older-after-login
    async fn a_login_revokes_older_links_of_the_email(server) {
        server.member("ada").await;
        server.member("bob").await;
        let (first, second, third, other) =
            (server.visitor(), server.visitor(), server.visitor(), server.visitor());
        let mut links = Vec::new();
        for (browser, name) in [(&other, "bob"), (&first, "ada"), (&second, "ada"), (&third, "ada")] {
            server.wait_for_mail_queue().await;
            server.advance_clock(61_000);
            let body = json!({"email": format!("{name}@example.org")});
            browser.post("/api/auth/request-login-link", body).await.expect(200);
            let mail = server.mail_to(&format!("{name}@example.org")).await;
            links.push((link_in(&mail), code_in(&mail)));
        }
        let [bobs, older, used, newer] = &links[..] else { unreachable!() };
        second.get(&used.0).await.expect(200);
        assert_eq!(first.get(&older.0).await.error_code(410), "link_expired");
        let by_code = first.post("/api/auth/verify-code", json!({"code": older.1})).await;
        assert_eq!(by_code.error_code(422), "invalid");
        assert!(!is_logged_in(&first).await);
        other.get(&bobs.0).await.expect(200);
        third.get(&newer.0).await.expect(200);
        assert!(is_logged_in(&second).await && is_logged_in(&third).await);
    }

    /// A login revokes older operator links of that member. Newer ones stay, since the operator may
    /// have just printed them.
    /// proves: link-printed
    async fn a_login_revokes_older_operator_links(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        let mut printed = Vec::new();
        for _ in 0..3 {
            printed.push(api_path_of(&create_operator_login_url(&server.state, &name).await.unwrap()));
        }
        server.founder().await;
        server.visitor().get(&printed[1]).await.expect(200);
        assert_eq!(server.visitor().get(&printed[0]).await.error_code(410), "link_expired");
        server.visitor().get(&printed[2]).await.expect(200);
    }

    /// Signing a member out also revokes mailed links, in case someone else reads the mailbox.
    /// proves: operate-sign-out
    async fn signing_a_member_out_revokes_every_link(server) {
        let ada = server.member("ada").await;
        let (mailed, printed) = (server.visitor(), server.visitor());
        let name = ada.name().await;
        let printed_link = create_operator_login_url(&server.state, &name).await.unwrap();
        server.advance_clock(61_000);
        let link = server.request_login_link(&mailed, "ada").await;
        let end = RevokeMemberSessions { username: name, now: server.state.now() };
        server.state.db.write(end).await.unwrap();
        assert!(!is_logged_in(&ada).await);
        mailed.get(&link).await.error_code(410);
        printed.get(&api_path_of(&printed_link)).await.error_code(410);
        server.advance_clock(61_000);
        let link = server.request_login_link(&mailed, "ada").await;
        mailed.get(&link).await.expect(200);
    }

    /// Each operation that ends all sessions of a member also revokes their operator links.
    /// proves: link-printed
    async fn ending_all_sessions_revokes_operator_links(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        for way in ["suspended", "address"] {
            let printed = create_operator_login_url(&server.state, &name).await.unwrap();
            if way == "suspended" {
                server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
                server.apply_sanction(&name, SanctionKind::Unsuspend).await.unwrap();
            } else {
                let email = Email::parse("ada@example.org").unwrap();
                let set = SetEmail { username: name.clone(), email, now: server.state.now() };
                server.state.db.write(set).await.unwrap();
            }
            let response = server.visitor().get(&api_path_of(&printed)).await;
            assert_eq!(response.error_code(410), "link_expired", "{way}");
        }
    }

    /// A login uses the time at which its request arrived, possibly on a node whose clock is
    /// behind: links revoked before it runs are revoked for it, too.
    /// proves: link-ended
    async fn a_revoked_link_is_revoked_on_a_node_whose_clock_is_behind(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        let (mailed, printed) = (server.visitor(), server.visitor());
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let link = server.request_login_link(&mailed, "ada").await;
        for ahead in [1, 3_000, 30_000] {
            let printed_link = create_operator_login_url(&server.state, &name).await.unwrap();
            let end = RevokeMemberSessions { username: name.clone(), now: server.state.now() + ahead };
            server.state.db.write(end).await.unwrap();
            assert_eq!(mailed.get(&link).await.error_code(410), "link_expired", "{ahead}");
            assert_eq!(printed.get(&api_path_of(&printed_link)).await.error_code(410), "link_expired", "{ahead}");
        }
        assert!(!is_logged_in(&mailed).await && !is_logged_in(&printed).await);
    }

    /// The printed founder link is revoked once the founder has logged in by another link.
    /// proves: link-printed
    async fn a_login_revokes_the_founder_link(server) {
        server.member("ada").await;
        assert!(first_run::seed_founder(&server.state).await.unwrap().is_some(), "the link is unused");
        let printed = create_operator_login_url(&server.state, "founder").await.unwrap();
        server.visitor().get(&api_path_of(&printed)).await.expect(200);
        assert_eq!(server.visitor().get(&server.founder_path()).await.error_code(410), "link_expired");
        assert!(first_run::seed_founder(&server.state).await.unwrap().is_none(), "nothing is printed again");
    }

    /// proves: join-founder-day
    async fn the_founder_link_works_for_a_day(server) {
        server.advance_clock(DAY - 1);
        assert!(first_run::seed_founder(&server.state).await.unwrap().is_some());
        server.advance_clock(1);
        assert!(first_run::seed_founder(&server.state).await.unwrap().is_none());
        assert_eq!(server.visitor().get(&server.founder_path()).await.error_code(410), "link_expired");
    }

    /// Page loads, prefetches, requests from other sites and HEAD do not use up a link.
    /// proves: link-page-load
    async fn only_the_pages_script_uses_up_a_link(server) {
        let requester = server.visitor();
        let link = server.request_sign_up_link(&requester, "ada", &server.founder_code()).await;
        let wrong_code: [&[(&str, &str)]; 6] = [
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors")],
            &[("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")],
            &[("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")],
            &[("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "navigate")],
            &[("sec-fetch-site", "same-origin"), ("sec-purpose", "prefetch")],
            &[("sec-purpose", "prefetch;prerender")],
        ];
        for headers in wrong_code {
            assert_eq!(requester.request("GET", &link, headers, "").await.error_code(403), "not_same_origin");
        }
        let head = Request::head(&link).body(axum::body::Body::empty()).unwrap();
        assert_eq!(requester.send(head).await.status.as_u16(), 405);
        assert!(!is_logged_in(&requester).await);
        let own = [("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "cors")];
        requester.request("GET", &link, &own, "").await.expect(200);
        assert!(is_logged_in(&requester).await);
    }
}

#[tokio::test]
async fn forged_tokens_are_rejected() {
    let (server, other) = (Server::sqlite().await, Server::sqlite().await);
    let requester = server.visitor();
    let foreign = other.request_sign_up_link(&other.visitor(), "ada", &other.founder_code()).await;
    let own = server.request_sign_up_link(&requester, "ada", &server.founder_code()).await;
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
        assert_eq!(requester.get(&bad).await.error_code(400), "link_invalid", "{bad}");
    }
    for none in ["/api/auth/verify", "/api/auth/verify?token="] {
        let response = requester.get(none).await;
        assert_eq!(response.error_code(400), "invalid");
        assert_eq!(response.expect(400)["message"], "No verification token found");
    }
    requester.get(&own).await.expect(200);
}
