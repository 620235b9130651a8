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
pub async fn run(app: Arc<AccountState>) {
    loop {
        if work(&app).await.is_err() {
            tracing::warn!("some accounts were not deleted yet");
        }
        app.clock.sleep(POLL_INTERVAL).await;
    }
}

/// Deletes all accounts that are due. Safe to run on several nodes; failures are retried at the next poll.
pub async fn work(app: &AccountState) -> Result<()> {
    while work_at(app, None).await? {}
    Ok(())
}

/// Deletes one account if it is due, for an operator's command, which must not delete others.
pub async fn work_on(app: &AccountState, member: Id) -> Result<()> {
    work_at(app, Some(member)).await.map(drop)
}

/// Claims and deletes a due account; returns whether there was one.
async fn work_at(app: &AccountState, only: Option<Id>) -> Result<bool> {
    let take = ClaimDeletion {
        now: app.now(),
        only,
    };
    let taken = app.db.write(take).await?;
    if let Some(member) = taken {
        erase(app, member).await?;
    }
    Ok(taken.is_some())
}

async fn erase(app: &AccountState, member: Id) -> Result<()> {
    let now = app.now();
    app.db.write(HideMember { member, now }).await?;
    loop {
        // Repeats until a round finds no rows, because concurrent requests may have added some.
        match sweep(app, member).await? {
            None => return Ok(()),
            Some(0) => {}
            Some(_) => continue,
        }
        if !export::erase(app, member).await? {
            // The next poll after the end of the lease tries again.
            return Ok(());
        }
        let now = app.now();
        if app.db.write(FinishDeletion { member, now }).await? {
            break;
        }
    }
    tracing::info!(member = member.0, "an account was deleted");
    Ok(())
}

/// Runs all steps once. Returns the number of erased rows, or `None` when another worker has finished.
async fn sweep(app: &AccountState, member: Id) -> Result<Option<u64>> {
    let mut found = 0;
    for kind in STEPS {
        loop {
            let now = app.now();
            match app.db.write(EraseBatch { member, kind, now }).await? {
                None => return Ok(None),
                Some(0) => break,
                Some(rows) => found += rows,
            }
        }
    }
    let (mut after, mut renewed_at) = (Some((0, 0)), app.now());
    while let Some(place) = after {
        let db = app.db.reader();
        let (rows, next) = notifications::list_by_actor(&db, member, place).await?;
        drop(db);
        (after, found) = (next, found + rows.len() as u64);
        let now = app.now();
        // Renews the lease also for pages without rows of this member.
        if !rows.is_empty() || now > renewed_at + LEASE / 4 {
            renewed_at = now;
            app.db
                .write(EraseNotificationsByActor { rows, member, now })
                .await?;
        }
        tokio::task::yield_now().await;
    }
    Ok(Some(found))
}
