//! Images: from the file that a member sends to the addresses that pages show.
//!
//! A browser asks for an address (`upload`) and sends its file there (`receive`), or to an S3
//! store. When a post or a profile names the file, it is decoded, made anew in a few sizes
//! (`develop`) and kept under its content's hash; what was sent is never served. `serve` answers
//! the images, `sweep` deletes what nothing shows.

mod address;
mod arrivals;
mod darkroom;
mod develop;
mod image;
mod leave;
mod prepare;
mod receive;
mod refusals;
mod rows;
mod serve;
mod stocktaking;
mod sweep;
mod upload;
mod worker;

pub use kith_images::Preset;

pub use address::kept_at;
pub use arrivals::{Arrivals, PATIENCE};
pub use darkroom::Darkroom;
pub use develop::develop;
pub use image::{Image, Stored};
pub use leave::leave;
pub use prepare::{__path_prepare, PreparedImage, prepare};
pub use receive::{__path_receive, receive};
use refusals::not_uploaded;
pub(crate) use refusals::{bad_image, not_an_image, not_mine};
pub(crate) use rows::number;
pub use rows::{AFTER_DELETION, AFTER_USE, hold, let_go, release, show};
pub use serve::serve;
pub use stocktaking::{Stock, Uses, shows_any, take_stock};
pub use sweep::{run as run_sweeper, sweep};
pub use upload::{__path_cancel, __path_upload, cancel, upload};
pub use worker::examine as examine_worker;
