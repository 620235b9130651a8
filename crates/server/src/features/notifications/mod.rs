//! What others did that a member should know of.

mod cache;
mod erase;
mod list;
mod mark_read;
mod routes;
mod state;
mod store;

pub use cache::Told;
pub use erase::{delete, leave, told_of};
pub use list::{Notification, NotificationKind, NotificationPost, page};
pub(crate) use mark_read::unknown;
pub use mark_read::{
    __path_read, __path_read_all, __path_read_some, ReadRequest, read, read_all, read_some,
};
pub use routes::{__path_list, list};
pub use state::NotificationsState;
pub use store::{Kind, forget_before, forget_post, forget_unread, hears, notify, tell, unread};

use crate::platform::cache::Topic;
use kith_db::WatchSpec;

/// What memory depends on here.
pub const WATCHES: &[WatchSpec] = &[Topic::Told.watch("notifications", &["member_id"])];
