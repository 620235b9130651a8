//! Changing the email address.

use super::{account, token_in};
use crate::harness::{Browser, Server, TestResponse, on_both_engines};
use kith::features::auth::{Email, SetEmail, SetEmailOutcome};
use kith::ops::retention;
use kith::platform::clock::{DAY, MINUTE};
use kith_db::{Sql, params, sql};
use serde_json::{Value, json};

const EMAILS: Sql = sql!("select count(*) from emails where email like 'new@%'");
const DUE: Sql = sql!("select count(*) from jobs where run_at <= $1");
const WAITING: Sql =
    sql!("select count(*) from waitlist left join vouches using (email) where waitlist.email = $1");
const CHANGES: Sql = sql!("select count(*) from email_changes");

pub(super) async fn request_change(browser: &Browser, email: &str) -> TestResponse {
    browser.post("/api/account/email", json!({"email": email})).await
}

pub(super) async fn confirm(server: &Server, token: &str) -> TestResponse {
    let body = json!({"token": token});
    server.visitor().post("/api/account/email/confirm", body).await
}

/// Requests an email change for Ada; returns the tokens of the new mailbox, the old mailbox and the
/// undo link.
pub(super) async fn request_tokens(
    server: &Server,
    ada: &Browser,
    old: &str,
    new: &str,
) -> [String; 3] {
    request_change(ada, new).await.expect(200);
    let first = server.mail_to(new).await;
    let second = server.mail_to(old).await;
    // A mail not yet recorded as sent when the test advances the clock would be sent again.
    server.wait_for_mail_queue().await;
    assert!(
        second.contains(&format!("its email address to {new}.")),
        "the mail names the new email"
    );
    [token_in(&first, "new"), token_in(&second, "old"), token_in(&second, "undo")]
}

pub(super) const OLD: &str = "ada@example.org";
pub(super) const NEW: &str = "new@example.net";

pub(super) fn state_of(response: &TestResponse) -> Value {
    response.expect(200)["state"].clone()
}

