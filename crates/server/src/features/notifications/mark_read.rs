//! `PUT /api/notifications/…`: marks notifications as read.

use crate::features::notifications::NotificationsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Path};
use crate::http::openapi::documented_errors;
use crate::http::pagination;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Row, Sql, SqlIn, Tx, params, sql, sql_in};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

const EXISTS: Sql = sql!("select id from notifications where member_id = $1 and id = $2");
const MARK_READ: Sql = sql!(
    "update notifications set read_at = $3 where member_id = $1 and id = $2 and read_at is null"
);
/// Rows that one transaction marks, so that it does not block other writes for long.
const MAX_BATCH: usize = 500;
const NEWEST: Sql =
    sql!("select id from notifications where member_id = $1 order by id desc limit 1");
/// Follows the partial index of unread rows. PostgreSQL still scans index entries of rows just marked, so
/// each batch continues at the last actor instead of at the start.
const UNREAD: Sql = sql!(
    "select id, actor_id from notifications where member_id = $1 and read_at is null and id <= $2
       and actor_id >= $3 order by actor_id limit 500"
);
/// Updates by primary key, whose cost does not grow with the unread rows. Rows already read keep their time.
static MARK_SOME_READ: SqlIn = sql_in!(
    "update notifications set read_at = coalesce(read_at, $2) where member_id = $1 and id in ($ids)
     returning id"
);

/// The notifications to mark as read.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ReadRequest {
    /// Ids of the notifications. Ids of deleted notifications or of other members' notifications are ignored;
    /// malformed ids are an error.
    #[schema(max_items = 500, example = json!(["1", "2"]))]
    ids: Vec<Id>,
}

/// Builds the error for more ids than one transaction marks.
fn too_many() -> ApiError {
    ApiError::invalid_field("ids", "Mark at most 500 notifications at a time.")
}

documented_errors!(NotRead: too_many(), notification_not_found());

/// Marks a notification of the authenticated member as read. Idempotent.
#[utoipa::path(put, path = "/api/notifications/{id}/read", operation_id = "readNotification", tag = "notifications",
    params(("id" = Id, Path)), responses((status = 204, description = "Marked as read")))]
pub async fn read_notification(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    state.db.write(MarkRead { member: auth.member, id, now: state.now() }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Marks several notifications of the authenticated member as read, such as a group that a client shows as
/// one.
#[utoipa::path(put, path = "/api/notifications/read", operation_id = "readNotifications", tag = "notifications",
    request_body = ReadRequest, responses((status = 204, description = "Marked as read"), NotRead))]
pub async fn read_notifications(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
    Body(body): Body<ReadRequest>,
) -> Result<StatusCode> {
    if body.ids.len() > MAX_BATCH {
        return Err(too_many());
    }
    if body.ids.contains(&Id::NONE) {
        return Err(notification_not_found());
    }
    let ids = body.ids.iter().map(|id| id.0).collect();
    let (member, now) = (auth.member, state.now());
    state.db.write(MarkSomeRead { member, ids, now }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Marks all notifications of the authenticated member as read.
#[utoipa::path(put, path = "/api/notifications/read-all", operation_id = "readAllNotifications", tag = "notifications",
    responses((status = 204, description = "Marked as read")))]
pub async fn read_all_notifications(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    let (member, now) = (auth.member, state.now());
    // Notifications that arrive meanwhile remain unread, or the loop might never end.
    let newest = state.db.opt(&NEWEST, params![member.0], |row| row.int(0)).await?;
    let mut next = Some(Id::NONE.0);
    while let (Some(newest), Some(from)) = (newest, next) {
        let batch = MarkBatchRead { member, newest, from, now };
        next = state.db.write(batch).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Error for a notification that does not exist or belongs to another member.
pub(crate) fn notification_not_found() -> ApiError {
    ApiError::not_found("notification_not_found", "There is no such notification.")
}

struct MarkRead {
    member: Id,
    id: Id,
    now: Millis,
}

impl kith_db::Write for MarkRead {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let found = tx.opt(&EXISTS, params![self.member.0, self.id.0], |_| Ok(())).await?;
        found.ok_or_else(notification_not_found)?;
        tx.exec(&MARK_READ, params![self.member.0, self.id.0, self.now]).await?;
        Ok(())
    }
}

/// Marks a member's notifications as read by id.
struct MarkSomeRead {
    member: Id,
    ids: Vec<i64>,
    now: Millis,
}

impl kith_db::Write for MarkSomeRead {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let bound = params![self.member.0, self.now];
        tx.all_in(&MARK_SOME_READ, bound, &self.ids, |_| Ok(())).await?;
        Ok(())
    }
}

/// Marks up to [`MAX_BATCH`] of a member's notifications as read, in actor order from `from` and not newer than
/// `newest`. Returns the actor to continue at, `None` when done.
struct MarkBatchRead {
    member: Id,
    newest: i64,
    from: i64,
    now: Millis,
}

impl kith_db::Write for MarkBatchRead {
    type Out = Option<i64>;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Option<i64>> {
        let bound = params![self.member.0, self.newest, self.from];
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let unread = tx.all(&UNREAD, bound, read).await?;
        let ids = unread.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        tx.all_in(&MARK_SOME_READ, params![self.member.0, self.now], &ids, |_| Ok(())).await?;
        Ok(pagination::next_cursor(&unread, MAX_BATCH, |(_, actor)| *actor))
    }
}
