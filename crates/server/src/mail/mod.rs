//! Mail: written to the outbox with the deed that causes it, sent by a worker.

mod letter;
mod outbox;
mod transport;
mod worker;

pub use letter::{Letter, login_letter};
pub use outbox::{Job, enqueue};
pub use transport::Transport;
pub use worker::run;
