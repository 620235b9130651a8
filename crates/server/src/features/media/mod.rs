//! Images: from the file that a member sends to the addresses that pages show.
//!
//! A browser asks for an address (`upload`) and sends its file there (`receive`), or to an S3
//! store. When a post or a profile names the file, it is decoded, made anew in a few sizes
//! (`develop`) and kept under its content's hash; what was sent is never served. `serve` answers
//! the images, `sweep` deletes what nothing shows.

mod active_uploads;
mod consistency;
mod create_upload;
mod dto;
mod erase;
mod errors;
mod gc;
mod keys;
mod prepare;
mod process;
mod receive_upload;
mod serve;
mod state;
mod store;
mod worker;
mod worker_pool;

pub use kith_images::Preset;

pub use active_uploads::Arrivals;
pub use consistency::{Stock, Uses, shows_any, take_stock};
pub use create_upload::{__path_cancel, __path_upload, cancel, upload};
pub use dto::{Image, Stored};
pub use erase::leave;
use errors::not_uploaded;
pub(crate) use errors::{bad_image, not_an_image, not_mine};
pub use gc::{run as run_sweeper, sweep};
pub use keys::kept_at;
pub use prepare::{__path_prepare, PreparedImage, prepare};
pub use process::develop;
pub use receive_upload::{__path_receive, receive};
pub use serve::serve;
pub use state::MediaState;
pub(crate) use store::number;
pub use store::{AFTER_DELETION, AFTER_USE, hold, let_go, release, show};
pub use worker::examine as examine_worker;
pub use worker_pool::Darkroom;
