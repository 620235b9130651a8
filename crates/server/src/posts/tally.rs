//! What a reader sees of a poll's votes.

use crate::ids::Id;
use serde::Serialize;
use std::collections::BTreeMap;

/// Voters that are listed for each option.
const VOTERS: usize = 100;

/// What a reader sees of a poll's votes.
#[derive(Debug, Serialize)]
pub(super) struct Poll {
    #[serde(rename = "pollVotes")]
    pub(super) votes: BTreeMap<String, Vec<String>>,
    #[serde(rename = "pollTallies")]
    pub(super) tallies: BTreeMap<String, i64>,
    #[serde(rename = "pollMyVote")]
    pub(super) mine: Option<String>,
}

/// How many voters are listed of an option with so many votes.
pub(super) fn listed(votes: i64) -> usize {
    usize::try_from(votes).unwrap_or(0).min(VOTERS)
}

impl Poll {
    /// Voters are counted, not named, except the reader.
    pub(super) fn of(options: &[String], votes: &[i64], mine: Option<i64>, reader: Id) -> Self {
        let mut poll = Self {
            votes: BTreeMap::new(),
            tallies: BTreeMap::new(),
            mine: None,
        };
        for ((choice, option), &votes) in (0_i64..).zip(options).zip(votes) {
            let own = mine == Some(choice);
            let others = usize::try_from(votes - i64::from(own))
                .unwrap_or(0)
                .min(VOTERS - usize::from(own));
            let mut voters = (1..=others)
                .map(|n| format!("voter-{n}"))
                .collect::<Vec<_>>();
            if own {
                voters.push(reader.0.to_string());
                poll.mine = Some(option.clone());
            }
            poll.votes.insert(option.clone(), voters);
            poll.tallies.insert(option.clone(), votes);
        }
        poll
    }
}
