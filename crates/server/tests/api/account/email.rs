//! Another mail address.

use super::{account, token_in};
use crate::harness::{Answer, Browser, Server, on_both_engines};
use kith::features::auth::{Email, SetEmail, SetEmailOutcome};
use kith::ops::retention;
use kith::platform::clock::{DAY, MINUTE};
use kith_db::{Sql, params, sql};
use serde_json::{Value, json};

const ADDRESSES: Sql = sql!("select count(*) from emails where email like 'new@%'");
const DUE: Sql = sql!("select count(*) from jobs where run_at <= $1");
const WAITING: Sql =
    sql!("select count(*) from waitlist left join vouches using (email) where waitlist.email = $1");
const CHANGES: Sql = sql!("select count(*) from email_changes");

pub(super) async fn ask(browser: &Browser, email: &str) -> Answer {
    browser
        .post("/api/account/email", json!({"email": email}))
        .await
}

pub(super) async fn confirm(server: &Server, token: &str) -> Answer {
    let body = json!({"token": token});
    server
        .visitor()
        .post("/api/account/email/confirm", body)
        .await
}

/// Asks for another address of Ada's; answers the tokens from both mailboxes, and of the undoing.
pub(super) async fn asked(server: &Server, ada: &Browser, old: &str, new: &str) -> [String; 3] {
    ask(ada, new).await.expect(200);
    let first = server.mail_to(new).await;
    let second = server.mail_to(old).await;
    // A mail that is not noted as sent when a test moves the clock is sent again.
    server.mail_settles().await;
    assert!(
        second.contains(&format!("its email address to {new}.")),
        "which one is said"
    );
    [
        token_in(&first, "new"),
        token_in(&second, "old"),
        token_in(&second, "undo"),
    ]
}

pub(super) const OLD: &str = "ada@example.org";
pub(super) const NEW: &str = "new@example.net";

pub(super) fn state(answer: &Answer) -> Value {
    answer.expect(200)["state"].clone()
}

