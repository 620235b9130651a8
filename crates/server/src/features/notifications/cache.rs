//! Cache of the first page of each member's notifications, as serialised JSON.
//!
//! Clients poll this page. Changes to the member's notifications, blocks and mutes, to suspensions, to the
//! actors' profiles and to the posts on the page invalidate it.

use crate::features::notifications::NotificationsState;
use crate::features::notifications::list::{NotificationFilter, load_notifications, load_rows};
use crate::features::notifications::state::CachedFirstPage;
use crate::features::relationships::HiddenMembers;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Page;
use crate::platform::cache::{CacheTag, VersionSlot};
use crate::platform::ids::Id;
use kith_db::{Error, Reader};
use std::sync::Arc;

/// Returns a member's first page from the cache, or loads and caches it.
pub(super) async fn load_first_page(
    state: &NotificationsState,
    db: &Reader<'_>,
    member: Id,
    page: Page,
) -> Result<Arc<CachedFirstPage>> {
    let first_page = state.first_pages.get(&member.0);
    if let Some(first_page) = first_page.filter(|first_page| first_page.limit == page.limit) {
        return Ok(first_page);
    }
    let mut slots = vec![
        VersionSlot::new(CacheTag::Notifications, member.0),
        VersionSlot::new(CacheTag::BlocksAndMutes, member.0),
        VersionSlot::new(CacheTag::Suspended, 0),
    ];
    let version = state.versions.current_version(&slots);
    let hidden = HiddenMembers::load_cached(&state.relationships.visibility, db, member).await?;
    let (rows, next) = load_rows(db, &hidden, member, NotificationFilter::All, page).await?;
    // The rows determine the actors and posts to depend on. Take their cache version before loading them.
    let actors = rows.iter().map(|row| VersionSlot::new(CacheTag::Member, row.actor));
    let posts = rows.iter().filter_map(|row| row.post);
    let dependencies = actors.chain(posts.map(|post| VersionSlot::new(CacheTag::Post, post)));
    let mut dependencies = dependencies.collect::<Vec<_>>();
    dependencies.sort_unstable();
    dependencies.dedup();
    let version = version.and(state.versions.current_version(&dependencies));
    slots.extend(dependencies);
    let notifications = load_notifications(db, rows).await?;
    let to_error = |_| ApiError::from(Error::Decode("a notification has an unknown shape".into()));
    let mut json = serde_json::to_vec(&notifications).map_err(to_error)?;
    json.shrink_to_fit();
    slots.shrink_to_fit();
    let first_page = Arc::new(CachedFirstPage { limit: page.limit, json, next, slots });
    state.first_pages.put(member.0, version, &first_page);
    Ok(first_page)
}
