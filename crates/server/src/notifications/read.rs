//! Marking notifications as read.

use crate::app::App;
use crate::clock::Millis;
use crate::error::{ApiError, Result};
use crate::extract::Path;
use crate::ids::Id;
use crate::session::Session;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Sql, Tx, params, sql};

const EXISTS: Sql = sql!("select id from notifications where member_id = $1 and id = $2");
const READ: Sql = sql!(
    "update notifications set read_at = $3 where member_id = $1 and id = $2 and read_at is null"
);
const READ_ALL: Sql =
    sql!("update notifications set read_at = $2 where member_id = $1 and read_at is null");

/// Marks one of my notifications as read. It is the same for one that was read before.
#[utoipa::path(put, path = "/api/notifications/{id}/read", operation_id = "readNotification", tag = "notifications",
    params(("id" = Id, Path)), responses((status = 204, description = "Read")))]
pub async fn read(
    State(app): State<App>,
    session: Session,
    Path(id): Path<Id>,
) -> Result<StatusCode> {
    app.db
        .write(Read {
            member: session.member,
            only: Some(id),
            now: app.now(),
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Marks all of my notifications as read.
#[utoipa::path(put, path = "/api/notifications/read-all", operation_id = "readAllNotifications", tag = "notifications",
    responses((status = 204, description = "Read")))]
pub async fn read_all(State(app): State<App>, session: Session) -> Result<StatusCode> {
    app.db
        .write(Read {
            member: session.member,
            only: None,
            now: app.now(),
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// There is no such notification of this member.
pub(crate) fn unknown() -> ApiError {
    ApiError::not_found("notification_not_found", "There is no such notification.")
}

struct Read {
    member: Id,
    only: Option<Id>,
    now: Millis,
}

impl kith_db::Write for Read {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let Some(id) = self.only else {
            tx.exec(&READ_ALL, params![self.member.0, self.now]).await?;
            return Ok(());
        };
        let mine = tx
            .opt(&EXISTS, params![self.member.0, id.0], |_| Ok(()))
            .await?;
        mine.ok_or_else(unknown)?;
        tx.exec(&READ, params![self.member.0, id.0, self.now])
            .await?;
        Ok(())
    }
}