on_both_engines! {
    /// The address changes with the second confirmation, and only where it was asked for one stays
    /// logged in.
    /// proves: address-both, address-sessions, address-links, address-forgotten, call-change-email, call-confirm-email, call-account
    async fn both_mailboxes_must_confirm(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        server.pass(2 * MINUTE);
        let pending = server.ask_to_log_in(&server.visitor(), "ada").await;
        for email in [OLD, NEW] {
            server.visitor().post("/api/waitlist", json!({"email": email})).await.expect(200);
        }
        let [new, old, _] = asked(&server, &ada, OLD, NEW).await;
        assert_eq!(server.count(&WAITING, params![OLD]).await, 1);
        assert_eq!(account(&ada).await, json!({
            "email": OLD, "deletion": null, "pendingEmail": {
                "email": NEW, "expiresAt": "2026-11-21T09:47:00.000Z",
                "isNewConfirmed": false, "isOldConfirmed": false,
            },
        }));
        for _ in 0..2 {
            assert_eq!(state(&confirm(&server, &new).await), "waiting");
        }
        assert_eq!(account(&ada).await["pendingEmail"]["isNewConfirmed"], true);
        assert_eq!(ada.me().await["email"], OLD);
        phone.get("/api/auth/me").await.expect(200);
        for token in [&old, &old, &new] {
            assert_eq!(state(&confirm(&server, token).await), "changed");
        }
        assert_eq!(account(&ada).await, json!({"email": NEW, "deletion": null, "pendingEmail": null}));
        assert_eq!(server.count(&WAITING, params![OLD]).await, 0, "nothing is known of the old one");
        assert_eq!(server.count(&WAITING, params![NEW]).await, 0, "whoever is in waits no longer");
        assert_eq!(phone.get("/api/auth/me").await.refusal(401), "session_ended");
        assert_eq!(server.visitor().get(&pending).await.status, 410, "a link of before");
        server.pass(2 * MINUTE);
        server.visitor().post("/api/auth/request-login-link", json!({"email": OLD})).await.expect(200);
        server.mail_settles().await;
        assert!(server.mails().is_empty(), "nobody has the old address");
        let there = server.visitor();
        there.post("/api/auth/request-login-link", json!({"email": NEW})).await.expect(200);
        there.get(&server.mailed_link(NEW).await).await.expect(200);
        assert_eq!(there.id().await, ada.id().await);
    }

    /// One mailbox is not enough, whichever it is, and after 15 minutes neither are both.
    /// proves: address-both, address-expiry, address-named
    async fn a_change_expires(server) {
        let ada = server.member("ada").await;
        let [new, old, _] = asked(&server, &ada, OLD, NEW).await;
        assert_eq!(state(&confirm(&server, &old).await), "waiting");
        assert_eq!(account(&ada).await["pendingEmail"]["isOldConfirmed"], true);
        server.pass(15 * MINUTE);
        assert_eq!(confirm(&server, &new).await.refusal(410), "change_expired");
        assert_eq!(account(&ada).await, json!({"email": OLD, "deletion": null, "pendingEmail": null}));
        server.pass(7 * DAY - 1);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&CHANGES, &[]).await, 1);
        server.pass(1);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&CHANGES, &[]).await, 0);
        assert_eq!(confirm(&server, &new).await.refusal(410), "change_expired");
    }

    /// Logging out everywhere calls a change off that waits: a thief may have asked for it.
    /// proves: address-end-all
    async fn a_change_ends_with_all_sessions(server) {
        let ada = server.member("ada").await;
        let [new, old, _] = asked(&server, &ada, OLD, NEW).await;
        assert_eq!(state(&confirm(&server, &new).await), "waiting");
        ada.delete("/api/auth/sessions").await.expect(204);
        for token in [&old, &new] {
            assert_eq!(confirm(&server, token).await.refusal(410), "change_ended");
        }
    }

    /// Whoever fills the share of the new address puts the mail off, and cannot keep it away.
    /// proves: address-mail-share
    async fn a_stranger_cannot_keep_a_change_from_its_new_address(server) {
        let ada = server.member("ada").await;
        let code = server.operator_code().await;
        for _ in 0..5 {
            server.pass(MINUTE);
            let body = json!({"email": NEW, "inviteCode": code});
            server.visitor().post("/api/auth/request-magic-link", body).await.expect(200);
            server.mail_settles().await;
        }
        let to_new = || server.mails().into_iter().filter(|(_, mail)| mail.contains("To: new@example.net"));
        assert_eq!(to_new().count(), 5);
        ask(&ada, NEW).await.expect(200);
        for minutes in [4, 1] {
            server.comes_to(&DUE, params![server.app.now()], 0).await;
            assert_eq!(to_new().count(), 5);
            server.pass(minutes * MINUTE);
        }
        server.mail_settles().await;
        let mails = to_new().filter(|(_, mail)| mail.contains("step=new"));
        assert_eq!(mails.count(), 1);
    }

    /// A newer wish, and calling off, end what waits.
    /// proves: address-cancel, call-cancel-email
    async fn a_change_can_be_called_off(server) {
        let ada = server.member("ada").await;
        let [first, ..] = asked(&server, &ada, OLD, NEW).await;
        let [second, ..] = asked(&server, &ada, OLD, "newer@example.net").await;
        assert_eq!(confirm(&server, &first).await.refusal(410), "change_ended");
        for _ in 0..2 {
            ada.delete("/api/account/email").await.expect(204);
        }
        assert_eq!(confirm(&server, &second).await.refusal(410), "change_ended");
        assert_eq!(account(&ada).await["pendingEmail"], Value::Null);
    }

    /// Somebody at a device that was left open cannot take an account away.
    /// proves: address-undo
    async fn the_old_mailbox_takes_it_back(server) {
        let ada = server.member("ada").await;
        let [new, old, undo] = asked(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        assert_eq!(state(&confirm(&server, &old).await), "changed");
        server.pass(MINUTE);
        // Whoever it was goes on, to be safe from the undoing.
        let [new, old, later] = asked(&server, &ada, NEW, "newer@example.net").await;
        confirm(&server, &new).await.expect(200);
        assert_eq!(state(&confirm(&server, &old).await), "changed");
        for _ in 0..2 {
            assert_eq!(state(&confirm(&server, &undo).await), "restored");
            assert_eq!(confirm(&server, &later).await.refusal(410), "change_ended");
        }
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "session_ended");
        server.pass(MINUTE);
        let back = server.log_in("ada").await;
        assert_eq!(account(&back).await["email"], OLD);
        assert_eq!(server.count(&ADDRESSES, &[]).await, 0);
    }

    /// Before the change it only calls it off; 7 days later it is too late.
    /// proves: address-undo
    async fn undoing_has_its_time(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        let [new, _, undo] = asked(&server, &ada, OLD, NEW).await;
        for _ in 0..2 {
            assert_eq!(state(&confirm(&server, &undo).await), "cancelled");
        }
        assert_eq!(confirm(&server, &new).await.refusal(410), "change_ended");
        for browser in [&ada, &phone] {
            assert_eq!(browser.get("/api/auth/me").await.refusal(401), "session_ended");
        }
        server.pass(MINUTE);
        let ada = server.log_in("ada").await;
        let [new, old, undo] = asked(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        confirm(&server, &old).await.expect(200);
        server.pass(7 * DAY);
        assert_eq!(confirm(&server, &undo).await.refusal(410), "change_expired");
        assert_eq!(account(&ada).await["email"], NEW);
    }

    /// A thief who calls the change off, asks again and wants the account gone is out all the same.
    /// proves: address-undo
    async fn undoing_works_after_the_change_was_called_off(server) {
        let ada = server.member("ada").await;
        let [_, _, undo] = asked(&server, &ada, OLD, NEW).await;
        ada.delete("/api/account/email").await.expect(204);
        let name = json!({"username": ada.name().await});
        ada.post("/api/account/deletion", name).await.expect(200);
        server.mail_to(OLD).await;
        server.pass(MINUTE);
        ask(&ada, "newer@example.net").await.expect(200);
        server.mail_to(OLD).await;
        assert_eq!(state(&confirm(&server, &undo).await), "cancelled");
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "session_ended");
        server.pass(MINUTE);
        let back = server.log_in("ada").await;
        let mine = account(&back).await;
        assert_eq!((&mine["email"], &mine["pendingEmail"], &mine["deletion"]), (&json!(OLD), &json!(null), &json!(null)));
    }

    /// Nobody learns who has which address.
    /// proves: address-private
    async fn a_taken_address_answers_the_same(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let free = ask(&ada, NEW).await.expect(200);
        server.mail_to(NEW).await;
        server.mail_to(OLD).await;
        let taken = ask(&ada, "Bob@Example.org").await.expect(200);
        assert_eq!(free, taken);
        server.mail_to(OLD).await;
        server.mail_settles().await;
        assert!(server.mails().is_empty(), "Bob hears nothing of it");
        server.pass(2 * MINUTE);
        let [first, first_old, _] = asked(&server, &ada, OLD, NEW).await;
        server.pass(2 * MINUTE);
        let [second, second_old, _] = asked(&server, &bob, "bob@example.org", NEW).await;
        for token in [&first_old, &second_old, &first] {
            confirm(&server, token).await.expect(200);
        }
        assert_eq!(confirm(&server, &second).await.refusal(409), "email_taken");
        assert_eq!(bob.me().await["email"], "bob@example.org");
    }

    /// proves: address-form
    async fn an_address_must_be_another_one(server) {
        let ada = server.member("ada").await;
        for (email, status) in [("", 400), ("ada", 422), (" ADA@example.org ", 422)] {
            assert_eq!(ask(&ada, email).await.refusal(status), "invalid", "{email}");
        }
        assert_eq!(server.count(&CHANGES, &[]).await, 0);
        assert_eq!(server.visitor().get("/api/account").await.refusal(401), "unauthorized");
    }

    /// A login token confirms no address, and these tokens log nobody in.
    /// proves: address-tokens
    async fn tokens_are_for_one_thing(server) {
        let ada = server.member("ada").await;
        let [new, old, undo] = asked(&server, &ada, OLD, NEW).await;
        server.pass(2 * MINUTE);
        let link = server.ask_to_log_in(&server.visitor(), "ada").await;
        let (_, login) = link.split_once("token=").unwrap();
        assert_eq!(confirm(&server, login).await.refusal(400), "link_invalid");
        for token in [&new, &old, &undo] {
            let body = json!({"token": token, "email": OLD});
            let answer = server.visitor().post("/api/auth/verify", body).await;
            assert_eq!(answer.refusal(400), "link_invalid");
            let page = format!("/account/confirm?token={token}");
            assert!(server.visitor().get(&page).await.status != 200 || account(&ada).await["email"] == OLD);
        }
        assert_eq!(confirm(&server, "").await.refusal(400), "invalid");
        assert_eq!(account(&ada).await["pendingEmail"]["isNewConfirmed"], false, "nothing was done");
    }

    /// proves: address-code, call-confirm-email-code
    async fn the_code_stands_for_the_link(server) {
        let ada = server.member("ada").await;
        ask(&ada, NEW).await.expect(200);
        let mail = server.mail_to(NEW).await;
        let is_code = |line: &&str| line.len() == 8 && line.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let code = mail.lines().find(is_code).unwrap().to_lowercase();
        let send = async |browser: &Browser, code: &str| {
            browser.post("/api/account/email/code", json!({"code": code})).await
        };
        assert_eq!(send(&ada, "").await.refusal(400), "invalid");
        assert_eq!(send(&ada, "AAAAAAAA").await.refusal(422), "invalid");
        let bob = server.member("bob").await;
        assert_eq!(send(&bob, &code).await.refusal(410), "change_expired");
        assert_eq!(state(&send(&ada, &code).await), "waiting");
        for _ in 0..4 {
            assert_eq!(send(&ada, "AAAAAAAA").await.refusal(422), "invalid");
        }
        assert_eq!(send(&ada, &code).await.refusal(410), "change_expired");
        let old = token_in(&server.mail_to(OLD).await, "old");
        assert_eq!(confirm(&server, &old).await.refusal(410), "change_ended");
    }

    /// A founder has no mailbox yet that could agree.
    /// proves: address-founder
    async fn a_first_address_confirms_alone(server) {
        let founder = server.founder().await;
        ask(&founder, NEW).await.expect(200);
        assert_eq!(account(&founder).await["pendingEmail"]["isOldConfirmed"], true);
        let token = token_in(&server.mail_to(NEW).await, "new");
        assert_eq!(state(&confirm(&server, &token).await), "changed");
        assert_eq!(founder.me().await["email"], NEW);
    }

    /// With no mailbox that could object, a session alone must not be enough for long.
    /// proves: address-founder-login
    async fn a_first_address_takes_a_fresh_login(server) {
        let founder = server.founder().await;
        server.pass(10 * MINUTE);
        assert_eq!(ask(&founder, NEW).await.refusal(403), "login_too_old");
        assert_eq!(server.count(&CHANGES, &[]).await, 0);
        let again = server.log_in_again(&founder, "").await;
        server.pass(10 * MINUTE - 1);
        ask(&again, NEW).await.expect(200);
        let ada = server.member("ada").await;
        server.pass(DAY);
        ask(&ada, "newer@example.net").await.expect(200);
    }

    /// Both links at once, many times: one change.
    async fn confirmations_at_once_are_one_change(server) {
        let ada = server.member("ada").await;
        let [new, old, _] = asked(&server, &ada, OLD, NEW).await;
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..8 {
            let (visitor, token) = (server.visitor(), [&new, &old][n % 2].clone());
            tasks.spawn(async move {
                visitor.post("/api/account/email/confirm", json!({"token": token})).await
            });
        }
        let states = tasks.join_all().await;
        let changed = states.iter().filter(|answer| state(answer) == "changed").count();
        assert!(changed >= 1, "{states:?}");
        assert_eq!(account(&ada).await["email"], NEW);
        assert_eq!(server.count(&ADDRESSES, &[]).await, 1);
    }

    /// proves: address-operator
    async fn an_operator_sets_an_address(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let [new, old, undo] = asked(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        let name = ada.name().await;
        let set = |username: &str, email: &str| server.app.db.write(SetEmail {
            username: username.to_owned(), email: Email::parse(email).unwrap(), now: server.app.now(),
        });
        assert_eq!(set("nobody_here", NEW).await.unwrap(), SetEmailOutcome::UnknownMember);
        assert_eq!(set(&name, "bob@example.org").await.unwrap(), SetEmailOutcome::Taken);
        ada.get("/api/auth/me").await.expect(200);
        let done = set(&name.to_uppercase(), "other@example.net").await.unwrap();
        assert!(matches!(done, SetEmailOutcome::Set(_)));
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "session_ended");
        bob.get("/api/auth/me").await.expect(200);
        for token in [&old, &undo] {
            assert_eq!(confirm(&server, token).await.refusal(410), "change_ended");
        }
    }
}
