//! Marking notifications as read.

use crate::app::App;
use crate::clock::Millis;
use crate::error::{ApiError, Result};
use crate::extract::Path;
use crate::ids::Id;
use crate::session::Session;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::{Row, Sql, SqlIn, Tx, params, sql, sql_in};

const EXISTS: Sql = sql!("select id from notifications where member_id = $1 and id = $2");
const READ: Sql = sql!(
    "update notifications set read_at = $3 where member_id = $1 and id = $2 and read_at is null"
);
/// Rows that one write marks, so that other writes do not wait for it.
const ROWS: usize = 500;
const NEWEST: Sql =
    sql!("select id from notifications where member_id = $1 order by id desc limit 1");
/// In the order of the index of what is unread. What is marked leaves it, but PostgreSQL passes over it for
/// a while: whoever goes on from the last actor does not.
const UNREAD: Sql = sql!(
    "select id, actor_id from notifications where member_id = $1 and read_at is null and id <= $2
       and actor_id >= $3 order by actor_id limit 500"
);
/// By the ids alone: each leads to its row, however many are unread.
static READ_SOME: SqlIn = sql_in!(
    "update notifications set read_at = $2 where member_id = $1 and id in ($ids) returning id"
);

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
            id,
            now: app.now(),
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Marks all of my notifications as read.
#[utoipa::path(put, path = "/api/notifications/read-all", operation_id = "readAllNotifications", tag = "notifications",
    responses((status = 204, description = "Read")))]
pub async fn read_all(State(app): State<App>, session: Session) -> Result<StatusCode> {
    let (member, now) = (session.member, app.now());
    // What comes meanwhile stays unread, or there might be no end.
    let newest = app
        .db
        .opt(&NEWEST, params![member.0], |row| row.int(0))
        .await?;
    let mut next = Some(Id::NONE.0);
    while let (Some(newest), Some(from)) = (newest, next) {
        let some = ReadSome {
            member,
            newest,
            from,
            now,
        };
        next = app.db.write(some).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// There is no such notification of this member.
pub(crate) fn unknown() -> ApiError {
    ApiError::not_found("notification_not_found", "There is no such notification.")
}

struct Read {
    member: Id,
    id: Id,
    now: Millis,
}

impl kith_db::Write for Read {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let mine = tx
            .opt(&EXISTS, params![self.member.0, self.id.0], |_| Ok(()))
            .await?;
        mine.ok_or_else(unknown)?;
        tx.exec(&READ, params![self.member.0, self.id.0, self.now])
            .await?;
        Ok(())
    }
}

/// Marks some of what a member was told up to the newest, from an actor on; answers from which to go on.
struct ReadSome {
    member: Id,
    newest: i64,
    from: i64,
    now: Millis,
}

impl kith_db::Write for ReadSome {
    type Out = Option<i64>;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Option<i64>> {
        let bound = params![self.member.0, self.newest, self.from];
        let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?));
        let unread = tx.all(&UNREAD, bound, read).await?;
        let ids = unread.iter().map(|(id, _)| *id).collect::<Vec<_>>();
        tx.all_in(&READ_SOME, params![self.member.0, self.now], &ids, |_| {
            Ok(())
        })
        .await?;
        let last = unread.last().filter(|_| unread.len() == ROWS);
        Ok(last.map(|(_, actor)| *actor))
    }
}
