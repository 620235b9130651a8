//! `/api/notifications/settings`: notification settings of a member.

use crate::features::notifications::quiet_hours::{QuietHours, load_quiet_hours};
use crate::features::notifications::{NotificationKind, NotificationsState};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{digest, members};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, deserialize_object};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

const LOAD: Sql =
    sql!("select kind, notify_from, push from notification_settings where member_id = $1");
const SAVE: Sql = sql!(
    "insert into notification_settings (member_id, kind, notify_from, push) values ($1, $2, $3, $4)
     on conflict (member_id, kind) do update set notify_from = excluded.notify_from, push = excluded.push"
);

/// Members whose actions a member is notified of.
// The database stores the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum NotifyFrom {
    /// All members.
    Everyone = 0,
    /// Members that the member follows.
    Following = 1,
    /// No member.
    None = 2,
}

/// Notification settings of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSettings {
    /// Settings for follows.
    pub follow: KindSettings,
    /// Settings for likes.
    pub like: KindSettings,
    /// Settings for replies.
    pub reply: KindSettings,
    /// Settings for reposts.
    pub repost: KindSettings,
    /// Settings for mentions.
    pub mention: KindSettings,
    /// Times in which nothing is pushed; null if there are none.
    pub quiet_hours: Option<QuietHours>,
    /// Whether the member gets an email about what is waiting, after a week without a visit.
    pub weekly_digest: bool,
}

impl NotificationSettings {
    /// Returns the settings for a type.
    pub(super) fn of(&self, kind: NotificationKind) -> KindSettings {
        match kind {
            NotificationKind::Follow => self.follow,
            NotificationKind::Like => self.like,
            NotificationKind::Reply => self.reply,
            NotificationKind::Repost => self.repost,
            NotificationKind::Mention => self.mention,
        }
    }
}

/// Settings for a type of notifications.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct KindSettings {
    /// Members whose actions the member is notified of.
    pub from: NotifyFrom,
    /// Whether the notifications are pushed to the member's browsers that subscribed.
    pub push: bool,
}

/// The settings to change; absent and null ones remain unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationSettingsUpdate {
    /// Settings for follows.
    #[serde(default, deserialize_with = "deserialize_object")]
    follow: Option<KindSettings>,
    /// Settings for likes.
    #[serde(default, deserialize_with = "deserialize_object")]
    like: Option<KindSettings>,
    /// Settings for replies.
    #[serde(default, deserialize_with = "deserialize_object")]
    reply: Option<KindSettings>,
    /// Settings for reposts.
    #[serde(default, deserialize_with = "deserialize_object")]
    repost: Option<KindSettings>,
    /// Settings for mentions.
    #[serde(default, deserialize_with = "deserialize_object")]
    mention: Option<KindSettings>,
    /// Whether the member gets an email about what is waiting, after a week without a visit.
    weekly_digest: Option<bool>,
}

/// Returns the notification settings of the authenticated member.
#[utoipa::path(get, path = "/api/notifications/settings", operation_id = "getNotificationSettings", tag = "notifications",
    responses((status = 200, body = NotificationSettings)))]
pub async fn get_notification_settings(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
) -> Result<Json<NotificationSettings>> {
    Ok(Json(load_settings(&state.db.reader(), auth.member).await?))
}

/// Changes the notification settings of the authenticated member. Settings that are absent or null remain unchanged,
/// and so do earlier notifications.
#[utoipa::path(put, path = "/api/notifications/settings", operation_id = "updateNotificationSettings", tag = "notifications",
    request_body = NotificationSettingsUpdate, responses((status = 200, body = NotificationSettings)))]
pub async fn update_notification_settings(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
    Body(update): Body<NotificationSettingsUpdate>,
) -> Result<Json<NotificationSettings>> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    let (member, now) = (auth.member, state.now());
    state.db.write(UpdateSettings { member, update, now }).await?;
    Ok(Json(load_settings(&state.db.reader(), member).await?))
}

/// Loads the notification settings of a member.
pub async fn load_settings(db: &Reader<'_>, member: Id) -> kith_db::Result<NotificationSettings> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?, row.opt_int(2)?));
    let stored = db.all(&LOAD, params![member.0], read).await?;
    let settings = |kind: NotificationKind| {
        let saved = stored.iter().find(|(number, ..)| *number == kind as i64);
        let from = match saved.map(|(_, from, _)| *from) {
            Some(1) => NotifyFrom::Following,
            Some(2) => NotifyFrom::None,
            _ => NotifyFrom::Everyone,
        };
        let push = saved.and_then(|(.., push)| *push);
        KindSettings { from, push: push.map_or(kind.is_pushed_by_default(), |push| push == 1) }
    };
    Ok(NotificationSettings {
        follow: settings(NotificationKind::Follow),
        like: settings(NotificationKind::Like),
        reply: settings(NotificationKind::Reply),
        repost: settings(NotificationKind::Repost),
        mention: settings(NotificationKind::Mention),
        quiet_hours: load_quiet_hours(db, member).await?,
        weekly_digest: digest::is_enabled(db, member).await?,
    })
}

struct UpdateSettings {
    member: Id,
    update: NotificationSettingsUpdate,
    now: Millis,
}

impl kith_db::Write for UpdateSettings {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::ensure_active(tx, self.member).await?;
        let update = &self.update;
        for (kind, change) in [
            (NotificationKind::Follow, update.follow),
            (NotificationKind::Like, update.like),
            (NotificationKind::Reply, update.reply),
            (NotificationKind::Repost, update.repost),
            (NotificationKind::Mention, update.mention),
        ] {
            if let Some(KindSettings { from, push }) = change {
                let row = params![self.member.0, kind as i64, from as i64, i64::from(push)];
                tx.exec(&SAVE, row).await?;
            }
        }
        match update.weekly_digest {
            Some(true) => digest::enable(tx, self.member, self.now).await?,
            Some(false) => drop(digest::disable(tx, self.member).await?),
            None => {}
        }
        Ok(())
    }
}
