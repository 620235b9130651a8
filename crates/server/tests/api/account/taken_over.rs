//! Email changes requested by an intruder, or obstructed by one.

use super::account;
use super::email::{NEW, OLD, confirm, request_change, request_tokens, state_of};
use super::leaving::{order_deletion, request_deletion, run_deletions};
use crate::harness::{Browser, Server, api_path_of, id_of, on_both_engines};
use axum::http::Method;
use kith::features::auth::{Email, SetEmail, SetEmailOutcome};
use kith::platform::clock::{DAY, MINUTE};
use kith_db::{Sql, Tx, params, sql};
use serde_json::{Value, json};

const DUE: Sql = sql!("select count(*) from jobs where run_at <= $1");
static INSERT_MAIL: Sql = sql!(
    "insert into login_links (id, email, expires_at, mailed_at, tries) values (1, $1, 0, $2, 0)"
);

/// Records a mail to an email address. One in the future counts as a mail per minute until then.
struct RecordMail(&'static str, i64);

impl kith_db::Write for RecordMail {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&INSERT_MAIL, params![self.0, self.1]).await.map(drop)
    }
}

/// Ends the intruder's session in one of four ways before it expires.
async fn end_session(server: &Server, ada: &Browser, intruder: &Browser, way: usize) {
    match way {
        0 => {
            let all = ada.get("/api/auth/sessions").await.expect(200);
            let mut all = all.as_array().unwrap().iter();
            let other = all.find(|one| one["isCurrent"] == false).unwrap();
            let path = format!("/api/auth/sessions/{}", id_of(other));
            ada.delete(&path).await.expect(204);
        }
        1 => {
            intruder.post_empty("/api/auth/logout").await.expect(200);
        }
        2 => {
            let link =
                kith::features::auth::create_operator_login_url(&server.state, "founder").await;
            intruder.get(&api_path_of(&link.unwrap())).await.expect(200);
        }
        _ => {
            request_deletion(ada).await;
        }
    }
}

/// Counts mails with a confirmation link to the new email address.
fn count_confirmation_mails(server: &Server) -> usize {
    let mails = server.mails().into_iter();
    let is_it = |mail: &str| mail.contains(&format!("To: {NEW}")) && mail.contains("step=new");
    mails.filter(|(_, mail)| is_it(mail)).count()
}

