//! Frozen invites, and the waitlist as admins see it.

use super::{act, actions};
use crate::harness::{id_of, on_both_engines};
use axum::http::Method;
use kith::features::waitlist;
use kith_db::{Sql, sql};
use serde_json::json;

const ADDRESSES: Sql =
    sql!("select count(*) from audit_log where detail like '%@%' or note like '%@%'");

on_both_engines! {
    /// Vouches count again when the freeze or the suspension ends.
    /// proves: vouch-frozen
    async fn vouches_of_frozen_and_suspended_members_do_not_count(server) {
        let (kim, ada, bob) = (server.admin("kim").await, server.member("ada").await, server.member("bob").await);
        let vic = json!({"email": "vic@example.org"});
        server.visitor().post("/api/waitlist", vic.clone()).await.expect(200);
        for member in [&ada, &bob] {
            member.post("/api/waitlist/vouches", vic.clone()).await.expect(200);
        }
        let (adas, bobs) = (ada.id().await, bob.id().await);
        act(&kim, Method::PUT, &adas, "invite-freeze").await.expect(204);
        let rejected = ada.post("/api/waitlist/vouches", json!({"email": "eve@example.org"})).await.expect(409);
        assert_eq!(rejected["message"], "A moderator has frozen your invites, so you can't vouch for anyone for now.");
        act(&kim, Method::PUT, &bobs, "suspension").await.expect(204);
        let db = server.state.db.reader();
        let vouched = async || {
            let rows = kim.get("/api/admin/waitlist").await.expect(200);
            let entries = waitlist::load_all_entries(&db).await.unwrap();
            let next = waitlist::load_longest_waiting(&db, 9, true).await.unwrap();
            (rows[0]["vouchedBy"].as_array().unwrap().len(), entries[0].vouches, next.len())
        };
        assert_eq!(vouched().await, (0, 0, 0));
        act(&kim, Method::DELETE, &adas, "invite-freeze").await.expect(204);
        act(&kim, Method::DELETE, &bobs, "suspension").await.expect(204);
        assert_eq!(vouched().await, (2, 2, 1));
    }

    /// Unused codes work again when the freeze ends.
    /// proves: freeze-codes, freeze-new, freeze-shown, call-freeze-invites
    async fn frozen_invites_do_not_work(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        let asked = server.visitor();
        let link = server.request_sign_up_link(&asked, "bob", &code).await;
        let id = ada.id().await;
        act(&kim, Method::PUT, &id, "invite-freeze").await.expect(204);
        let me = ada.me().await;
        assert_eq!((&me["invitesFrozen"], &me["invitesAvailable"]), (&json!(true), &json!(0)));
        let rejected = ada.post_empty("/api/invites").await.expect(409);
        assert_eq!(rejected["message"], "A moderator has frozen your invites. You cannot make new ones for now.");
        let body = json!({"email": "eve@example.org", "inviteCode": code});
        let rejected = server.visitor().post("/api/auth/request-magic-link", body).await.expect(400);
        assert_eq!(rejected["fields"]["inviteCode"], "This invite code isn't valid, has already been used, or has expired.");
        assert_eq!(asked.get(&link).await.error_code(409), "invite_gone", "a link that was mailed before");
        act(&kim, Method::DELETE, &id, "invite-freeze").await.expect(204);
        let me = ada.me().await;
        assert_eq!((&me["invitesFrozen"], &me["invitesAvailable"]), (&json!(false), &json!(2)));
        ada.post_empty("/api/invites").await.expect(201);
        asked.get(&link).await.expect(200);
        assert_eq!(ada.get("/api/invites").await.expect(200)[1]["isUsed"], true);
    }

    /// Codes of a suspended member do not work, because the member could return with one.
    /// proves: freeze-codes
    async fn codes_of_suspended_members_do_not_work(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        let id = ada.id().await;
        act(&kim, Method::PUT, &id, "suspension").await.expect(204);
        let body = json!({"email": "eve@example.org", "inviteCode": code});
        let asked = || server.visitor();
        let path = "/api/auth/request-magic-link";
        assert_eq!(asked().post(path, body.clone()).await.error_code(400), "invalid");
        act(&kim, Method::DELETE, &id, "suspension").await.expect(204);
        asked().post(path, body).await.expect(200);
    }

    /// Oldest entries first; each gets one mail, and the audit log has no email address.
    /// proves: admin-waitlist, call-admit, audit-addresses, audit-admitted
    async fn an_admin_admits_from_the_waitlist(server) {
        let kim = server.admin("kim").await;
        for name in ["ada", "bob", "eve"] {
            let body = json!({"email": format!("{name}@example.org")});
            server.visitor().post("/api/waitlist", body).await.expect(200);
            server.advance_clock(1);
        }
        let page = kim.get("/api/admin/waitlist?limit=2").await;
        let mut rows = page.expect(200).as_array().unwrap().clone();
        rows.extend(kim.get(&page.next().unwrap()).await.expect(200).as_array().unwrap().clone());
        let emails = rows.iter().map(|row| row["email"].as_str().unwrap()).collect::<Vec<_>>();
        assert_eq!(emails, ["ada@example.org", "bob@example.org", "eve@example.org"]);
        let path = format!("/api/admin/waitlist/{}/admit", id_of(&rows[1]));
        kim.post_empty(&path).await.expect(204);
        assert_eq!(kim.post_empty(&path).await.error_code(404), "entry_not_found");
        server.mail_to("bob@example.org").await;
        assert_eq!(kim.get("/api/admin/waitlist").await.expect(200), json!([rows[0], rows[2]]));
        assert_eq!(actions(&kim).await, ["admit_people"]);
        let log = kim.get("/api/admin/audit").await.expect(200);
        assert_eq!(log[0]["detail"], format!("entry {}", id_of(&rows[1])));
        assert_eq!(server.count(&ADDRESSES, &[]).await, 0);
    }
}
