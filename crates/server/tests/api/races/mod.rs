//! Many at once: exactly as many rows as there should be, and counters that say so.

mod admins;
mod deleting;
mod faults;
mod joining;
mod keeping_away;
mod reactions;
mod reading;
mod writing;

use crate::harness::Answer;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

/// Waits for all of them.
async fn all(mut tasks: JoinSet<Answer>) -> Vec<Answer> {
    let mut answers = Vec::new();
    while let Some(answer) = tasks.join_next().await {
        answers.push(answer.unwrap());
    }
    answers
}

/// How many answered each status.
fn statuses(answers: &[Answer]) -> BTreeMap<u16, usize> {
    let mut counted = BTreeMap::new();
    for answer in answers {
        *counted.entry(answer.status.as_u16()).or_default() += 1;
    }
    counted
}
