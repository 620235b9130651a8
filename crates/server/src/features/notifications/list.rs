//! Loads a member's notifications, newest first.

use crate::features::members::{self, MemberRef};
use crate::features::notifications::{NotificationKind, settings};
use crate::features::posts;
use crate::features::relationships::HiddenMembers;
use crate::http::error::Result;
use crate::http::extract::Page;
use crate::http::pagination;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use futures_util::try_join;
use kith_db::{Reader, Row, Sql, params, sql};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const LIST: Sql = sql!(
    "select id, kind, actor_id, post_id, read_at from notifications
     where member_id = $1 and id < $2 order by id desc limit $3"
);
const LIST_CONVERSATION: Sql = sql!(
    "select id, kind, actor_id, post_id, read_at from notifications
     where member_id = $1 and kind in (2, 4) and id < $2 order by id desc limit $3"
);

const UNREAD_SINCE: Sql = sql!(
    "select id, kind, actor_id, post_id, read_at from notifications
     where member_id = $1 and id >= $2 and read_at is null order by id desc limit $3"
);
/// Maximum notifications of a push.
const MAX_PUSHED: usize = 50;

/// Which notifications are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotificationFilter {
    /// All notifications.
    #[default]
    All,
    /// Replies and mentions.
    Conversation,
}

/// A notification of an action by another member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// Id of the notification.
    pub id: Id,
    /// Type of the action.
    #[serde(rename = "type")]
    pub kind: NotificationKind,
    /// Whether the notification is marked as read.
    pub is_read: bool,
    /// Time of the action.
    pub created_at: String,
    /// Member who performed the action.
    pub actor: MemberRef,
    /// The reply or mention, or the member's own post that was liked or reposted; null for a follow.
    pub post: Option<NotificationPost>,
}

/// The post that a notification refers to.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotificationPost {
    /// Id of the post.
    pub id: Id,
    /// Text of the post.
    pub content: String,
}

/// Loads a page of a member's notifications, newest first, and the cursor of the next page.
pub async fn load_page(
    db: &Reader<'_>,
    member: Id,
    filter: NotificationFilter,
    page: Page,
) -> Result<(Vec<Notification>, Option<i64>)> {
    let hidden = HiddenMembers::load(db, member).await?;
    let (rows, next) = load_rows(db, &hidden, member, filter, page).await?;
    Ok((load_notifications(db, rows).await?, next))
}

/// A row of `notifications`.
#[derive(Debug)]
pub(super) struct NotificationRow {
    id: Id,
    kind: i64,
    pub(super) actor: i64,
    pub(super) post: Option<i64>,
    is_read: bool,
}

impl NotificationRow {
    /// Returns the type of the notification.
    pub(super) const fn kind(&self) -> NotificationKind {
        NotificationKind::from_stored(self.kind)
    }
}

pub(super) fn read(row: &Row<'_>) -> kith_db::Result<(i64, NotificationRow)> {
    let (id, post) = (row.int(0)?, row.int(3)?);
    let stored = NotificationRow {
        id: Id(id),
        kind: row.int(1)?,
        actor: row.int(2)?,
        post: (post != Id::NONE.0).then_some(post),
        is_read: row.opt_int(4)?.is_some(),
    };
    Ok((id, stored))
}

/// Loads the rows of a page without those by hidden actors, and the cursor of the next page.
pub(super) async fn load_rows(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    member: Id,
    filter: NotificationFilter,
    page: Page,
) -> Result<(Vec<NotificationRow>, Option<i64>)> {
    let sql = match filter {
        NotificationFilter::All => &LIST,
        NotificationFilter::Conversation => &LIST_CONVERSATION,
    };
    let owner = params![member.0][0];
    let keep = |row: &NotificationRow| !hidden.hides_from_lists(row.actor);
    pagination::load_filtered(db, sql, owner, page, read, keep).await
}

/// Loads the unread notifications with ids from `oldest` on that are pushed to a member, newest first, at most
/// [`MAX_PUSHED`].
pub async fn load_unread_to_push(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    member: Id,
    oldest: Id,
) -> kith_db::Result<Vec<Notification>> {
    let rows = db.all(&UNREAD_SINCE, params![member.0, oldest.0, MAX_PUSHED], read).await?;
    let settings = settings::load_settings(db, member).await?;
    let is_pushed = |kind: i64| settings.of(NotificationKind::from_stored(kind)).push;
    let rows = rows.into_iter().map(|(_, row)| row);
    let rows = rows.filter(|row| is_pushed(row.kind) && !hidden.hides_from_lists(row.actor));
    load_notifications(db, rows.collect()).await
}

/// Loads the actors and posts of rows. Skips rows whose actor cannot be shown.
pub(super) async fn load_notifications(
    db: &Reader<'_>,
    rows: Vec<NotificationRow>,
) -> kith_db::Result<Vec<Notification>> {
    let actors = rows.iter().map(|row| row.actor).collect::<Vec<_>>();
    let posts = rows.iter().filter_map(|row| row.post).collect::<Vec<_>>();
    let (actors, contents) =
        try_join!(members::load_refs(db, &actors), posts::load_contents(db, &posts))?;
    let notifications = rows.into_iter().filter_map(|row| {
        let content = row.post.and_then(|post| Some((post, contents.get(&post)?)));
        Some(Notification {
            id: row.id,
            kind: NotificationKind::from_stored(row.kind),
            is_read: row.is_read,
            created_at: rfc3339(row.id.time()),
            actor: actors.get(&row.actor)?.clone(),
            post: content
                .map(|(post, content)| NotificationPost { id: Id(post), content: content.clone() }),
        })
    });
    Ok(notifications.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::watched_columns::unwatched_columns;
    use crate::platform::cache::CacheTag;

    /// Every cached column is watched, so that its changes invalidate the cache.
    /// proves: memory-equal
    #[test]
    fn every_cached_column_is_watched() {
        let (text, tag, table) = (LIST.postgres, CacheTag::Notifications, "notifications");
        assert_eq!(
            unwatched_columns(crate::features::notifications::WATCHES, text, tag, table),
            [""; 0],
            "{text}"
        );
    }
}
