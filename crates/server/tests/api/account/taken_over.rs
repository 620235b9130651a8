//! Changes of an address when somebody else is in the account, or wants them kept from its owner.

use super::account;
use super::email::{NEW, OLD, ask, asked, confirm, state};
use super::leaving::{leave, order, work};
use crate::harness::{Browser, Server, api_of, id_of, on_both_engines};
use axum::http::Method;
use kith::features::auth::{Email, SetEmail, SetEmailOutcome};
use kith::platform::clock::{DAY, MINUTE};
use kith_db::{Sql, Tx, params, sql};
use serde_json::{Value, json};

const DUE: Sql = sql!("select count(*) from jobs where run_at <= $1");
static MAIL: Sql = sql!(
    "insert into login_links (id, email, expires_at, mailed_at, tries) values (1, $1, 0, $2, 0)"
);

/// Counts a mail to an address at a time. One that is still to come stands for a mail each minute until then.
struct Mailed(&'static str, i64);

impl kith_db::Write for Mailed {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&MAIL, params![self.0, self.1]).await.map(drop)
    }
}

/// Ends the session of `thief`, in one of the ways in which that happens before its time.
async fn end(server: &Server, ada: &Browser, thief: &Browser, way: usize) {
    match way {
        0 => {
            let all = ada.get("/api/auth/sessions").await.expect(200);
            let mut all = all.as_array().unwrap().iter();
            let other = all.find(|one| one["isCurrent"] == false).unwrap();
            let path = format!("/api/auth/sessions/{}", id_of(other));
            ada.delete(&path).await.expect(204);
        }
        1 => {
            thief.poke("/api/auth/logout").await.expect(200);
        }
        2 => {
            let link =
                kith::features::auth::create_operator_login_url(&server.app, "founder").await;
            thief.get(&api_of(&link.unwrap())).await.expect(200);
        }
        _ => {
            leave(ada).await;
        }
    }
}

/// How many mails with a link to confirm went to the new address.
fn to_new(server: &Server) -> usize {
    let mails = server.mails().into_iter();
    let is_it = |mail: &str| mail.contains(&format!("To: {NEW}")) && mail.contains("step=new");
    mails.filter(|(_, mail)| is_it(mail)).count()
}

