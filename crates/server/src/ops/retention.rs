//! Deletes what has expired and is already ignored, to keep tables small and members' data no longer than needed.

use crate::features::{auth, members, posts, sessions, waitlist};
use crate::platform::clock::{DAY, Millis};
use crate::platform::mail;
use crate::state::AppState;
use kith_db::Tx;
use std::time::Duration;

/// The time between two rounds.
const PAUSE: Duration = Duration::from_mins(10);
/// How long a mail lies in the data folder, when there is no mail server.
const MAIL_KEPT: Millis = DAY;
/// Rows that one write deletes, so that other writes do not wait for it.
const BATCH: u32 = 100;

/// Purges now and then until the process ends.
pub async fn run(app: AppState) {
    loop {
        if let Err(error) = purge(&app).await {
            tracing::warn!(%error, "some of what has expired was not deleted");
        }
        app.clock.sleep(PAUSE).await;
    }
}

/// One round. Several nodes may run it concurrently. What fails is left to the next round.
pub async fn purge(app: &AppState) -> kith_db::Result<()> {
    let links = delete(app, What::Links).await;
    let sessions = delete(app, What::Sessions).await;
    let keys = delete(app, What::Keys).await;
    let changes = delete(app, What::Changes).await;
    let names = delete(app, What::SuspendedUsernames).await;
    let votes = delete(app, What::Votes).await;
    let vouches = delete(app, What::Vouches).await;
    let capacity = app.waitlist.capacity.refresh(&app.db).await;
    let until = app.now() - MAIL_KEPT;
    if let Err(error) = mail::purge_files(&app.settings.store.data, until).await {
        tracing::warn!(%error, "some old mails in the outbox were not deleted");
    }
    links
        .and(sessions)
        .and(keys)
        .and(changes)
        .and(names)
        .and(votes)
        .and(vouches)
        .and(capacity)
}

async fn delete(app: &AppState, what: What) -> kith_db::Result<()> {
    let now = app.now();
    while app.db.write(Batch { what, now }).await? >= u64::from(BATCH) {}
    Ok(())
}

#[derive(Debug, Clone, Copy)]
enum What {
    Links,
    Sessions,
    Keys,
    Changes,
    SuspendedUsernames,
    /// In polls that are gone.
    Votes,
    Vouches,
}

struct Batch {
    what: What,
    now: Millis,
}

impl kith_db::Write for Batch {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        match self.what {
            What::Links => auth::purge_login_links(tx, self.now, BATCH).await,
            What::Sessions => sessions::purge(tx, self.now, BATCH).await,
            What::Keys => posts::purge_keys(tx, self.now, BATCH).await,
            What::Changes => auth::purge_email_changes(tx, self.now, BATCH).await,
            What::SuspendedUsernames => members::purge_names(tx, self.now, BATCH).await,
            What::Votes => posts::purge_votes(tx, BATCH).await,
            What::Vouches => waitlist::purge_vouches(tx, self.now, BATCH).await,
        }
    }
}
