//! Notifications of a member about actions of other members.

mod cache;
mod delete_for_post;
mod erase;
mod kind;
mod list;
mod mark_read;
mod muted_conversations;
mod quiet_hours;
mod routes;
mod settings;
mod state;
mod store;
mod unread_summary;

pub use delete_for_post::{delete_for_post, delete_for_post_in_steps};
pub use erase::{delete_rows, erase_received, list_by_actor};
pub use kind::NotificationKind;
pub use list::{
    Notification, NotificationFilter, NotificationPost, load_page, load_unread_to_push,
};
pub(crate) use mark_read::notification_not_found;
pub use mark_read::{
    __path_read_all_notifications, __path_read_notification, __path_read_notifications,
    ReadRequest, read_all_notifications, read_notification, read_notifications,
};
pub use muted_conversations::{
    is_conversation_muted, list_muted_conversations, mute_conversation, unmute_conversation,
};
pub use quiet_hours::{
    __path_delete_quiet_hours, __path_set_quiet_hours, delete_quiet_hours, find_quiet_until,
    set_quiet_hours,
};
pub use routes::{__path_list_notifications, NotificationsQuery, list_notifications};
pub use settings::{
    __path_get_notification_settings, __path_update_notification_settings,
    get_notification_settings, load_settings, update_notification_settings,
};
pub use state::{CachedFirstPage, NotificationsState};
pub use store::{NewNotification, count_unread, delete_unread};
pub use unread_summary::{UnreadSummary, load_unread_summary};

use crate::platform::cache::CacheTag;
use kith_db::WatchSpec;

/// Columns whose changes invalidate cached notification pages.
pub const WATCHES: &[WatchSpec] = &[CacheTag::Notifications.watch("notifications", &["member_id"])];
