//! The worker that deletes accounts whose time has come.

use crate::features::account::AccountState;
use crate::features::account::deletion::steps::{Begin, End, Few, KINDS, Untell};
use crate::features::account::deletion::store::{LEASE, Take};
use crate::features::account::export;
use crate::features::notifications;
use crate::http::error::Result;
use crate::platform::ids::Id;
use std::sync::Arc;
use std::time::Duration;

/// The time between two looks.
const PAUSE: Duration = Duration::from_mins(1);

/// Deletes accounts until the process ends.
pub async fn run(app: Arc<AccountState>) {
    loop {
        if work(&app).await.is_err() {
            tracing::warn!("some accounts were not deleted yet");
        }
        app.clock.sleep(PAUSE).await;
    }
}

/// Deletes every account whose time has come. Several nodes may do so concurrently; failures wait for the next look.
pub async fn work(app: &AccountState) -> Result<()> {
    while work_at(app, None).await? {}
    Ok(())
}

/// Deletes one account, if its time has come: who orders that has not ordered to delete the others.
pub async fn work_on(app: &AccountState, member: Id) -> Result<()> {
    work_at(app, Some(member)).await.map(drop)
}

/// Deletes an account whose time has come, unless there is none.
async fn work_at(app: &AccountState, only: Option<Id>) -> Result<bool> {
    let take = Take {
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
    app.db.write(Begin { member, now }).await?;
    loop {
        // A request that was under way may have written behind us: until nothing is found.
        match sweep(app, member).await? {
            None => return Ok(()),
            Some(0) => {}
            Some(_) => continue,
        }
        if !export::forget(app, member).await? {
            // The lease runs out, and the next look tries again.
            return Ok(());
        }
        let now = app.now();
        if app.db.write(End { member, now }).await? {
            break;
        }
    }
    tracing::info!(member = member.0, "an account was deleted");
    Ok(())
}

/// One round over everything; returns how many rows it found, or none when another worker has finished.
async fn sweep(app: &AccountState, member: Id) -> Result<Option<u64>> {
    let mut found = 0;
    for kind in KINDS {
        loop {
            let now = app.now();
            match app.db.write(Few { member, kind, now }).await? {
                None => return Ok(None),
                Some(0) => break,
                Some(rows) => found += rows,
            }
        }
    }
    let (mut after, mut told_at) = (Some((0, 0)), app.now());
    while let Some(place) = after {
        let db = app.db.reader();
        let (rows, next) = notifications::told_of(&db, member, place).await?;
        drop(db);
        (after, found) = (next, found + rows.len() as u64);
        let now = app.now();
        // Many may have been told nothing of this member; the lease must not run out meanwhile.
        if !rows.is_empty() || now > told_at + LEASE / 4 {
            told_at = now;
            app.db.write(Untell { rows, member, now }).await?;
        }
        tokio::task::yield_now().await;
    }
    Ok(Some(found))
}
