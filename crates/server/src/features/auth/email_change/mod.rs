//! Another mail address for a member: asked for in a session, confirmed from both mailboxes.
//!
//! The address changes once the link to the new address and the link to the old one were both
//! pressed. The old mailbox also gets a link that calls the change off, or takes it back within
//! 7 days.

mod admin_set;
mod confirm;
mod emails;
mod request;
mod store;
mod tokens;

pub use admin_set::{NewAddress, SetEmail};
pub use confirm::{
    __path_confirm_email, __path_confirm_email_code, __path_email_link, confirm_email,
    confirm_email_code, email_link,
};
pub(crate) use emails::{letter, mailed, new_address};
pub use request::{__path_ask_email, __path_cancel_email, PendingEmail, ask_email, cancel_email};
pub use store::changes_of;
pub(in crate::features::auth) use store::{end_pending, forget_waiting};
pub(crate) use store::{forget, pending, purge};
