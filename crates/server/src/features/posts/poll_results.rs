//! Poll results as a viewer sees them.

use crate::features::posts::dto::ViewerState;
use crate::platform::ids::Id;

/// Maximum voters listed per option.
const MAX_LISTED_VOTERS: usize = 100;

/// Returns the number of voters listed for an option with `votes` votes.
pub(super) fn count_listed(votes: i64) -> usize {
    usize::try_from(votes).unwrap_or(0).min(MAX_LISTED_VOTERS)
}

impl ViewerState<'_> {
    /// Adds poll results, given the votes for each option and the index of the viewer's option. Voters are
    /// anonymous, except the viewer.
    pub(super) fn add_poll(
        &mut self,
        options: &[String],
        votes: &[i64],
        own_choice: Option<i64>,
        viewer: Id,
    ) {
        for ((choice, option), &votes) in (0_i64..).zip(options).zip(votes) {
            let is_own = own_choice == Some(choice);
            let others = usize::try_from(votes - i64::from(is_own))
                .unwrap_or(0)
                .min(MAX_LISTED_VOTERS - usize::from(is_own));
            let mut voters = (1..=others).map(|n| format!("voter-{n}")).collect::<Vec<_>>();
            if is_own {
                voters.push(viewer.0.to_string());
                self.poll_my_vote = Some(option.clone());
            }
            self.poll_votes.insert(option.clone(), voters);
            self.poll_tallies.insert(option.clone(), votes);
        }
    }
}
