//! Account deletion: requested by the member, cancelable within 7 days, then done by a worker.
//!
//! The worker erases rows in small transactions, so that it does not block other writes and can resume after a crash.
//! Each feature erases its own rows.

mod routes;
mod steps;
mod store;
mod worker;

pub(crate) use routes::render_mail;
pub use routes::{
    __path_delete_account, __path_keep_account, Deletion, delete_account, keep_account,
};
pub use store::{RequestDeletion, ScheduledDeletion, cancel_unless_started};
pub(crate) use store::{find_delete_at, has_other_admins, in_progress_error, pause, resume};
pub use worker::{delete_due, delete_if_due, run_worker};
