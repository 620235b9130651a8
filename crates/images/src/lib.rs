//! What becomes of a picture that a member sends.
//!
//! [`make`] takes the bytes of a file and answers [`Made`]: a few sizes of the picture as WebP,
//! upright, in sRGB, without a byte of what the file said about its maker. What it can't or
//! won't take it answers with a [`Refusal`]. This crate knows nothing of HTTP, databases or
//! storage.
//!
//! What a file is called or is said to be counts for nothing: its first bytes decide. Its
//! measures are read from its head and checked before anything is decoded or allocated.

mod bounds;
mod colour;
mod crop;
mod decode;
mod encode;
mod format;
mod kind;
mod made;
mod orientation;
mod picture;
mod refusal;
mod sandbox;
mod shrink;
pub mod worker;

pub use bounds::{MAX_BYTES, MAX_PIXELS, MAX_SIDE};
pub use crop::Crop;
pub use format::Format;
pub use kind::Kind;
pub use made::{Made, Rendition, make};
pub use refusal::Refusal;
pub use sandbox::Sandbox;
