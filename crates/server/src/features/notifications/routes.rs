//! `GET /api/notifications`.

use crate::features::notifications::cache;
use crate::features::notifications::list::{Notification, load_page};
use crate::features::notifications::state::NotificationsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{PageQuery, Query};
use crate::http::pagination::Listing;
use axum::extract::State;
use std::sync::Arc;

/// Lists the notifications of the authenticated member, newest first. The id of the last item is the cursor
/// of the next page.
#[utoipa::path(get, path = "/api/notifications", operation_id = "listNotifications", tag = "notifications", params(PageQuery),
    responses((status = 200, body = [Notification], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_notifications(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
    Query(page): Query<PageQuery>,
) -> Result<Listing<Notification>> {
    let page = page.page(50)?;
    let db = state.db.reader();
    let path = "/api/notifications?";
    if page.offset == 0 && page.before == i64::MAX && state.versions.is_current() {
        let first_page = cache::load_first_page(&state, &db, auth.member, page).await?;
        let rows = first_page.json.clone();
        return Ok(Listing::from_json(rows, path, page.limit, first_page.next));
    }
    let (notifications, next) = load_page(&db, auth.member, page).await?;
    Ok(Listing::new(notifications, path, page.limit, next))
}
