//! Mail: written to the outbox with the deed that causes it, sent by a worker.

mod account;
mod bounded_stream;
mod letter;
mod outbox;
mod plain;
mod purpose;
mod relay;
mod transport;
mod worker;

pub use account::{leaving_letter, new_address_letter, old_address_letter};
pub use letter::{Letter, login_letter};
pub use outbox::{Job, enqueue, is_full, waiting};
pub use plain::{invite_letter, test_letter};
pub use transport::{Failure, Transport, purge_files};
pub use worker::{Written, run};
