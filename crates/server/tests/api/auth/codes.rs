//! The short code of the same mail, for the browser that asked.

use crate::harness::{Answer, Browser, Server, link_in, on_both_engines};
use kith::platform::ids::Id;
use kith_db::{Sql, sql};
use serde_json::json;

/// The newest wish that became no mail.
const UNSENT: Sql = sql!("select max(id) from login_links where mailed_at is null");

const PATH: &str = "/api/auth/verify-code";

pub(super) async fn ask(server: &Server, browser: &Browser, name: &str) {
    let body =
        json!({"email": format!("{name}@example.org"), "inviteCode": server.operator_code().await});
    browser
        .post("/api/auth/request-magic-link", body)
        .await
        .expect(200);
}

pub(super) async fn mailed_code(server: &Server, name: &str) -> String {
    let mail = server.mail_to(&format!("{name}@example.org")).await;
    server.mail_settles().await;
    code_in(&mail)
}

/// The code that a mail shows.
pub(super) fn code_in(mail: &str) -> String {
    let mut lines = mail.lines();
    lines
        .find(|line| line.starts_with("Or enter this code"))
        .unwrap();
    lines.next().unwrap().trim().to_owned()
}

pub(super) async fn type_in(browser: &Browser, code: &str) -> Answer {
    browser.post(PATH, json!({"code": code})).await
}

/// A code of the right form that is not `code`.
pub(super) fn wrong(code: &str) -> String {
    let end = if code.ends_with('A') { "B" } else { "A" };
    format!("{}{end}", &code[..7])
}

