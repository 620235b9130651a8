//! Announcement of the operator to all members: a banner in the app, and mails if an admin asks for them.
//!
//! The text is one of the network's settings. A row beside them says how far its mails are queued; the `worker` queues
//! them in batches, and the mail worker renders each (`content`) when it is sent.

mod content;
mod worker;

pub(crate) use content::render_mail;
pub use worker::{enqueue_mails, run_worker};
