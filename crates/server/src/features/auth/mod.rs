//! Passwordless login: a mailed link or code starts a session.
//!
//! `request_link` stores a request and responds alike for every email, so that responses do not reveal members; the
//! mail worker looks the account up. `verify` and `verify_code` exchange a link or its code for a session, and create
//! the member of a sign-up.

mod email;
mod email_change;
mod emails;
mod erase;
mod errors;
mod group_sign_ups;
mod login_links;
mod me;
mod operator_login;
mod proof_log;
mod request_link;
mod revoke_all;
mod same_origin;
mod session_routes;
mod sign_up;
mod user_agent;
mod verify;
mod verify_code;

pub use email::Email;
pub use email_change::{
    __path_cancel_email_change, __path_confirm_email, __path_confirm_email_code,
    __path_get_email_link, __path_request_email_change, PendingEmail, SetEmail, SetEmailOutcome,
    cancel_email_change, confirm_email, confirm_email_code, get_email_link, list_email_changes,
    request_email_change,
};
pub(crate) use email_change::{
    find_pending as find_pending_email_change, load_new_email, purge as purge_email_changes,
    record_mail as record_email_change_mail, render_mail as render_email_change,
};
pub use emails::find_by_email;
pub(crate) use erase::{erase_credentials, erase_email, erase_login_links};
pub use group_sign_ups::count_invite_mails_left;
pub(crate) use login_links::expire_operator_links;
pub use login_links::{
    FOUNDER_LINK_LIFETIME, LOGIN_LINK_LIFETIME, LoginLink, MailQuota, NewLoginLink,
    find_founder_link, find_login_link, insert_login_link, load_mail_quota, login_code,
    login_token, login_url, purge_login_links, record_login_mail,
};
pub use me::{
    __path_get_current_user, __path_get_me, __path_logout, get_current_user, get_me, logout,
};
pub use operator_login::{RevokeMemberSessions, create_operator_login_url};
pub use request_link::{
    __path_request_login_link, __path_request_magic_link, request_login_link, request_magic_link,
};
pub use revoke_all::RevokeAllCredentials;
pub use session_routes::{
    __path_end_all_sessions, __path_end_session, __path_list_sessions, SessionInfo,
    end_all_sessions, end_session, list_member_sessions, list_sessions,
};
pub use sign_up::provisional_name;
pub use verify::{__path_confirm_link, __path_verify_link, confirm_link, verify_link};
pub use verify_code::{__path_verify_code, verify_code};
