//! Processing of images that members upload.
//!
//! [`process`] decodes a file and returns a [`ProcessedImage`]: a few sizes as WebP, upright, in sRGB,
//! without metadata. The first bytes decide the format, not the file name or media type. Dimensions
//! are read from the header and checked before anything is allocated or decoded.

mod bitmap;
mod color;
mod crop;
mod decode;
mod encode;
mod error;
mod format;
mod limits;
mod orientation;
mod pipeline;
mod preset;
mod resize;
mod sandbox;
pub mod worker;

pub use crop::Crop;
pub use error::ImageError;
pub use format::Format;
pub use limits::{MAX_BYTES, MAX_PIXELS, MAX_SIDE};
pub use pipeline::{ProcessedImage, Rendition, process};
pub use preset::Preset;
pub use sandbox::Sandbox;
