//! Concurrent use of invite codes, login links and quotas.

use super::{join_all_responses, statuses};
use crate::harness::{Server, on_both_engines};
use kith_db::{Sql, sql};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const MEMBERS: Sql = sql!("select count(*) from members");
const EMAILS: Sql = sql!("select count(*) from emails");
const SESSIONS: Sql = sql!("select count(*) from sessions");
const CODES: Sql = sql!("select count(*) from member_invites where member_id <> 0");

/// Returns the number of invite codes to race for.
fn rounds() -> u32 {
    let given = std::env::var("KITH_RACE_ROUNDS").ok();
    given.map_or(1, |text| text.parse().unwrap())
}

/// Opens 50 sign-up links for one invite code concurrently.
async fn race_for_a_code(server: &Server, round: u32) {
    let inviter = server.member(&format!("inviter{round}")).await;
    let invite = inviter.post_empty("/api/invites").await.expect(201);
    let code = invite["code"].as_str().unwrap();
    let mut links = Vec::new();
    for n in 0..50 {
        let browser = server.visitor();
        let name = format!("s{round}x{n}");
        let link = server.request_sign_up_link(&browser, &name, code).await;
        links.push((browser, link));
    }
    let before = (server.count(&MEMBERS, &[]).await, server.count(&EMAILS, &[]).await);
    let mut tasks = JoinSet::new();
    for (browser, link) in links {
        tasks.spawn(async move { browser.get(&link).await });
    }
    let responses = join_all_responses(tasks).await;
    assert_eq!(statuses(&responses), BTreeMap::from([(200, 1), (409, 49)]), "round {round}");
    for loser in responses.iter().filter(|one| one.status.as_u16() == 409) {
        assert_eq!(loser.error_code(409), "invite_gone");
    }
    let after = (server.count(&MEMBERS, &[]).await, server.count(&EMAILS, &[]).await);
    assert_eq!(after, (before.0 + 1, before.1 + 1));
    let me = inviter.me().await;
    let friends = (me["followerCount"].as_i64(), me["followingCount"].as_i64());
    assert_eq!(friends, (Some(1), Some(1)));
    let mine = inviter.get("/api/invites").await.expect(200);
    assert_eq!(mine[0]["isUsed"], true);
}

on_both_engines! {
    /// Of 50 strangers with one invite code one joins, and the others get an error. `cargo xtask
    /// invite-race` runs it with many codes.
    /// proves: join-claim
    async fn one_code_makes_one_member(server) {
        for round in 1..=rounds() {
            race_for_a_code(&server, round).await;
        }
        println!("{} codes, 50 concurrent sign-ups each: one member each", rounds());
    }

    /// One link opened 20 times concurrently makes one member and one session.
    /// proves: link-replay
    async fn one_link_makes_one_session(server) {
        let browser = server.visitor();
        let link = server.request_sign_up_link(&browser, "ada", &server.founder_code()).await;
        let mut tasks = JoinSet::new();
        for _ in 0..20 {
            let (tab, link) = (browser.tab(), link.clone());
            tasks.spawn(async move { tab.get(&link).await });
        }
        let responses = join_all_responses(tasks).await;
        assert_eq!(statuses(&responses), BTreeMap::from([(200, 20)]));
        assert_eq!(server.count(&MEMBERS, &[]).await, 2);
        assert_eq!(server.count(&SESSIONS, &[]).await, 1);
    }

    /// Of 40 concurrent wrong emails five are reported as wrong; the others find the link revoked.
    /// proves: link-five-tries
    async fn concurrent_attempts_are_counted_exactly(server) {
        let link = server.request_sign_up_link(&server.visitor(), "ada", &server.founder_code()).await;
        let token = link.split(['=', '&']).nth(1).unwrap().to_owned();
        let mut tasks = JoinSet::new();
        for n in 0..40 {
            let browser = server.visitor();
            let body = json!({"token": token, "email": format!("guess{n}@example.org")});
            tasks.spawn(async move { browser.post("/api/auth/verify", body).await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(410, 35), (422, 5)]));
    }

    /// Of 50 concurrent requests with a quota of three, three create a code.
    /// proves: invite-quota
    async fn a_quota_is_not_overdrawn(server) {
        let ada = server.member("ada").await;
        let before = server.count(&CODES, &[]).await;
        let mut tasks = JoinSet::new();
        for _ in 0..50 {
            let tab = ada.tab();
            tasks.spawn(async move { tab.post_empty("/api/invites").await });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(201, 3), (409, 47)]));
        assert_eq!(server.count(&CODES, &[]).await, before + 3);
        assert_eq!(ada.me().await["invitesAvailable"], 0);
    }

    /// A code claimed and revoked concurrently is one of the two.
    /// proves: invite-used-or-revoked
    async fn a_code_is_used_or_revoked(server) {
        let ada = server.member("ada").await;
        for n in 0..3 {
            let invite = ada.post_empty("/api/invites").await.expect(201);
            let path = format!("/api/invites/{}", invite["id"].as_str().unwrap());
            let browser = server.visitor();
            let link = server.request_sign_up_link(&browser, &format!("r{n}"), invite["code"].as_str().unwrap()).await;
            let mut tasks = JoinSet::new();
            let tab = ada.tab();
            tasks.spawn(async move { tab.delete(&path).await });
            tasks.spawn(async move { browser.get(&link).await });
            let counted = statuses(&join_all_responses(tasks).await);
            let used = BTreeMap::from([(200, 1), (409, 1)]);
            let revoked = BTreeMap::from([(204, 1), (409, 1)]);
            assert!(counted == used || counted == revoked, "{counted:?}");
            let is_used = ada.get("/api/invites").await.expect(200).as_array().unwrap().iter().any(|listed| listed["id"] == invite["id"]);
            assert_eq!(is_used, counted == used);
        }
    }
}

on_both_engines! {
    with |options| if !options.database_url.is_empty() {
        // Disables deadlock detection, so that a deadlock outlasts the request timeout.
        options.database_url.push_str("?options=-c%20deadlock_timeout%3D1h");
    };

    /// Two sign-up links for one new email, opened concurrently, do not deadlock.
    /// proves: join-two-links
    async fn two_sign_up_links_for_one_email_are_serialized(server) {
        for round in 0..25 {
            let name = format!("two{round}");
            let before = server.count(&EMAILS, &[]).await;
            let mut links = Vec::new();
            for _ in 0..2 {
                let (browser, code) = (server.visitor(), server.operator_code().await);
                let link = server.request_sign_up_link(&browser, &name, &code).await;
                links.push((browser, link));
                server.wait_for_mail_queue().await;
                server.advance_clock(61_000);
            }
            let mut tasks = JoinSet::new();
            for (browser, link) in links {
                tasks.spawn(async move { browser.get(&link).await });
            }
            // The older link is revoked if the newer one is used first.
            let counted = statuses(&join_all_responses(tasks).await);
            let both = BTreeMap::from([(200, 2)]);
            let newer = BTreeMap::from([(200, 1), (410, 1)]);
            assert!(counted == both || counted == newer, "round {round}: {counted:?}");
            assert_eq!(server.count(&EMAILS, &[]).await, before + 1);
        }
    }
}
