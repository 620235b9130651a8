//! Email changes: requested in a session, confirmed from both mailboxes.
//!
//! The email changes once the links sent to the new and to the old email are both confirmed. The old mailbox also
//! gets a link that cancels the change, or reverts it within 7 days.

mod confirm;
mod emails;
mod operator_set;
mod request;
mod store;
mod tokens;

pub use confirm::{
    __path_confirm_email, __path_confirm_email_code, __path_get_email_link, confirm_email,
    confirm_email_code, get_email_link,
};
pub(crate) use emails::{load_new_email, record_mail, render_mail};
pub use operator_set::{SetEmail, SetEmailOutcome};
pub use request::{
    __path_cancel_email_change, __path_request_email_change, PendingEmail, cancel_email_change,
    request_email_change,
};
pub use store::list_email_changes;
pub(in crate::features::auth) use store::{cancel_pending, delete_all_pending};
pub(crate) use store::{delete_by_member, find_pending, purge};
