//! Concurrent requests: exactly the expected rows, and counters that agree.

mod admins;
mod deleting;
mod faults;
mod joining;
mod keeping_away;
mod reactions;
mod reading;
mod writing;

use crate::harness::TestResponse;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

/// Waits for all requests and returns their responses.
async fn join_all_responses(mut tasks: JoinSet<TestResponse>) -> Vec<TestResponse> {
    let mut responses = Vec::new();
    while let Some(response) = tasks.join_next().await {
        responses.push(response.unwrap());
    }
    responses
}

/// Counts the responses per status.
fn statuses(responses: &[TestResponse]) -> BTreeMap<u16, usize> {
    let mut counted = BTreeMap::new();
    for response in responses {
        *counted.entry(response.status.as_u16()).or_default() += 1;
    }
    counted
}
