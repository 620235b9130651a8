//! Weekly digest: a mail to members who were not here for a week while something was waiting for them.
//!
//! Each member who wants digests has a row with the time of the next one (`store`). The `worker` queues a mail job for
//! the members who are due and were away; the mail worker renders it (`content`) when it is sent.

mod content;
mod store;
mod unsubscribe;
mod worker;

pub(crate) use content::render_mail;
pub use store::{disable, enable, is_enabled, record_bounce, record_sent};
pub use unsubscribe::{
    __path_open_unsubscribe, __path_unsubscribe, open_unsubscribe, unsubscribe, unsubscribe_url,
};
pub use worker::{enqueue_due, run_worker};

use crate::platform::clock::{DAY, Millis};

/// Time between two digests to a member, and how long a member must be away to get one.
const WEEK: Millis = 7 * DAY;
