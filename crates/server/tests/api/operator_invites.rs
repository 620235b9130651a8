//! Commands for invite codes and the waitlist, on both engines.

use crate::harness::{Server, on_both_engines};
use kith::features::auth::Email;
use kith::features::invites::RevokeOutcome::{self, Before, Revoked, Unknown, Used};
use kith::features::invites::{self, LIFETIME};
use kith::features::moderation::{self, AddPeople, AuditAction, IssueCodes, RevokeCodes};
use kith::features::waitlist;
use kith::http::extract::Page;
use kith::platform::clock::{DAY, Millis};
use serde_json::json;

/// Creates a code of the operator.
async fn issue(server: &Server, code: &str, lifetime: Millis) {
    issue_for(server, code, lifetime, 1).await;
}

/// Creates a code of the operator for `uses` people.
async fn issue_for(server: &Server, code: &str, lifetime: Millis, uses: i64) {
    let now = server.state.now();
    let issue = IssueCodes { codes: vec![code.to_owned()], lifetime, uses, now };
    server.state.db.write(issue).await.unwrap();
}

async fn revoke(server: &Server, codes: &[&str]) -> Vec<RevokeOutcome> {
    let codes = codes.iter().map(|code| (*code).to_owned()).collect();
    server.state.db.write(RevokeCodes { codes, now: server.state.now() }).await.unwrap()
}

/// Returns the newest row of the audit log.
async fn last_action(server: &Server) -> (Option<AuditAction>, String) {
    let page = Page { limit: 1, offset: 0, before: i64::MAX };
    let log = moderation::load_audit_page(&server.state.db.reader(), page).await.unwrap();
    (log[0].action, log[0].detail.clone())
}

/// Returns the status of requesting a link with the code.
async fn ask(server: &Server, code: &str) -> u16 {
    let body = json!({"email": "someone@example.org", "inviteCode": code});
    server.visitor().post("/api/auth/request-magic-link", body).await.status.as_u16()
}

on_both_engines! {
    /// proves: operate-invites
    async fn the_operator_lists_and_revokes_codes(server) {
        issue(&server, "LATERLATER22", 30 * DAY).await;
        issue(&server, "USEDUSEDUS22", LIFETIME).await;
        issue(&server, "GONEGONEGO22", 60 * DAY).await;
        let ada = server.member_with("ada", "USEDUSEDUS22").await;
        server.advance_clock(LIFETIME + 1);
        assert_eq!(ask(&server, "LATERLATER22").await, 200, "a code can live longer than a week");
        let invite = ada.post_empty("/api/invites").await.expect(201);
        let own = invite["code"].as_str().unwrap();
        let outcomes = revoke(&server, &["GONEGONEGO22", "USEDUSEDUS22", "GONEGONEGO22", "NOCODENOCODE", own]).await;
        assert_eq!(outcomes, [Revoked, Used, Before, Unknown, Revoked]);
        assert_eq!(last_action(&server).await, (Some(AuditAction::RevokeInvites), "2".to_owned()));
        for code in ["GONEGONEGO22", own] {
            assert_ne!(ask(&server, code).await, 200, "{code}");
        }
        assert_eq!(ada.get("/api/invites").await.expect(200).as_array().unwrap().len(), 0, "it is revoked for the member, too");
        assert_eq!(revoke(&server, &["GONEGONEGO22"]).await, [Before]);
        assert_eq!(last_action(&server).await.1, "2", "a command that changed nothing adds no row");
        let codes = invites::load_operator_codes(&server.state.db.reader()).await.unwrap();
        let codes = codes.iter().map(|code| (code.code.as_str(), code.used, code.is_revoked));
        let codes = codes.filter(|(code, ..)| ["USEDUSEDUS22", "GONEGONEGO22", "LATERLATER22"].contains(code)).collect::<Vec<_>>();
        assert_eq!(codes, [("USEDUSEDUS22", 1, false), ("LATERLATER22", 0, false), ("GONEGONEGO22", 0, true)]);
    }

    /// proves: waitlist-add
    async fn emails_are_added_in_their_order(server) {
        server.visitor().post("/api/waitlist", json!({"email": "bob@example.org"})).await.expect(200);
        server.advance_clock(10);
        let emails = ["eve@example.org", "bob@example.org", "ada@example.org", "eve@example.org"];
        let emails = emails.map(|email| Email::parse(email).unwrap()).to_vec();
        let add = AddPeople::new(&server.state, emails, server.state.now() - 4);
        assert_eq!(server.state.db.write(add).await.unwrap(), [true, false, true, false]);
        assert_eq!(last_action(&server).await, (Some(AuditAction::AddPeople), "2".to_owned()));
        let waiting = waitlist::load_longest_waiting(&server.state.db.reader(), 9, false).await.unwrap();
        let waiting = waiting.iter().map(Email::as_str).collect::<Vec<_>>();
        assert_eq!(waiting, ["bob@example.org", "eve@example.org", "ada@example.org"]);
        let kim = server.admin("kim").await;
        assert_eq!(kim.get("/api/admin/waitlist").await.expect(200).as_array().unwrap().len(), 3, "each has an id");
    }
}
