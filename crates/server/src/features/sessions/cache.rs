//! Finds the member of a session, from the cache if possible.

use crate::features::sessions::state::{CachedSession, SessionsState};
use crate::features::sessions::store::{FIND, TOUCH_INTERVAL};
use crate::http::error::Result;
use crate::platform::cache::{CacheTag, VersionSlot};
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, WatchSpec, hash_key, params, sql};
use std::sync::Arc;
use std::time::Duration;

/// How long a request waits for the update of `seen_at`.
const TOUCH_TIMEOUT: Duration = Duration::from_secs(1);
const TOUCH: Sql = sql!("update sessions set seen_at = $2 where hash = $1");

/// Row changes that invalidate cached sessions.
pub const WATCHES: &[WatchSpec] = &[CacheTag::Session.watch("sessions", &["hash"])];

/// Returns the session with the hash of its cookie if it has not ended and its member is active.
async fn find_current(
    state: &SessionsState,
    db: &Reader<'_>,
    hash: &str,
) -> Result<Option<Arc<CachedSession>>> {
    let Some(found) = load_session(state, db, hash).await? else {
        return Ok(None);
    };
    let is_active = state.members.active.is_active(db, found.member).await?;
    Ok(Some(found).filter(|found| is_active && !found.has_ended(state.now())))
}

/// Returns whether a member's session has not ended, without marking it as used.
pub(crate) async fn is_current(state: &SessionsState, member: Id, hash: &str) -> Result<bool> {
    let found = find_current(state, &state.db.reader(), hash).await?;
    Ok(found.is_some_and(|found| found.member == member))
}

/// Finds the active member of a session by the hash of its cookie.
pub(crate) async fn find_member(state: &SessionsState, hash: &str) -> Result<Option<Id>> {
    let db = state.db.reader();
    let Some(found) = find_current(state, &db, hash).await? else {
        return Ok(None);
    };
    let (member, now) = (found.member, state.now());
    // The update needs its own connection: holding two can deadlock on the pool.
    drop(db);
    if now >= found.seen_at + TOUCH_INTERVAL {
        // Best effort: a full disk or a slow commit must not log the member out.
        let parameters = params![hash, now];
        let touch = state.db.exec(&TOUCH, parameters);
        if !matches!(tokio::time::timeout(TOUCH_TIMEOUT, touch).await, Ok(Ok(_))) {
            tracing::warn!("a session could not be marked as used");
        }
    }
    Ok(Some(member))
}

async fn load_session(
    state: &SessionsState,
    db: &Reader<'_>,
    hash: &str,
) -> Result<Option<Arc<CachedSession>>> {
    if let Some(found) = state.sessions.get(hash) {
        return Ok(Some(found));
    }
    let slots = [VersionSlot::new(CacheTag::Session, hash_key(hash))];
    let version = state.versions.current_version(&slots);
    let parameters = params![hash];
    let row = db.opt(&FIND, parameters, |row| {
        Ok(CachedSession {
            member: Id(row.int(0)?),
            created_at: row.int(1)?,
            seen_at: row.int(2)?,
            slots,
        })
    });
    let found = row.await?.map(Arc::new);
    if let Some(found) = &found {
        state.sessions.put(hash.to_owned(), version, found);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::watched_columns::unwatched_columns;

    /// Every cached column has a change watch that invalidates the entry.
    /// proves: memory-equal
    #[test]
    fn every_cached_column_is_watched() {
        let (text, tag, table) = (FIND.postgres, CacheTag::Session, "sessions");
        assert_eq!(unwatched_columns(WATCHES, text, tag, table), [""; 0], "{text}");
    }
}
