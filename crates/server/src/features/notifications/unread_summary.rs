//! Summary of a member's unread notifications for the weekly digest.

use crate::features::notifications::NotificationKind;
use crate::features::notifications::list::{
    Notification, NotificationRow, load_notifications, read,
};
use crate::features::notifications::settings::{self, NotifyFrom};
use crate::features::relationships::HiddenMembers;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, params, sql};

/// Maximum replies and mentions that are loaded with their texts.
const MAX_NEWEST: usize = 5;
/// Maximum rows that are counted, of replies and mentions and of the other types each.
const MAX_COUNTED: usize = 200;

// Separate statements, so that the likes of a popular post do not hide replies.
const CONVERSATION: Sql = sql!(
    "select id, kind, actor_id, post_id, read_at from notifications
     where member_id = $1 and kind in (2, 4) and id >= $2 and read_at is null
     order by id desc limit $3"
);
const OTHERS: Sql = sql!(
    "select id, kind, actor_id, post_id, read_at from notifications
     where member_id = $1 and kind in (0, 1, 3) and id >= $2 and read_at is null
     order by id desc limit $3"
);

/// Unread notifications of members that are not hidden, of the types that the member is notified of.
#[derive(Debug)]
pub struct UnreadSummary {
    /// The newest replies and mentions.
    pub newest: Vec<Notification>,
    /// Number of older replies and mentions.
    pub further: usize,
    /// Number of follows.
    pub follows: usize,
    /// Number of likes.
    pub likes: usize,
    /// Number of reposts.
    pub reposts: usize,
}

/// Summarizes a member's unread notifications since a time.
pub async fn load_unread_summary(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    member: Id,
    since: Millis,
) -> kith_db::Result<UnreadSummary> {
    let settings = settings::load_settings(db, member).await?;
    let is_shown = |row: &NotificationRow| {
        settings.of(row.kind()).from != NotifyFrom::None && !hidden.hides_from_lists(row.actor)
    };
    let bound = params![member.0, Id::first_at(since), MAX_COUNTED];
    let conversation = db.all(&CONVERSATION, bound, read).await?.into_iter().map(|(_, row)| row);
    let mut newest = conversation.filter(is_shown).collect::<Vec<_>>();
    let further = newest.len().saturating_sub(MAX_NEWEST);
    newest.truncate(MAX_NEWEST);
    let others = db.all(&OTHERS, bound, read).await?.into_iter().map(|(_, row)| row);
    let others = others.filter(is_shown).collect::<Vec<_>>();
    let count = |kind| others.iter().filter(|row| row.kind() == kind).count();
    Ok(UnreadSummary {
        newest: load_notifications(db, newest).await?,
        further,
        follows: count(NotificationKind::Follow),
        likes: count(NotificationKind::Like),
        reposts: count(NotificationKind::Repost),
    })
}