on_both_engines! {
    /// The email changes with the second confirmation, and only the session that requested it stays
    /// logged in.
    /// proves: address-both, address-sessions, address-links, address-waitlist, call-change-email, call-confirm-email, call-account
    async fn both_mailboxes_must_confirm(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        server.advance_clock(2 * MINUTE);
        let pending = server.request_login_link(&server.visitor(), "ada").await;
        for email in [OLD, NEW] {
            server.visitor().post("/api/waitlist", json!({"email": email})).await.expect(200);
        }
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        assert_eq!(server.count(&WAITING, params![OLD]).await, 1);
        assert_eq!(account(&ada).await, json!({
            "email": OLD, "deletion": null, "language": null, "pendingEmail": {
                "email": NEW, "expiresAt": "2026-11-21T09:47:00.000Z",
                "isNewConfirmed": false, "isOldConfirmed": false,
            },
        }));
        for _ in 0..2 {
            assert_eq!(state_of(&confirm(&server, &new).await), "waiting");
        }
        assert_eq!(account(&ada).await["pendingEmail"]["isNewConfirmed"], true);
        assert_eq!(ada.me().await["email"], OLD);
        phone.get("/api/auth/me").await.expect(200);
        for token in [&old, &old, &new] {
            assert_eq!(state_of(&confirm(&server, token).await), "changed");
        }
        assert_eq!(account(&ada).await, json!({"email": NEW, "deletion": null, "language": null, "pendingEmail": null}));
        assert_eq!(server.count(&WAITING, params![OLD]).await, 0, "the old email is deleted");
        assert_eq!(server.count(&WAITING, params![NEW]).await, 0, "a member leaves the waitlist");
        assert_eq!(phone.get("/api/auth/me").await.error_code(401), "session_ended");
        assert_eq!(server.visitor().get(&pending).await.status, 410, "a link requested before the change");
        server.advance_clock(2 * MINUTE);
        server.visitor().post("/api/auth/request-login-link", json!({"email": OLD})).await.expect(200);
        server.wait_for_mail_queue().await;
        assert!(server.mails().is_empty(), "no member has the old email");
        let new_login = server.visitor();
        new_login.post("/api/auth/request-login-link", json!({"email": NEW})).await.expect(200);
        new_login.get(&server.mailed_link(NEW).await).await.expect(200);
        assert_eq!(new_login.id().await, ada.id().await);
    }

    /// One confirmation is not enough, whichever it is, and the request expires after 15 minutes.
    /// proves: address-both, address-expiry, address-named
    async fn a_change_expires(server) {
        let ada = server.member("ada").await;
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        assert_eq!(state_of(&confirm(&server, &old).await), "waiting");
        assert_eq!(account(&ada).await["pendingEmail"]["isOldConfirmed"], true);
        server.advance_clock(15 * MINUTE);
        assert_eq!(confirm(&server, &new).await.error_code(410), "change_expired");
        assert_eq!(account(&ada).await, json!({"email": OLD, "deletion": null, "language": null, "pendingEmail": null}));
        server.advance_clock(7 * DAY - 1);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&CHANGES, &[]).await, 1);
        server.advance_clock(1);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&CHANGES, &[]).await, 0);
        assert_eq!(confirm(&server, &new).await.error_code(410), "change_expired");
    }

    /// Logging out everywhere cancels a pending change: an intruder may have requested it.
    /// proves: address-end-all
    async fn a_change_ends_with_all_sessions(server) {
        let ada = server.member("ada").await;
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        assert_eq!(state_of(&confirm(&server, &new).await), "waiting");
        ada.delete("/api/auth/sessions").await.expect(204);
        for token in [&old, &new] {
            assert_eq!(confirm(&server, token).await.error_code(410), "change_ended");
        }
    }

    /// Exhausting the mail quota of the new email address delays the change's mail, but cannot
    /// prevent it.
    /// proves: address-mail-share
    async fn a_stranger_cannot_prevent_the_mail_of_a_change(server) {
        let ada = server.member("ada").await;
        let code = server.operator_code().await;
        for _ in 0..5 {
            server.advance_clock(MINUTE);
            let body = json!({"email": NEW, "inviteCode": code});
            server.visitor().post("/api/auth/request-magic-link", body).await.expect(200);
            server.wait_for_mail_queue().await;
        }
        let to_new = || server.mails().into_iter().filter(|(_, mail)| mail.contains("To: new@example.net"));
        assert_eq!(to_new().count(), 5);
        request_change(&ada, NEW).await.expect(200);
        for minutes in [4, 1] {
            server.wait_for_count(&DUE, params![server.state.now()], 0).await;
            assert_eq!(to_new().count(), 5);
            server.advance_clock(minutes * MINUTE);
        }
        server.wait_for_mail_queue().await;
        let mails = to_new().filter(|(_, mail)| mail.contains("step=new"));
        assert_eq!(mails.count(), 1);
    }

    /// A newer request, and cancelling, end a pending change.
    /// proves: address-cancel, call-cancel-email
    async fn a_change_can_be_cancelled(server) {
        let ada = server.member("ada").await;
        let [first, ..] = request_tokens(&server, &ada, OLD, NEW).await;
        let [second, ..] = request_tokens(&server, &ada, OLD, "newer@example.net").await;
        assert_eq!(confirm(&server, &first).await.error_code(410), "change_ended");
        for _ in 0..2 {
            ada.delete("/api/account/email").await.expect(204);
        }
        assert_eq!(confirm(&server, &second).await.error_code(410), "change_ended");
        assert_eq!(account(&ada).await["pendingEmail"], Value::Null);
    }

    /// An intruder on an unlocked device cannot take an account over.
    /// proves: address-undo
    async fn the_old_mailbox_reverts_the_change(server) {
        let ada = server.member("ada").await;
        let [new, old, undo] = request_tokens(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        assert_eq!(state_of(&confirm(&server, &old).await), "changed");
        server.advance_clock(MINUTE);
        // The intruder changes the email once more, to escape the undo link.
        let [new, old, later] = request_tokens(&server, &ada, NEW, "newer@example.net").await;
        confirm(&server, &new).await.expect(200);
        assert_eq!(state_of(&confirm(&server, &old).await), "changed");
        for _ in 0..2 {
            assert_eq!(state_of(&confirm(&server, &undo).await), "restored");
            assert_eq!(confirm(&server, &later).await.error_code(410), "change_ended");
        }
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "session_ended");
        server.advance_clock(MINUTE);
        let back = server.log_in("ada").await;
        assert_eq!(account(&back).await["email"], OLD);
        assert_eq!(server.count(&EMAILS, &[]).await, 0);
    }

    /// Before the change the undo link cancels it; after 7 days it has expired.
    /// proves: address-undo
    async fn the_undo_link_expires(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        let [new, _, undo] = request_tokens(&server, &ada, OLD, NEW).await;
        for _ in 0..2 {
            assert_eq!(state_of(&confirm(&server, &undo).await), "cancelled");
        }
        assert_eq!(confirm(&server, &new).await.error_code(410), "change_ended");
        for browser in [&ada, &phone] {
            assert_eq!(browser.get("/api/auth/me").await.error_code(401), "session_ended");
        }
        server.advance_clock(MINUTE);
        let ada = server.log_in("ada").await;
        let [new, old, undo] = request_tokens(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        confirm(&server, &old).await.expect(200);
        server.advance_clock(7 * DAY);
        assert_eq!(confirm(&server, &undo).await.error_code(410), "change_expired");
        assert_eq!(account(&ada).await["email"], NEW);
    }

    /// The undo link works even after an intruder cancels the change, requests another and requests
    /// deletion.
    /// proves: address-undo
    async fn the_undo_link_works_after_the_change_was_cancelled(server) {
        let ada = server.member("ada").await;
        let [_, _, undo] = request_tokens(&server, &ada, OLD, NEW).await;
        ada.delete("/api/account/email").await.expect(204);
        let name = json!({"username": ada.name().await});
        ada.post("/api/account/deletion", name).await.expect(200);
        server.mail_to(OLD).await;
        server.advance_clock(MINUTE);
        request_change(&ada, "newer@example.net").await.expect(200);
        server.mail_to(OLD).await;
        assert_eq!(state_of(&confirm(&server, &undo).await), "cancelled");
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "session_ended");
        server.advance_clock(MINUTE);
        let back = server.log_in("ada").await;
        let mine = account(&back).await;
        assert_eq!((&mine["email"], &mine["pendingEmail"], &mine["deletion"]), (&json!(OLD), &json!(null), &json!(null)));
    }

    /// Responses do not reveal whether an email address is taken.
    /// proves: address-private
    async fn a_taken_email_gets_an_identical_response(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let free = request_change(&ada, NEW).await.expect(200);
        server.mail_to(NEW).await;
        server.mail_to(OLD).await;
        let taken = request_change(&ada, "Bob@Example.org").await.expect(200);
        assert_eq!(free, taken);
        server.mail_to(OLD).await;
        server.wait_for_mail_queue().await;
        assert!(server.mails().is_empty(), "Bob gets no mail");
        server.advance_clock(2 * MINUTE);
        let [first, first_old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        server.advance_clock(2 * MINUTE);
        let [second, second_old, _] = request_tokens(&server, &bob, "bob@example.org", NEW).await;
        for token in [&first_old, &second_old, &first] {
            confirm(&server, token).await.expect(200);
        }
        assert_eq!(confirm(&server, &second).await.error_code(409), "email_taken");
        assert_eq!(bob.me().await["email"], "bob@example.org");
    }

    /// proves: address-form
    async fn the_new_email_must_differ(server) {
        let ada = server.member("ada").await;
        for (email, status) in [("", 400), ("ada", 422), (" ADA@example.org ", 422)] {
            assert_eq!(request_change(&ada, email).await.error_code(status), "invalid", "{email}");
        }
        assert_eq!(server.count(&CHANGES, &[]).await, 0);
        assert_eq!(server.visitor().get("/api/account").await.error_code(401), "unauthorized");
    }

    /// A login token confirms no email change, and change tokens log no one in.
    /// proves: address-tokens
    async fn tokens_have_one_purpose(server) {
        let ada = server.member("ada").await;
        let [new, old, undo] = request_tokens(&server, &ada, OLD, NEW).await;
        server.advance_clock(2 * MINUTE);
        let link = server.request_login_link(&server.visitor(), "ada").await;
        let (_, login) = link.split_once("token=").unwrap();
        assert_eq!(confirm(&server, login).await.error_code(400), "link_invalid");
        for token in [&new, &old, &undo] {
            let body = json!({"token": token, "email": OLD});
            let response = server.visitor().post("/api/auth/verify", body).await;
            assert_eq!(response.error_code(400), "link_invalid");
            let page = format!("/account/confirm?token={token}");
            assert!(server.visitor().get(&page).await.status != 200 || account(&ada).await["email"] == OLD);
        }
        assert_eq!(confirm(&server, "").await.error_code(400), "invalid");
        assert_eq!(account(&ada).await["pendingEmail"]["isNewConfirmed"], false, "nothing was changed");
    }

    /// proves: address-code, call-confirm-email-code
    async fn the_code_replaces_the_link(server) {
        let ada = server.member("ada").await;
        request_change(&ada, NEW).await.expect(200);
        let mail = server.mail_to(NEW).await;
        let is_code = |line: &&str| line.len() == 8 && line.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let code = mail.lines().find(is_code).unwrap().to_lowercase();
        let send = async |browser: &Browser, code: &str| {
            browser.post("/api/account/email/code", json!({"code": code})).await
        };
        assert_eq!(send(&ada, "").await.error_code(400), "invalid");
        assert_eq!(send(&ada, "AAAAAAAA").await.error_code(422), "invalid");
        let bob = server.member("bob").await;
        assert_eq!(send(&bob, &code).await.error_code(410), "change_expired");
        assert_eq!(state_of(&send(&ada, &code).await), "waiting");
        for _ in 0..4 {
            assert_eq!(send(&ada, "AAAAAAAA").await.error_code(422), "invalid");
        }
        assert_eq!(send(&ada, &code).await.error_code(410), "change_expired");
        let old = token_in(&server.mail_to(OLD).await, "old");
        assert_eq!(confirm(&server, &old).await.error_code(410), "change_ended");
    }

    /// A founder without an email has no old mailbox to confirm from.
    /// proves: address-founder
    async fn a_first_email_needs_one_confirmation(server) {
        let founder = server.founder().await;
        let response = request_change(&founder, NEW).await.expect(200);
        let message = "We've emailed your new address. Confirm from it to make the change.";
        assert_eq!(response["message"], message);
        assert_eq!(account(&founder).await["pendingEmail"]["isOldConfirmed"], true);
        let token = token_in(&server.mail_to(NEW).await, "new");
        assert_eq!(state_of(&confirm(&server, &token).await), "changed");
        assert_eq!(founder.me().await["email"], NEW);
    }

    /// Without an old mailbox, an old session alone must not be enough.
    /// proves: address-founder-login
    async fn a_first_email_requires_a_fresh_login(server) {
        let founder = server.founder().await;
        server.advance_clock(10 * MINUTE);
        assert_eq!(request_change(&founder, NEW).await.error_code(403), "login_too_old");
        assert_eq!(server.count(&CHANGES, &[]).await, 0);
        let again = server.log_in_again(&founder, "").await;
        server.advance_clock(10 * MINUTE - 1);
        request_change(&again, NEW).await.expect(200);
        let ada = server.member("ada").await;
        server.advance_clock(DAY);
        request_change(&ada, "newer@example.net").await.expect(200);
    }

    /// Concurrent confirmations of both links make one change.
    async fn concurrent_confirmations_make_one_change(server) {
        let ada = server.member("ada").await;
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..8 {
            let (visitor, token) = (server.visitor(), [&new, &old][n % 2].clone());
            tasks.spawn(async move {
                visitor.post("/api/account/email/confirm", json!({"token": token})).await
            });
        }
        let states = tasks.join_all().await;
        let changed = states.iter().filter(|response| state_of(response) == "changed").count();
        assert!(changed >= 1, "{states:?}");
        assert_eq!(account(&ada).await["email"], NEW);
        assert_eq!(server.count(&EMAILS, &[]).await, 1);
    }

    /// proves: address-operator
    async fn an_operator_sets_an_email(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let [new, old, undo] = request_tokens(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        let name = ada.name().await;
        let set_email = |username: &str, email: &str| server.state.db.write(SetEmail {
            username: username.to_owned(), email: Email::parse(email).unwrap(), now: server.state.now(),
        });
        assert_eq!(set_email("unknown_user", NEW).await.unwrap(), SetEmailOutcome::UnknownMember);
        assert_eq!(set_email(&name, "bob@example.org").await.unwrap(), SetEmailOutcome::Taken);
        ada.get("/api/auth/me").await.expect(200);
        let done = set_email(&name.to_uppercase(), "other@example.net").await.unwrap();
        assert!(matches!(done, SetEmailOutcome::Set(_)));
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "session_ended");
        bob.get("/api/auth/me").await.expect(200);
        for token in [&old, &undo] {
            assert_eq!(confirm(&server, token).await.error_code(410), "change_ended");
        }
    }
}
