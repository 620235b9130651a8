//! Those who run the network leave it, all at the same moment.

use super::{all, statuses};
use crate::harness::on_both_engines;
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const PATH: &str = "/api/account/deletion";

on_both_engines! {
    with |options| if !options.database_url.is_empty() {
        // So that writes which wait for each other do so for longer than a call may take.
        options.database_url.push_str("?options=-c%20deadlock_timeout%3D1h");
    };

    /// They come one after the other, and none waits for one that waits for them.
    /// proves: leave-admins, leave-last-admin
    async fn admins_who_leave_at_once_take_turns(server) {
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
            let counted = statuses(&all(tasks).await);
            assert_eq!(counted, BTreeMap::from([(200, 4), (409, 1)]), "round {round}");
            for admin in &admins {
                admin.delete(PATH).await.expect(204);
            }
        }
    }
}
