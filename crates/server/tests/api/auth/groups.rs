//! Operator's invite codes with several uses, with which a group joins.

use super::codes::code_in;
use crate::harness::{Server, TestResponse, link_in, on_both_engines};
use futures_util::StreamExt as _;
use futures_util::future::join_all;
use futures_util::stream;
use kith::features::invites::{self, LIFETIME, OperatorCode, RevokeOutcome};
use kith::features::moderation::{IssueCodes, RevokeCodes};
use kith_db::{Sql, sql};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SIGN_UP: &str = "/api/auth/request-magic-link";
const CODE: &str = "GRQUPGRQUP22";
const MEMBERS: Sql = sql!("select count(*) from members");
const MAILED: Sql =
    sql!("select count(*) from login_links where email = $1 and mailed_at is not null");
const FOLLOWS: Sql = sql!("select count(*) from follows");

/// Returns the number of members of the group that joins.
fn rounds() -> usize {
    let given = std::env::var("KITH_PROOF_ROUNDS").ok();
    given.map_or(100, |text| text.parse().unwrap())
}

/// Creates a code for `uses` people.
async fn issue(server: &Server, uses: i64) {
    let (codes, now) = (vec![CODE.to_owned()], server.state.now());
    server.state.db.write(IssueCodes { codes, lifetime: LIFETIME, uses, now }).await.unwrap();
}

async fn find(server: &Server) -> OperatorCode {
    let codes = invites::load_operator_codes(&server.state.db.reader()).await.unwrap();
    codes.into_iter().find(|code| code.code == CODE).unwrap()
}

async fn request_link(server: &Server, name: &str) -> TestResponse {
    let body = json!({"email": format!("{name}@example.org"), "inviteCode": CODE});
    server.visitor().post(SIGN_UP, body).await
}

/// Signs up with the code, every other person by the code in the mail instead of the link.
async fn join(server: &Server, n: usize) -> Value {
    let (browser, email) = (server.visitor(), format!("group{n}@example.org"));
    browser.post(SIGN_UP, json!({"email": email, "inviteCode": CODE})).await.expect(200);
    let mail = server.mail_to(&email).await;
    if n.is_multiple_of(2) {
        browser.get(&link_in(&mail)).await.expect(200);
    } else {
        // The code works once the mail server has accepted the mail.
        server.wait_for_count(&MAILED, &[email.as_str().into()], 1).await;
        let typed = json!({"code": code_in(&mail)});
        browser.post("/api/auth/verify-code", typed).await.expect(200);
    }
    browser.me().await
}

on_both_engines! {
    /// Of eight people who open their links concurrently, three join with a code for three.
    /// proves: group-uses, group-friendless
    async fn no_more_people_join_than_a_code_has_uses(server) {
        issue(&server, 3).await;
        let mut links = Vec::new();
        for n in 0..8 {
            let browser = server.visitor();
            let link = server.request_sign_up_link(&browser, &format!("g{n}"), CODE).await;
            links.push((browser, link));
        }
        let (members, follows) = (server.count(&MEMBERS, &[]).await, server.count(&FOLLOWS, &[]).await);
        let responses = join_all(links.iter().map(|(browser, link)| browser.get(link))).await;
        let mut statuses = BTreeMap::<u16, usize>::new();
        for response in &responses {
            *statuses.entry(response.status.as_u16()).or_default() += 1;
        }
        assert_eq!(statuses, BTreeMap::from([(200, 3), (409, 5)]));
        assert_eq!(server.count(&MEMBERS, &[]).await, members + 3);
        assert_eq!(server.count(&FOLLOWS, &[]).await, follows, "the operator is no inviter");
        let code = find(&server).await;
        assert_eq!((code.used, code.uses), (3, 3));
        assert_eq!(request_link(&server, "late").await.error_code(400), "invalid");
        let revoke = RevokeCodes { codes: vec![CODE.to_owned()], now: server.state.now() };
        assert_eq!(server.state.db.write(revoke).await.unwrap(), [RevokeOutcome::Used]);
    }

    /// proves: group-revoke
    async fn a_revoked_code_admits_no_one_else(server) {
        issue(&server, 3).await;
        let ada = server.member_with("ada", CODE).await;
        assert_eq!(ada.me().await["invitedBy"], Value::Null);
        let browser = server.visitor();
        let link = server.request_sign_up_link(&browser, "bob", CODE).await;
        let revoke = RevokeCodes { codes: vec![CODE.to_owned()], now: server.state.now() };
        assert_eq!(server.state.db.write(revoke).await.unwrap(), [RevokeOutcome::Revoked]);
        let code = find(&server).await;
        assert_eq!((code.used, code.uses, code.is_revoked), (1, 3, true));
        assert_eq!(browser.get(&link).await.error_code(409), "invite_gone");
        assert_eq!(request_link(&server, "eve").await.error_code(400), "invalid");
        assert_eq!(ada.me().await["email"], "ada@example.org", "the member stays");
    }

    /// proves: group-mails
    async fn a_code_causes_two_mails_a_day_for_each_use(server) {
        issue(&server, 30).await;
        let names = (0..70).map(|n| format!("s{n}")).collect::<Vec<_>>();
        let responses = join_all(names.iter().map(|name| request_link(&server, name))).await;
        assert!(responses.iter().all(|response| response.status == 200));
        server.wait_for_mail_queue().await;
        assert_eq!(server.mails().len(), 60);
    }
}

on_both_engines! {
    with |options| options.limits = kith::platform::config::Toggle::On;

    /// A group joins from one IP address, within the default limits. `cargo xtask prove group` has 2,000 people.
    /// proves: group-network, limit-group
    async fn a_group_joins_from_one_network(server) {
        let people = rounds();
        issue(&server, i64::try_from(people).unwrap()).await;
        let before = server.count(&MEMBERS, &[]).await;
        let joining = stream::iter(0..people).map(|n| join(&server, n)).buffer_unordered(8);
        let joined = joining.collect::<Vec<_>>().await;
        assert_eq!(joined.len(), people);
        assert_eq!(server.count(&MEMBERS, &[]).await - before, i64::try_from(people).unwrap());
        let code = find(&server).await;
        assert_eq!((code.used, code.uses), (i64::try_from(people).unwrap(), i64::try_from(people).unwrap()));
        // The network's limits are unused: 25 links, and 30 codes that nothing was requested for.
        for n in 0..26 {
            let body = json!({"email": format!("other{n}@example.org"), "inviteCode": server.operator_code().await});
            let response = server.visitor().post(SIGN_UP, body).await;
            assert_eq!(response.status.as_u16(), if n < 25 { 200 } else { 429 }, "{n}");
        }
        for n in 0..31 {
            let response = server.visitor().post("/api/auth/verify-code", json!({"code": "wrong"})).await;
            assert_eq!(response.status.as_u16(), if n < 30 { 422 } else { 429 }, "{n}");
        }
        println!("{people} people joined with one code from one IP address");
    }
}

on_both_engines! {
    with |options| {
        options.limits = kith::platform::config::Toggle::On;
        // No bucket refills during the test.
        options.rate_limit_overrides = "group=3/30d";
    };

    /// proves: limit-group
    async fn a_network_has_a_limit_for_groups_too(server) {
        issue(&server, 100).await;
        for n in 0..4 {
            let response = request_link(&server, &format!("g{n}")).await;
            assert_eq!(response.status.as_u16(), if n < 3 { 200 } else { 429 }, "{n}");
        }
    }
}
