//! Uploads and images.
//!
//! A client requests an upload URL (`create_upload`) and sends the file there (`receive_upload`) or to S3.
//! When a post or profile references it, `process` decodes it, encodes renditions and stores them under a
//! keyed hash; the uploaded file is never served. `gc` deletes unreferenced images and old uploads.

mod active_uploads;
mod consistency;
mod create_upload;
mod dto;
mod end_upload;
mod erase;
mod errors;
mod gc;
mod image_workers;
mod keys;
mod prepare;
mod process;
mod receive_upload;
mod serve;
mod state;
mod store;

pub use kith_images::Preset;

pub use active_uploads::ActiveUploads;
pub use consistency::{MediaReport, ReferenceCounts, verify_files};
pub use create_upload::{__path_cancel, __path_upload, cancel, upload};
pub use dto::{Image, ImageRow};
pub use erase::erase;
pub use errors::count_from_zero;
use errors::not_uploaded;
pub(crate) use errors::{bad_image, not_an_image, not_own_upload};
pub use gc::{run_sweeper, sweep};
pub use image_workers::{ImageWorkers, test_worker};
pub use keys::hash_and_storage_key;
pub use prepare::{__path_prepare, PreparedImage, prepare};
pub use process::{import_image, process_image, read_image};
pub use receive_upload::{__path_receive, receive};
pub use serve::serve;
pub use state::MediaState;
pub(crate) use store::preset_number;
pub use store::{AFTER_DELETION, AFTER_USE, add_reference, drop_reference, pin, unpin};
