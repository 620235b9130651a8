//! What others did that a member should know of.

mod leave;
mod list;
mod read;
mod remembered;
mod write;

pub use leave::{delete, leave, told_of};
pub use list::{__path_list, Notification, NotificationKind, NotificationPost, list, page};
pub(crate) use read::unknown;
pub use read::{
    __path_read, __path_read_all, __path_read_some, ReadRequest, read, read_all, read_some,
};
pub use remembered::Told;
pub use write::{Kind, forget_before, forget_post, forget_unread, hears, notify, tell, unread};

use crate::memory::Topic;
use kith_db::WatchSpec;

/// What memory depends on here.
pub const WATCHES: &[WatchSpec] = &[Topic::Told.watch("notifications", &["member_id"])];
