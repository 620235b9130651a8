//! Mail: its texts, and how it is sent.

mod account;
mod bounded_stream;
mod invite;
mod login;
mod smtp;
mod transport;
mod written;

pub use account::{leaving_letter, new_address_letter, old_address_letter};
pub use invite::{invite_letter, test_letter};
pub use login::{Letter, login_letter};
pub use transport::{Failure, Transport, purge_files};
pub use written::Written;
