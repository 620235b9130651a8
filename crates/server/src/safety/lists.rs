//! Whom a member blocked, and whom they muted.

use crate::app::App;
use crate::error::Result;
use crate::extract::{Page, PageQuery, Query};
use crate::ids::Id;
use crate::listing::{self, Listing};
use crate::safety::Unseen;
use crate::session::Session;
use crate::users::{self, User};
use axum::extract::State;
use kith_db::{Reader, Sql, params, sql};

const BLOCKED: Sql = sql!(
    "select blocked_id, id from blocks where member_id = $1 and id < $2 order by id desc limit $3"
);
const MUTED: Sql = sql!(
    "select muted_id, id from mutes where member_id = $1 and id < $2 order by id desc limit $3"
);

/// A list of those whom a member keeps away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// Blocked members.
    Blocked,
    /// Muted members.
    Muted,
}

impl Away {
    const fn sql(self) -> &'static Sql {
        match self {
            Self::Blocked => &BLOCKED,
            Self::Muted => &MUTED,
        }
    }
}

/// Whom a member keeps away, below a place, newest first, each with its place; and where the next page
/// begins.
pub async fn kept_away(
    db: &Reader<'_>,
    member: Id,
    away: Away,
    before: i64,
) -> kith_db::Result<(Vec<(i64, Id)>, Option<i64>)> {
    listing::edges_below(db, away.sql(), member, before).await
}

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
        Away::Blocked,
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
    list(
        &app,
        session.member,
        page.page(20)?,
        Away::Muted,
        "/api/mutes?",
    )
    .await
}

async fn list(app: &App, reader: Id, page: Page, away: Away, path: &str) -> Result<Listing<User>> {
    let db = app.db.reader();
    let unseen = Unseen::of(&db, reader).await?;
    let owner = params![reader.0][0];
    let read = |row: &kith_db::Row<'_>| Ok((row.int(1)?, row.int(0)?));
    let keep = |member: &i64| !unseen.is_suspended(*member);
    let (members, next) = listing::sifted(&db, away.sql(), owner, page, read, keep).await?;
    let users = users::list(app, &db, reader, &unseen, &members).await?;
    Ok(Listing::new(users, path, page.limit, next))
}
