//! A member's notifications, newest first.

use crate::app::App;
use crate::clock::rfc3339;
use crate::error::Result;
use crate::extract::{Page, PageQuery, Query};
use crate::ids::Id;
use crate::listing::{self, Listing};
use crate::posts;
use crate::safety::Unseen;
use crate::session::Session;
use crate::users::{self, MemberRef};
use axum::extract::State;
use kith_db::{Reader, Row, Sql, params, sql};
use serde::Serialize;
use utoipa::ToSchema;

const LIST: Sql = sql!(
    "select id, kind, actor_id, post_id, read_at from notifications
     where member_id = $1 and id < $2 order by id desc limit $3"
);

/// Something that somebody did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Its id.
    pub id: Id,
    /// What was done.
    #[serde(rename = "type")]
    pub kind: NotificationKind,
    /// Whether the member has seen it.
    pub is_read: bool,
    /// When it was done.
    pub created_at: String,
    /// Who did it.
    pub actor: MemberRef,
    /// The reply or mention itself, or the member's own post that was liked or reposted.
    pub post: Option<NotificationPost>,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotificationKind {
    /// Somebody follows the member.
    Follow,
    /// Somebody likes the member's post.
    Like,
    /// Somebody answered the member's post.
    Reply,
    /// Somebody reposted the member's post.
    Repost,
    /// Somebody named the member.
    Mention,
}

impl NotificationKind {
    const fn stored(number: i64) -> Self {
        match number {
            0 => Self::Follow,
            1 => Self::Like,
            2 => Self::Reply,
            3 => Self::Repost,
            _ => Self::Mention,
        }
    }
}

/// The post that a notification is about.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationPost {
    /// Its id.
    pub id: Id,
    /// Its text.
    pub content: String,
}

/// My notifications, newest first. The id of the last row is the cursor of the next page.
#[utoipa::path(get, path = "/api/notifications", operation_id = "listNotifications", tag = "notifications", params(PageQuery),
    responses((status = 200, body = [Notification], headers(("Link" = String, description = "The next page, when there is one")))))]
pub async fn list(
    State(app): State<App>,
    session: Session,
    Query(wanted): Query<PageQuery>,
) -> Result<Listing<Notification>> {
    let wanted = wanted.page(50)?;
    let db = app.db.reader().await?;
    let (shown, next) = page(&db, session.member, wanted).await?;
    let path = "/api/notifications?";
    Ok(Listing::new(shown, path, wanted.limit, next))
}

/// A page of what a member was told, newest first, and where the next one begins.
pub async fn page(
    db: &Reader<'_>,
    member: Id,
    page: Page,
) -> Result<(Vec<Notification>, Option<i64>)> {
    let unseen = Unseen::of(db, member).await?;
    let owner = params![member.0][0];
    let read = |row: &Row<'_>| {
        let (id, is_read) = (row.int(0)?, row.opt_int(4)?.is_some());
        let stored = (Id(id), row.int(1)?, row.int(2)?, row.int(3)?, is_read);
        Ok((id, stored))
    };
    let keep = |row: &(Id, i64, i64, i64, bool)| !unseen.hides(row.2);
    let (rows, next) = listing::sifted(db, &LIST, owner, page, read, keep).await?;
    let actors = users::refs(db, &rows.iter().map(|row| row.2).collect::<Vec<_>>()).await?;
    let named = rows
        .iter()
        .map(|row| row.3)
        .filter(|post| *post != Id::NONE.0);
    let contents = posts::contents(db, &named.collect::<Vec<_>>()).await?;
    let shown = rows
        .into_iter()
        .filter_map(|(id, kind, actor, post, is_read)| {
            Some(Notification {
                id,
                kind: NotificationKind::stored(kind),
                is_read,
                created_at: rfc3339(id.time()),
                actor: actors.get(&actor)?.clone(),
                post: contents.get(&post).map(|content| NotificationPost {
                    id: Id(post),
                    content: content.clone(),
                }),
            })
        });
    Ok((shown.collect(), next))
}
