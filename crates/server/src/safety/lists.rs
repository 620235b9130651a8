//! Whom I blocked, and whom I muted.

use crate::app::App;
use crate::error::Result;
use crate::extract::{Page, PageQuery, Query};
use crate::ids::Id;
use crate::listing::{self, Listing};
use crate::safety::Unseen;
use crate::session::Session;
use crate::users::{self, User};
use axum::extract::State;
use kith_db::{Sql, params, sql};

const BLOCKED: Sql = sql!(
    "select blocked_id, id from blocks where member_id = $1 and id < $2 order by id desc limit $3"
);
const MUTED: Sql = sql!(
    "select muted_id, id from mutes where member_id = $1 and id < $2 order by id desc limit $3"
);

/// Whom I blocked, the newest block first.
#[utoipa::path(get, path = "/api/blocks", operation_id = "listBlocked", tag = "safety", params(PageQuery),
    responses((status = 200, body = [User], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn blocked(
    State(app): State<App>,
    session: Session,
    Query(page): Query<PageQuery>,
) -> Result<Listing<User>> {
    list(
        &app,
        session.member,
        page.page(20)?,
        &BLOCKED,
        "/api/blocks?",
    )
    .await
}

/// Whom I muted, the newest mute first.
#[utoipa::path(get, path = "/api/mutes", operation_id = "listMuted", tag = "safety", params(PageQuery),
    responses((status = 200, body = [User], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn muted(
    State(app): State<App>,
    session: Session,
    Query(page): Query<PageQuery>,
) -> Result<Listing<User>> {
    list(&app, session.member, page.page(20)?, &MUTED, "/api/mutes?").await
}

async fn list(app: &App, reader: Id, page: Page, sql: &Sql, path: &str) -> Result<Listing<User>> {
    let db = app.db.reader();
    let unseen = Unseen::of(&db, reader).await?;
    let owner = params![reader.0][0];
    let read = |row: &kith_db::Row<'_>| Ok((row.int(1)?, row.int(0)?));
    let keep = |member: &i64| !unseen.is_suspended(*member);
    let (members, next) = listing::sifted(&db, sql, owner, page, read, keep).await?;
    let users = users::list(&db, reader, &unseen, &members).await?;
    Ok(Listing::new(users, path, page.limit, next))
}
