//! Leaving Kith: asked for by the member, taken back within 7 days, or done by a worker.
//!
//! The worker works in small steps, each a transaction of its own, so that nobody waits for it and
//! a killed one goes on later. What every feature keeps of a member it deletes by itself.

mod routes;
mod steps;
mod store;
mod worker;

pub use routes::{
    __path_delete_account, __path_keep_account, Deletion, delete_account, keep_account,
};
pub(crate) use routes::{deletes_at, letter};
pub use store::{Asked, Leave, think_better};
pub(crate) use store::{going, has_other_admins, hold_back, let_on};
pub use worker::{run, work, work_on};
