//! Worker that deletes accounts whose deletion is due.

use crate::features::account::AccountState;
use crate::features::account::deletion::steps::{
    EraseBatch, EraseNotificationsByActor, FinishDeletion, HideMember, STEPS,
};
use crate::features::account::deletion::store::{ClaimDeletion, LEASE};
use crate::features::account::export;
use crate::features::notifications;
use crate::http::error::Result;
use crate::platform::ids::Id;
use std::sync::Arc;
use std::time::Duration;

/// Poll interval.
const POLL_INTERVAL: Duration = Duration::from_mins(1);

/// Polls for due deletions until the process ends.
pub async fn run_worker(state: Arc<AccountState>) {
    loop {
        if delete_due(&state).await.is_err() {
            tracing::warn!("some account deletions failed and will be retried");
        }
        state.clock.sleep(POLL_INTERVAL).await;
    }
}

/// Deletes all accounts that are due. Safe to run on several nodes; failures are retried at the next poll.
pub async fn delete_due(state: &AccountState) -> Result<()> {
    while delete_next(state, None).await? {}
    Ok(())
}

/// Deletes one account if it is due, for an operator's command, which must not delete others.
pub async fn delete_if_due(state: &AccountState, member: Id) -> Result<()> {
    delete_next(state, Some(member)).await.map(drop)
}

/// Claims and deletes a due account; returns whether there was one.
async fn delete_next(state: &AccountState, only: Option<Id>) -> Result<bool> {
    let claim = ClaimDeletion { now: state.now(), only };
    let claimed = state.db.write(claim).await?;
    if let Some(member) = claimed {
        erase_account(state, member).await?;
    }
    Ok(claimed.is_some())
}

async fn erase_account(state: &AccountState, member: Id) -> Result<()> {
    let now = state.now();
    state.db.write(HideMember { member, now }).await?;
    loop {
        // Repeats until a round finds no rows, because concurrent requests may have added some.
        match run_steps(state, member).await? {
            None => return Ok(()),
            Some(0) => {}
            Some(_) => continue,
        }
        if !export::erase_exports(state, member).await? {
            // The next poll after the end of the lease tries again.
            return Ok(());
        }
        let now = state.now();
        if state.db.write(FinishDeletion { member, now }).await? {
            break;
        }
    }
    tracing::info!(member = member.0, "an account was deleted");
    Ok(())
}

/// Runs all steps once. Returns the number of erased rows, or `None` when another worker has finished.
async fn run_steps(state: &AccountState, member: Id) -> Result<Option<u64>> {
    let mut erased = 0;
    for step in STEPS {
        loop {
            let now = state.now();
            match state.db.write(EraseBatch { member, step, now }).await? {
                None => return Ok(None),
                Some(0) => break,
                Some(rows) => erased += rows,
            }
        }
    }
    let (mut after, mut renewed_at) = (Some((0, 0)), state.now());
    while let Some(cursor) = after {
        let db = state.db.reader();
        let (rows, next) = notifications::list_by_actor(&db, member, cursor).await?;
        drop(db);
        (after, erased) = (next, erased + rows.len() as u64);
        let now = state.now();
        // Also renews the lease on pages without rows of this member.
        if !rows.is_empty() || now > renewed_at + LEASE / 4 {
            renewed_at = now;
            state.db.write(EraseNotificationsByActor { rows, member, now }).await?;
        }
        tokio::task::yield_now().await;
    }
    Ok(Some(erased))
}