on_both_engines! {
    /// What a session asked for ends with it, however it ends, and whoever has confirmed it already.
    /// proves: address-ended
    async fn a_change_ends_with_the_session_that_asked(server) {
        let ada = server.member("ada").await;
        for way in 0..4 {
            server.pass(MINUTE);
            let thief = server.log_in_again(&ada, "").await;
            let [new, old, _] = asked(&server, &thief, OLD, &format!("new{way}@example.net")).await;
            assert_eq!(state(&confirm(&server, &new).await), "waiting");
            assert_ne!(account(&ada).await["pendingEmail"], Value::Null);
            end(&server, &ada, &thief, way).await;
            assert_eq!(account(&ada).await["pendingEmail"], Value::Null, "way {way}");
            for token in [&new, &old] {
                assert_eq!(confirm(&server, token).await.refusal(410), "change_ended", "way {way}");
            }
            assert_eq!(ada.me().await["email"], OLD);
        }
    }

    /// Nothing is mailed any more of what an ended session asked for.
    /// proves: address-ended
    async fn an_ended_session_has_nothing_mailed(server) {
        let ada = server.member("ada").await;
        let thief = server.log_in_again(&ada, "").await;
        server.app.db.write(Mailed(NEW, server.app.now())).await.unwrap();
        ask(&thief, NEW).await.expect(200);
        server.comes_to(&DUE, params![server.app.now()], 0).await;
        thief.poke("/api/auth/logout").await.expect(200);
        server.pass(5 * MINUTE);
        server.mail_settles().await;
        assert_eq!(to_new(&server), 0);
    }

    /// The session that asked is all that matters: others may end, and any device may confirm.
    /// proves: address-ended, address-sessions
    async fn a_change_outlives_other_sessions(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        let [new, old, _] = asked(&server, &ada, OLD, NEW).await;
        phone.poke("/api/auth/logout").await.expect(200);
        assert_eq!(state(&confirm(&server, &new).await), "waiting");
        assert_eq!(state(&confirm(&server, &old).await), "changed");
        assert_eq!(ada.me().await["email"], NEW);
    }

    /// The address that a member has already, given by an operator, ends what any other would.
    /// proves: address-operator-same
    async fn an_operator_sets_the_same_address(server) {
        let ada = server.member("ada").await;
        server.pass(2 * MINUTE);
        let link = server.ask_to_log_in(&server.visitor(), "ada").await;
        let [new, old, _] = asked(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        let done = server.app.db.write(SetEmail {
            username: ada.name().await, email: Email::parse(OLD).unwrap(), now: server.app.now(),
        });
        assert!(matches!(done.await.unwrap(), SetEmailOutcome::Set(_)));
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "session_ended");
        for token in [&new, &old] {
            assert_eq!(confirm(&server, token).await.refusal(410), "change_ended");
        }
        assert_eq!(server.visitor().get(&link).await.status, 410, "a link of before");
        server.pass(MINUTE);
        assert_eq!(server.log_in("ada").await.me().await["email"], OLD);
    }

    /// Whoever has a mail sent to the new address each minute puts the change's own off by 5 minutes, no more.
    /// proves: address-mail-share
    async fn a_mail_each_minute_cannot_keep_a_change_from_its_new_address(server) {
        let ada = server.member("ada").await;
        let asked = server.app.now();
        server.app.db.write(Mailed(NEW, asked + 15 * MINUTE)).await.unwrap();
        ask(&ada, NEW).await.expect(200);
        for time in [5 * MINUTE - 1_000, 1_000] {
            server.comes_to(&DUE, params![server.app.now()], 0).await;
            assert_eq!(to_new(&server), 0);
            server.pass(time);
        }
        server.mail_settles().await;
        assert_eq!(to_new(&server), 1);
    }

    /// "This wasn't me" gives the address back; what an operator ordered it does not take back.
    /// proves: address-undo-order
    async fn an_undo_takes_no_order_back(server) {
        let kim = server.admin("kim").await;
        for (name, is_suspended) in [("ada", false), ("bob", true)] {
            let browser = server.member(name).await;
            let (id, old) = (browser.id().await, format!("{name}@example.org"));
            let username = browser.name().await;
            let [_, _, undo] = asked(&server, &browser, &old, NEW).await;
            leave(&browser).await;
            order(&server, &id, 7 * DAY).await;
            if is_suspended {
                kim.json(Method::PUT, &format!("/api/admin/members/{id}/suspension"), json!({})).await.expect(204);
            }
            assert_eq!(state(&confirm(&server, &undo).await), "cancelled");
            server.pass(7 * DAY);
            work(&server).await;
            let shown = kim.get("/api/admin/members").await.expect(200).to_string();
            assert!(!shown.contains(&username), "{name}");
            server.pass(MINUTE);
        }
    }

    /// Who is suspended gets the address back, and stays out; what they asked for still waits.
    /// proves: address-undo-order, leave-suspended
    async fn an_undo_keeps_no_suspended_member(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let suspension = format!("/api/admin/members/{}/suspension", ada.id().await);
        let [new, old, undo] = asked(&server, &ada, OLD, NEW).await;
        confirm(&server, &new).await.expect(200);
        assert_eq!(state(&confirm(&server, &old).await), "changed");
        leave(&ada).await;
        server.mail_to(NEW).await;
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        assert_eq!(state(&confirm(&server, &undo).await), "restored");
        kim.delete(&suspension).await.expect(204);
        server.pass(MINUTE);
        let back = server.log_in("ada").await;
        let mine = account(&back).await;
        assert_eq!((&mine["email"], &mine["deletion"]["deleteAt"]), (&json!(OLD), &json!("2026-11-28T09:30:00.000Z")));
    }
}