on_both_engines! {
    /// A newer mail takes nothing from an older one, and a lost answer can be had again.
    async fn every_mails_code_works(server) {
        let ada = server.visitor();
        ask(&server, &ada, "ada").await;
        let older = mailed_code(&server, "ada").await;
        server.pass(70_000);
        ask(&server, &ada, "ada").await;
        let newer = mailed_code(&server, "ada").await;
        assert_ne!(older, newer);
        let again = ada.tab();
        type_in(&ada, &older).await.expect(200);
        type_in(&again, &older).await.expect(200);
        assert_eq!(ada.cookie("session"), again.cookie("session"));
    }

    /// Typed as people type, it logs in.
    /// proves: call-verify-code, link-code
    async fn the_code_logs_in(server) {
        let ada = server.visitor();
        ask(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        assert_eq!(code.len(), 8);
        let sloppy = format!(" {}-{} ", &code[..4], &code[4..]).to_lowercase();
        type_in(&ada, &sloppy).await.expect(200);
        assert_eq!(ada.me().await["email"], "ada@example.org");
    }

    /// Elsewhere the same code is nothing.
    /// proves: link-code
    async fn the_code_works_only_where_it_was_asked_for(server) {
        let (ada, eve) = (server.visitor(), server.visitor());
        ask(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        assert_eq!(type_in(&server.visitor(), &code).await.refusal(422), "invalid");
        ask(&server, &eve, "eve").await;
        mailed_code(&server, "eve").await;
        assert_eq!(type_in(&eve, &code).await.refusal(422), "invalid");
        assert_eq!(eve.get("/api/auth/me").await.refusal(401), "unauthorized");
        type_in(&ada, &code).await.expect(200);
    }

    /// Five wrong codes, and the code is dead. Its link is not: who guesses may be somebody who asked
    /// for a mail to another's mailbox.
    /// proves: link-five-codes
    async fn five_wrong_codes_kill_the_code_alone(server) {
        let eve = server.visitor();
        ask(&server, &eve, "ada").await;
        let mail = server.mail_to("ada@example.org").await;
        server.mail_settles().await;
        let code = code_in(&mail);
        for _ in 0..5 {
            assert_eq!(type_in(&eve, &wrong(&code)).await.refusal(422), "invalid");
        }
        for code in [wrong(&code), code] {
            assert_eq!(type_in(&eve, &code).await.refusal(410), "link_dead");
        }
        assert_eq!(eve.get("/api/auth/me").await.refusal(401), "unauthorized");
        let ada = server.visitor();
        ada.get(&link_in(&mail)).await.expect(200);
        assert_eq!(ada.me().await["email"], "ada@example.org");
    }

    /// However many mails a browser asked for, it guesses five times in all; a newer mail has five
    /// tries of its own, and gives the older codes none.
    /// proves: link-five-codes
    async fn many_mails_give_five_guesses(server) {
        let eve = server.visitor();
        let mut codes = Vec::new();
        for name in ["ada", "bob", "cat", "dan"] {
            ask(&server, &eve, name).await;
            codes.push(mailed_code(&server, name).await);
        }
        for n in 0..9 {
            let typed = type_in(&eve, &wrong(&codes[n % 4])).await;
            let expected = if n < 5 { (422, "invalid") } else { (410, "link_dead") };
            assert_eq!(typed.refusal(expected.0), expected.1, "guess {n}");
        }
        ask(&server, &eve, "eve").await;
        let newer = mailed_code(&server, "eve").await;
        for code in &codes {
            assert_eq!(type_in(&eve, code).await.refusal(410), "link_dead");
        }
        type_in(&eve, &newer).await.expect(200);
        assert_eq!(eve.me().await["email"], "eve@example.org");
    }

    /// Guesses at the code are answered alike whether or not somebody has the address.
    /// proves: link-five-codes, link-codes-alike
    async fn guesses_do_not_tell_who_is_a_member(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let mut answers = Vec::new();
        for address in ["ada@example.org", "nobody@example.org"] {
            let eve = server.visitor();
            eve.post("/api/auth/request-login-link", json!({"email": address})).await.expect(200);
            server.mail_settles().await;
            let mut heard = Vec::new();
            for _ in 0..7 {
                let typed = type_in(&eve, "22222222").await;
                heard.push((typed.status.as_u16(), typed.bytes));
            }
            answers.push(heard);
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0][6].0, 410, "and they come to an end");
    }

    /// Who asks often gets few mails, so most wishes have a code that nobody was sent: those are
    /// worth nothing, also when guessed.
    /// proves: link-code-mailed
    async fn a_code_that_was_not_mailed_is_worth_nothing(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let eve = server.visitor();
        let body = json!({"email": "ada@example.org"});
        for _ in 0..3 {
            eve.post("/api/auth/request-login-link", body.clone()).await.expect(200);
            server.mail_settles().await;
        }
        let unsent = server.count(&UNSENT, &[]).await;
        let code = kith::features::auth::login_code(&server.app.key, Id(unsent));
        assert_eq!(type_in(&eve, &code).await.refusal(422), "invalid");
        assert_eq!(eve.get("/api/auth/me").await.refusal(401), "unauthorized");
        type_in(&eve, &mailed_code(&server, "ada").await).await.expect(200);
    }

    /// Four wrong ones are forgiven, and the code works once.
    async fn four_wrong_codes_are_forgiven(server) {
        let ada = server.visitor();
        ask(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        for _ in 0..4 {
            assert_eq!(type_in(&ada, &wrong(&code)).await.refusal(422), "invalid");
        }
        let twin = ada.tab();
        type_in(&ada, &code).await.expect(200);
        server.pass(60_000);
        assert_eq!(type_in(&twin, &code).await.refusal(422), "invalid");
        assert_eq!(twin.get("/api/auth/me").await.refusal(401), "unauthorized");
    }

    /// It ends with its link.
    async fn the_code_expires(server) {
        let ada = server.visitor();
        ask(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        server.pass(900_000);
        assert_eq!(type_in(&ada, &code).await.refusal(422), "invalid");
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
    }

    /// Asking again at once sends no second mail: the code of the first one still works.
    /// proves: link-mail-share
    async fn the_code_survives_an_impatient_second_wish(server) {
        let ada = server.visitor();
        ask(&server, &ada, "ada").await;
        let code = mailed_code(&server, "ada").await;
        ask(&server, &ada, "ada").await;
        server.mail_settles().await;
        assert_eq!(server.mails().len(), 0);
        type_in(&ada, &code).await.expect(200);
    }
}
