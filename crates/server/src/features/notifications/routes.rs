//! `GET /api/notifications`.

use crate::features::notifications::cache;
use crate::features::notifications::list::{Notification, NotificationFilter, load_page};
use crate::features::notifications::state::NotificationsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{PageQuery, Query};
use crate::http::pagination::ListResponse;
use axum::extract::State;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// Query parameters of the list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NotificationsQuery {
    /// Which notifications to list. Defaults to `all`.
    #[param(inline)]
    pub filter: Option<NotificationFilter>,
}

/// Lists the notifications of the authenticated member, newest first. The id of the last item is the cursor
/// of the next page.
#[utoipa::path(get, path = "/api/notifications", operation_id = "listNotifications", tag = "notifications", params(NotificationsQuery, PageQuery),
    responses((status = 200, body = [Notification], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list_notifications(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
    Query(query): Query<NotificationsQuery>,
    Query(page): Query<PageQuery>,
) -> Result<ListResponse<Notification>> {
    let page = page.page(50)?;
    let db = state.db.reader();
    let filter = query.filter.unwrap_or_default();
    let path = match filter {
        NotificationFilter::All => "/api/notifications?",
        NotificationFilter::Conversation => "/api/notifications?filter=conversation&",
    };
    let is_first = page.offset == 0 && page.before == i64::MAX;
    if filter == NotificationFilter::All && is_first && state.versions.is_current() {
        let first_page = cache::load_first_page(&state, &db, auth.member, page).await?;
        let rows = first_page.json.clone();
        return Ok(ListResponse::from_json(rows, path, page.limit, first_page.next));
    }
    let (notifications, next) = load_page(&db, auth.member, filter, page).await?;
    Ok(ListResponse::new(notifications, path, page.limit, next))
}
