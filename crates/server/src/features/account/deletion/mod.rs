//! Account deletion: requested by the member, cancelable within 7 days, then done by a worker.
//!
//! The worker erases rows in small transactions, so that it does not block other writes and can resume after a crash.
//! Each feature erases its own rows.

mod routes;
mod steps;
mod store;
mod worker;

pub use routes::{
    __path_delete_account, __path_keep_account, Deletion, delete_account, keep_account,
};
pub(crate) use routes::{deletes_at, render_mail};
pub use store::{RequestDeletion, ScheduledDeletion, cancel_unless_started};
pub(crate) use store::{has_other_admins, in_progress_error, pause, resume};
pub use worker::{delete_due, delete_if_due, run_worker};
