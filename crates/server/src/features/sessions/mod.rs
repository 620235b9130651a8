//! Sessions: the cookie, the table, its cache and the extractor. `auth/session_routes.rs` lists them for the member.

pub mod extract;

mod cache;
mod cookie;
mod ended;
mod state;
mod store;

pub use cache::WATCHES;
pub(crate) use cache::{find_member, is_current};
pub use cookie::{build_cookie, hash_in};
pub use ended::Cause;
pub(crate) use ended::{ended_elsewhere_error, missing_session_error, suspended_error};
pub use state::{CachedSession, SessionsState};
pub use store::{
    EndSession, IDLE_TIMEOUT, MAX_AGE, MAX_PER_MEMBER, NewSession, SessionRow, end_all,
    end_all_members, end_others, end_session, erase_all, list_for_member, lock_session, log_out,
    purge_sessions, session_exists, start_session, started_at, was_here_since,
};