on_both_engines! {
    /// A pending change ends with the session that requested it, however that ends, even after a
    /// confirmation.
    /// proves: address-ended
    async fn a_change_ends_with_the_session_that_requested_it(server) {
        let ada = server.member("ada").await;
        for way in 0..4 {
            server.advance_clock(MINUTE);
            let intruder = server.log_in_again(&ada, "").await;
            let [new, old, _] = request_tokens(&server, &intruder, OLD, &format!("new{way}@example.net")).await;
            assert_eq!(state_of(&confirm(&server, &new).await), "waiting");
            assert_ne!(account(&ada).await["pendingEmail"], Value::Null);
            end_session(&server, &ada, &intruder, way).await;
            assert_eq!(account(&ada).await["pendingEmail"], Value::Null, "way {way}");
            for token in [&new, &old] {
                assert_eq!(confirm(&server, token).await.error_code(410), "change_ended", "way {way}");
            }
            assert_eq!(ada.me().await["email"], OLD);
        }
    }

    /// A change requested by an ended session sends no more mail.
    /// proves: address-ended
    async fn a_change_of_an_ended_session_sends_no_mail(server) {
        let ada = server.member("ada").await;
        let intruder = server.log_in_again(&ada, "").await;
        server.state.db.write(RecordMail(NEW, server.state.now())).await.unwrap();
        request_change(&intruder, NEW).await.expect(200);
        server.wait_for_count(&DUE, params![server.state.now()], 0).await;
        intruder.post_empty("/api/auth/logout").await.expect(200);
        server.advance_clock(5 * MINUTE);
        server.wait_for_mail_queue().await;
        assert_eq!(count_confirmation_mails(&server), 0);
    }

    /// A change depends on the requesting session only: others may end, and any device may confirm.
    /// proves: address-ended, address-sessions
    async fn a_change_outlives_other_sessions(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        phone.post_empty("/api/auth/logout").await.expect(200);
        assert_eq!(state_of(&confirm(&server, &new).await), "waiting");
        assert_eq!(state_of(&confirm(&server, &old).await), "changed");
        assert_eq!(ada.me().await["email"], NEW);
    }

    /// Setting the current email again, as an operator, ends sessions and links like any other.
    /// proves: address-operator-same
    async fn an_operator_sets_the_current_email_again(server) {
        let ada = server.member("ada").await;
        server.advance_clock(2 * MINUTE);
        let link = server.request_login_link(&server.visitor(), "ada").await;
        let [new, old, _] = request_tokens(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        let done = server.state.db.write(SetEmail {
            username: ada.name().await, email: Email::parse(OLD).unwrap(), now: server.state.now(),
        });
        assert!(matches!(done.await.unwrap(), SetEmailOutcome::Set(_)));
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "session_ended");
        for token in [&new, &old] {
            assert_eq!(confirm(&server, token).await.error_code(410), "change_ended");
        }
        assert_eq!(server.visitor().get(&link).await.status, 410, "a link requested before");
        server.advance_clock(MINUTE);
        assert_eq!(server.log_in("ada").await.me().await["email"], OLD);
    }

    /// A stranger's mail per minute to the new email delays the change's mail by 5 minutes at most.
    /// proves: address-mail-share
    async fn a_mail_per_minute_cannot_prevent_the_mail_of_a_change(server) {
        let ada = server.member("ada").await;
        let requested_at = server.state.now();
        server.state.db.write(RecordMail(NEW, requested_at + 15 * MINUTE)).await.unwrap();
        request_change(&ada, NEW).await.expect(200);
        for time in [5 * MINUTE - 1_000, 1_000] {
            server.wait_for_count(&DUE, params![server.state.now()], 0).await;
            assert_eq!(count_confirmation_mails(&server), 0);
            server.advance_clock(time);
        }
        server.wait_for_mail_queue().await;
        assert_eq!(count_confirmation_mails(&server), 1);
    }

    /// The undo link restores the email, but does not cancel an operator's deletion.
    /// proves: address-undo-order
    async fn an_undo_does_not_cancel_an_operators_deletion(server) {
        let kim = server.admin("kim").await;
        for (name, is_suspended) in [("ada", false), ("bob", true)] {
            let browser = server.member(name).await;
            let (id, old) = (browser.id().await, format!("{name}@example.org"));
            let username = browser.name().await;
            let [_, _, undo] = request_tokens(&server, &browser, &old, NEW).await;
            request_deletion(&browser).await;
            order_deletion(&server, &id, 7 * DAY).await;
            if is_suspended {
                kim.json(Method::PUT, &format!("/api/admin/members/{id}/suspension"), json!({})).await.expect(204);
            }
            assert_eq!(state_of(&confirm(&server, &undo).await), "cancelled");
            server.advance_clock(7 * DAY);
            run_deletions(&server).await;
            let shown = kim.get("/api/admin/members").await.expect(200).to_string();
            assert!(!shown.contains(&username), "{name}");
            server.advance_clock(MINUTE);
        }
    }

    /// A suspended member gets the email back and stays suspended; the deletion they requested
    /// still waits.
    /// proves: address-undo-order, leave-suspended
    async fn an_undo_does_not_unsuspend_a_member(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let suspension = format!("/api/admin/members/{}/suspension", ada.id().await);
        let [new, old, undo] = request_tokens(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        assert_eq!(state_of(&confirm(&server, &old).await), "changed");
        request_deletion(&ada).await;
        server.mail_to(NEW).await;
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        assert_eq!(state_of(&confirm(&server, &undo).await), "restored");
        kim.delete(&suspension).await.expect(204);
        server.advance_clock(MINUTE);
        let back = server.log_in("ada").await;
        let mine = account(&back).await;
        assert_eq!((&mine["email"], &mine["deletion"]["deleteAt"]), (&json!(OLD), &json!("2026-11-28T09:30:00.000Z")));
    }
}
