//! Logging in without a password: a link by mail, then a session.
//!
//! `request` takes the wish and answers the same whoever asks; the mail worker
//! looks the account up. `verify` turns a link or its code into a session, and
//! makes the member when an invite says so.

mod email;
mod email_change;
mod emails;
mod erase;
mod errors;
mod login_links;
mod me;
mod operator_login;
mod proof_log;
mod request_link;
mod revoke_all;
mod same_origin;
mod session_routes;
mod sign_up;
mod state;
mod user_agent;
mod verify;
mod verify_code;

pub use email::Email;
pub use email_change::{
    __path_ask_email, __path_cancel_email, __path_confirm_email, __path_confirm_email_code,
    __path_email_link, NewAddress, PendingEmail, SetEmail, ask_email, cancel_email, changes_of,
    confirm_email, confirm_email_code, email_link,
};
pub(crate) use email_change::{
    letter as address_letter, mailed as address_mailed, new_address, pending as pending_change,
    purge as purge_changes,
};
pub use emails::find_by_email;
pub(crate) use erase::{forget_address, leave, leave_links};
pub(crate) use login_links::end_printed;
pub use login_links::{
    FOUNDING, LIFETIME, Link, NewLink, Share, address, find_link, insert_link, is_code_spent,
    mailed, one_time_code, printed_link, purge_links, share, token,
};
pub use me::{__path_logout, __path_me, __path_user, logout, me, user};
pub use operator_login::{SignOut, sign_in_address};
pub use request_link::{
    __path_request_login_link, __path_request_magic_link, request_login_link, request_magic_link,
};
pub use revoke_all::EndEverything;
pub use session_routes::{
    __path_end_all_sessions, __path_end_session, __path_sessions, Device, devices_of,
    end_all_sessions, end_session, sessions,
};
pub use sign_up::provisional_name;
pub use state::AuthState;
pub use verify::{__path_confirm, __path_verify, confirm, verify};
pub use verify_code::{__path_verify_code, verify_code};
