//! Web push: notifies members while Kith is not open.
//!
//! A notification puts its recipient into the `queue`. A few seconds later the `worker` sends one push about everything
//! that is still unread to each subscribed browser, unless an open stream has shown it or it is quiet. Pushes to a
//! member are at least a minute apart.

mod client;
mod message;
mod queue;
mod routes;
mod state;
mod subscriptions;
mod vapid;
mod worker;

pub use queue::{cancel_waiting, enqueue, wants_push};
pub use routes::{
    __path_delete_subscription, __path_get_push, __path_save_subscription, __path_send_test,
    delete_subscription, get_push, save_subscription, send_test,
};
pub use state::PushState;
pub use subscriptions::{PushDevice, erase, list_devices};
pub use worker::{push_due, run_worker};
