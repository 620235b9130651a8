//! Worker that sends the pushes that are due.

use crate::features::push::client::PushOutcome;
use crate::features::push::queue::{self, DuePush};
use crate::features::push::state::PushState;
use crate::features::push::{message, subscriptions};
use crate::features::relationships::HiddenMembers;
use crate::features::{members, notifications, sessions};
use crate::http::error::Result;
use crate::platform::clock::{HOUR, MINUTE, Millis};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Pushes to this many members are sent at the same time.
const CONCURRENT: usize = 8;
/// Time after which a push is repeated if a push service failed.
const RETRY_INTERVAL: Millis = 5 * MINUTE;
/// Age of a notification at which its push is given up.
const MAX_AGE: Millis = 6 * HOUR;

/// Sends pushes until the process ends. Safe to run on several nodes.
pub async fn run_worker(state: Arc<PushState>) {
    for outcome in [PushOutcome::Sent, PushOutcome::Gone, PushOutcome::Failed] {
        metrics::counter!("kith_pushes_total", "result" => outcome.label()).absolute(0);
    }
    loop {
        if let Err(error) = push_due(&state).await {
            tracing::warn!(error = error.message(), "some pushes could not be sent");
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Sends the pushes that are due.
pub async fn push_due(state: &PushState) -> Result<()> {
    let due = queue::load_due(&state.db.reader(), state.now()).await?;
    let mut result = Ok(());
    for batch in due.chunks(CONCURRENT) {
        for pushed in join_all(batch.iter().map(|push| push_to_member(state, push))).await {
            result = result.and(pushed);
        }
    }
    result
}

/// Sends a push to all browsers of a member, unless another node does, it is quiet, or nothing is unread.
async fn push_to_member(state: &PushState, push: &DuePush) -> Result<()> {
    let (member, now) = (push.member, state.now());
    if !push.claim(&state.db, now).await? {
        return Ok(());
    }
    let db = state.db.reader();
    if let Some(until) = notifications::find_quiet_until(&db, member, now).await? {
        drop(db);
        return Ok(push.delay(&state.db, until).await?);
    }
    let hidden = HiddenMembers::load_cached(&state.relationships.visibility, &db, member).await?;
    let unread = notifications::load_unread_to_push(&db, &hidden, member, push.oldest).await?;
    let language = members::load_language(&db, member).await?.unwrap_or_default();
    let subscribed = subscriptions::load(&db, member).await?;
    drop(db);
    let mut is_complete = true;
    for subscription in subscribed {
        let hash = &subscription.session_hash;
        // A subscription ends with its session.
        let is_current = sessions::is_current(&state.sessions, member, hash).await?;
        let message = message::notification_message(language, &unread, subscription.shows_text);
        let Some(message) = message.filter(|_| is_current) else {
            if !is_current {
                subscriptions::delete(&state.db, member, hash).await?;
            }
            continue;
        };
        let outcome = state.client.send(&subscription, message, now).await;
        metrics::counter!("kith_pushes_total", "result" => outcome.label()).increment(1);
        match outcome {
            PushOutcome::Sent => {}
            PushOutcome::Gone => subscriptions::delete(&state.db, member, hash).await?,
            PushOutcome::Failed => is_complete = false,
        }
    }
    let now = state.now();
    if is_complete || push.oldest.time() + MAX_AGE < now {
        push.finish(&state.db, now).await?;
    } else {
        push.delay(&state.db, now + RETRY_INTERVAL).await?;
    }
    Ok(())
}
