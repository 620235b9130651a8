//! All admins request deletion at the same moment.

use super::{join_all_responses, statuses};
use crate::harness::on_both_engines;
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const PATH: &str = "/api/account/deletion";

on_both_engines! {
    with |options| if !options.database_url.is_empty() {
        // Disables deadlock detection, so that a deadlock outlasts the request timeout.
        options.database_url.push_str("?options=-c%20deadlock_timeout%3D1h");
    };

    /// Concurrent requests are serialized without a deadlock.
    /// proves: leave-admins, leave-last-admin
    async fn admins_who_leave_concurrently_are_serialized(server) {
        let mut admins = vec![server.founder().await];
        for name in ["ada", "bob", "cat", "dan"] {
            admins.push(server.admin(name).await);
        }
        for round in 0..10 {
            let mut tasks = JoinSet::new();
            for admin in &admins {
                let (tab, body) = (admin.tab(), json!({"username": admin.name().await}));
                tasks.spawn(async move { tab.post(PATH, body).await });
            }
            let counted = statuses(&join_all_responses(tasks).await);
            assert_eq!(counted, BTreeMap::from([(200, 4), (409, 1)]), "round {round}");
            for admin in &admins {
                admin.delete(PATH).await.expect(204);
            }
        }
    }
}
