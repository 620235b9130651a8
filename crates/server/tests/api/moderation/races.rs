//! Concurrent moderation.

use super::{actions, decide, first_case, report};
use crate::harness::on_both_engines;
use kith::features::members::Role;
use kith::features::moderation::{self, ChainStatus};
use serde_json::json;
use tokio::task::JoinSet;

on_both_engines! {
    /// One of several concurrent decisions succeeds, the others report a conflict, and one row is logged.
    /// proves: resolve-once, audit-once
    async fn two_moderators_decide_once(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (mia, kim) = (server.with_role("mia", Role::Moderator).await, server.admin("kim").await);
        let post = ada.write("bad").await;
        report(&bob, &post, "spam").await;
        let case = first_case(&kim).await;
        let mut tasks = JoinSet::new();
        for n in 0..6 {
            let (tab, case) = (if n % 2 == 0 { mia.tab() } else { kim.tab() }, case.clone());
            tasks.spawn(async move { decide(&tab, &case, "remove").await.status.as_u16() });
        }
        let mut statuses = tasks.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 409, 409, 409, 409, 409]);
        assert_eq!(actions(&kim).await, ["remove_post"]);
        assert_eq!(ada.me().await["postCount"], 0);
    }

    /// After concurrent reports and decisions every report is in a case, each case has the right count, and the
    /// hash chain is intact.
    /// proves: report-once, audit-chain
    async fn reports_and_decisions_agree(server) {
        let ada = server.member("ada").await;
        let mut friends = Vec::new();
        for n in 0..4 {
            friends.push(server.member(&format!("friend{n}")).await);
        }
        let kim = server.admin("kim").await;
        let post = ada.write("perhaps bad").await;
        report(&friends[0], &post, "spam").await;
        let mut tasks = JoinSet::new();
        for round in 0..4 {
            for friend in &friends {
                let (tab, post) = (friend.tab(), post.clone());
                let body = json!({"postId": post, "reason": if round % 2 == 0 { "spam" } else { "hate" }});
                tasks.spawn(async move { tab.post("/api/reports", body).await.status.as_u16() });
            }
            let tab = kim.tab();
            let case = first_case(&kim).await;
            tasks.spawn(async move { decide(&tab, &case, "dismiss").await.status.as_u16() });
            let statuses = tasks.join_all().await;
            assert!(statuses.iter().all(|status| [200, 204].contains(status)), "{statuses:?}");
            tasks = JoinSet::new();
            report(&friends[0], &post, "spam").await;
        }
        for state in ["open", "resolved"] {
            let cases = kim.get(&format!("/api/admin/reports?state={state}")).await.expect(200);
            for case in cases.as_array().unwrap() {
                let counted = case["reasons"].as_array().unwrap().iter();
                let counted = counted.map(|one| one["count"].as_i64().unwrap()).sum::<i64>();
                assert_eq!(case["reportCount"], counted, "{case}");
            }
        }
        let proof = moderation::verify_audit_log(&server.state.db.reader()).await.unwrap();
        assert!(matches!(proof, ChainStatus::Intact { .. }), "{proof:?}");
    }
}
