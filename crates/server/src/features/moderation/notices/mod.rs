//! Notices to members about their sanctions, each with at most one objection.
//!
//! A notice is written in the transaction of the sanction (`create`), mailed (`content`), and listed for the member
//! (`routes`). The mail's link (`link`) shows one notice without a session, because a suspended member cannot log in.

mod content;
mod create;
mod dto;
mod erase;
mod link;
mod link_routes;
mod routes;
mod store;

pub(crate) use content::render_mail;
pub use create::NoticeText;
pub(super) use create::{NewNotice, long_message, long_rule};
pub(super) use dto::{ModerationNotice, load_dtos};
pub(super) use erase::erase;
pub use link_routes::{
    __path_get_linked_notice, __path_object_by_link, get_linked_notice, object_by_link,
};
pub use routes::{
    __path_list_notices, __path_object, __path_read_notices, list_notices, object, read_notices,
};
pub(super) use store::{
    NoticeKind, NoticeRow, count_unread, decide, find_by_id, load_open_objections, load_page,
    mark_lifted, mark_restored,
};
