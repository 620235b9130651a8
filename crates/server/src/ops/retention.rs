//! Deletes expired rows and files, to keep tables small and members' data no longer than needed.

use crate::features::{auth, members, posts, sessions, waitlist};
use crate::platform::clock::{DAY, Millis};
use crate::platform::{mail, network_limit};
use crate::state::AppState;
use kith_db::Tx;
use std::time::Duration;

/// Time between two rounds.
const INTERVAL: Duration = Duration::from_mins(10);
/// How long emails are kept in the outbox folder when there is no mail server.
const EMAIL_FILE_RETENTION: Millis = DAY;
/// Maximum rows per transaction, so that other writes do not wait long.
const BATCH_SIZE: u32 = 100;

/// Purges expired rows every 10 minutes until the process ends.
pub async fn run_retention(state: AppState) {
    loop {
        if let Err(error) = purge_expired(&state).await {
            tracing::warn!(%error, "some expired rows could not be deleted");
        }
        state.clock.sleep(INTERVAL).await;
    }
}

/// Deletes all expired rows and files once. Nodes may run it concurrently; the next round retries failed deletions.
/// Returns the first error, after all deletions were tried.
pub async fn purge_expired(state: &AppState) -> kith_db::Result<()> {
    let links = delete_all(state, ExpiredRows::LoginLinks).await;
    let sessions = delete_all(state, ExpiredRows::Sessions).await;
    let keys = delete_all(state, ExpiredRows::IdempotencyKeys).await;
    let changes = delete_all(state, ExpiredRows::EmailChanges).await;
    let names = delete_all(state, ExpiredRows::SuspendedUsernames).await;
    let votes = delete_all(state, ExpiredRows::Votes).await;
    let removed = delete_all(state, ExpiredRows::RemovedPosts).await;
    let vouches = delete_all(state, ExpiredRows::Vouches).await;
    let limits = delete_all(state, ExpiredRows::NetworkLimits).await;
    let capacity = state.waitlist.capacity.refresh(&state.db).await;
    let until = state.now() - EMAIL_FILE_RETENTION;
    if let Err(error) = mail::purge_outbox(&state.settings.store.data, until).await {
        tracing::warn!(%error, "some old emails in the outbox folder could not be deleted");
    }
    links
        .and(sessions)
        .and(keys)
        .and(changes)
        .and(names)
        .and(votes)
        .and(removed)
        .and(vouches)
        .and(limits)
        .and(capacity)
}

/// Deletes all expired rows of a kind in batches.
async fn delete_all(state: &AppState, rows: ExpiredRows) -> kith_db::Result<()> {
    let now = state.now();
    while state.db.write(DeleteExpired { rows, now }).await? >= u64::from(BATCH_SIZE) {}
    Ok(())
}

#[derive(Debug, Clone, Copy)]
enum ExpiredRows {
    LoginLinks,
    Sessions,
    IdempotencyKeys,
    EmailChanges,
    SuspendedUsernames,
    /// Votes in deleted polls.
    Votes,
    /// Contents of removed posts that can no longer be restored.
    RemovedPosts,
    Vouches,
    /// Full rate limit buckets.
    NetworkLimits,
}

/// Deletes a batch of expired rows and returns their number.
struct DeleteExpired {
    rows: ExpiredRows,
    now: Millis,
}

impl kith_db::Write for DeleteExpired {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        match self.rows {
            ExpiredRows::LoginLinks => auth::purge_login_links(tx, self.now, BATCH_SIZE).await,
            ExpiredRows::Sessions => sessions::purge_sessions(tx, self.now, BATCH_SIZE).await,
            ExpiredRows::IdempotencyKeys => posts::purge_keys(tx, self.now, BATCH_SIZE).await,
            ExpiredRows::EmailChanges => auth::purge_email_changes(tx, self.now, BATCH_SIZE).await,
            ExpiredRows::SuspendedUsernames => members::purge_names(tx, self.now, BATCH_SIZE).await,
            ExpiredRows::Votes => posts::purge_votes(tx, BATCH_SIZE).await,
            ExpiredRows::RemovedPosts => posts::purge_removed(tx, self.now, BATCH_SIZE).await,
            ExpiredRows::NetworkLimits => network_limit::purge(tx, self.now, BATCH_SIZE).await,
            ExpiredRows::Vouches => waitlist::purge_vouches(tx, self.now, BATCH_SIZE).await,
        }
    }
}
