//! Passes committed changes on to the streams that they concern.

use crate::features::events::EventsState;
use crate::features::events::registry::{Change, StreamKey, StreamRegistry};
use crate::platform::cache::CacheTag;
use kith_db::RowChange;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// Marks streams until the server stops. A commit costs one comparison per open stream if it has a post, and a look-up
/// per changed row.
pub async fn run_dispatcher(state: Arc<EventsState>) {
    let mut changes = state.versions.changes();
    // Commits before the subscription went unseen.
    mark_all(&state.registry);
    loop {
        match changes.recv().await {
            Ok(Some(rows)) => rows.iter().for_each(|row| dispatch(&state.registry, row)),
            Ok(None) | Err(RecvError::Lagged(_)) => mark_all(&state.registry),
            Err(RecvError::Closed) => return,
        }
    }
}

fn mark_all(registry: &StreamRegistry) {
    registry.mark_each(Change::Session, |_| true);
    registry.mark_each(Change::Visibility, |_| true);
}

fn dispatch(registry: &StreamRegistry, row: &RowChange) {
    let id = row.row[0].unwrap_or(0);
    let is = |tag: CacheTag| row.topic == tag as u8;
    if is(CacheTag::Session) {
        registry.mark(StreamKey::session(id), Change::Session);
    } else if is(CacheTag::Member) {
        registry.mark(StreamKey::member(id), Change::Session);
    } else if is(CacheTag::Notifications) {
        registry.mark(StreamKey::member(id), Change::Unread);
    } else if is(CacheTag::BlocksAndMutes) {
        registry.mark(StreamKey::member(id), Change::Visibility);
    } else if is(CacheTag::Suspended) {
        registry.mark_each(Change::Visibility, |_| true);
    } else if is(CacheTag::Follows) {
        registry.mark(StreamKey::member(id), Change::Authors);
    } else if is(CacheTag::Post) {
        registry.mark(StreamKey::post(id), Change::Counts(id));
    } else if is(CacheTag::AuthorPosts) {
        registry.mark_each(Change::NewPosts, |stream| stream.counts_posts_of(id));
    }
}
