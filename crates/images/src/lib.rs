//! What becomes of a picture that a member sends.
//!
//! [`process`] takes the bytes of a file and answers [`ProcessedImage`]: a few sizes of the picture as WebP,
//! upright, in sRGB, without a byte of what the file said about its maker. What it can't or
//! won't take it answers with a [`ImageError`]. This crate knows nothing of HTTP, databases or
//! storage.
//!
//! What a file is called or is said to be counts for nothing: its first bytes decide. Its
//! measures are read from its head and checked before anything is decoded or allocated.

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
